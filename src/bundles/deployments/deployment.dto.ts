import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { EnumField, FormatField, IdField, InstantField, IntegerField, NameField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { BundleDeployment } from './bundle-deployment.entity';
import { DEPLOYMENT_KINDS, type DeploymentKind } from './deployment-kind';
import { DEPLOYMENT_STATUSES, type DeploymentStatus } from './deployment-status';
import { DEPLOYMENT_URL_FORMAT } from './deployment-url';

const ENVIRONMENT = { max: 60, example: 'production' };
const STATUS = { required: false, nullable: true };
const NOT_OF_AN_ENDPOINT = 'Not accepted for an `ENDPOINT`.';
const URL_FIELD = { required: false, nullable: true, max: 2048, example: 'https://mcp.acme.example/on-call' };

export class DeploymentCreate {
  @NameField({ example: 'On-call desk' })
  name: string;

  @NameField({ ...ENVIRONMENT, description: 'Where it runs, in your words.' })
  environment: string;

  @EnumField(DEPLOYMENT_KINDS, {
    required: false,
    nullable: true,
    description:
      '`EXTERNAL`, which is the default: you run it and report its status. `ENDPOINT`: it runs here, as an MCP endpoint that serves its version of the bundle while the endpoint of the bundle is enabled. Never changes.',
  })
  kind?: DeploymentKind | null;

  @EnumField(DEPLOYMENT_STATUSES, {
    ...STATUS,
    description: `\`PENDING\` when it is left out. ${NOT_OF_AN_ENDPOINT}`,
  })
  status?: DeploymentStatus | null;

  @FormatField(DEPLOYMENT_URL_FORMAT, {
    ...URL_FIELD,
    description: `Its address: \`https\` or \`http\`, without user info. ${NOT_OF_AN_ENDPOINT}`,
  })
  url?: string | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 1,
    description:
      'The version of the bundle that it runs, with the versions of the listings that it recorded; the latest one when it is left out.',
  })
  bundle_version?: number | null;
}

export class DeploymentUpdate {
  @NameField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  name?: string | null;

  @NameField({ ...ENVIRONMENT, required: false, nullable: true, description: 'Absent or null: unchanged.' })
  environment?: string | null;

  @EnumField(DEPLOYMENT_STATUSES, { ...STATUS, description: `Absent or null: unchanged. ${NOT_OF_AN_ENDPOINT}` })
  status?: DeploymentStatus | null;

  @FormatField(DEPLOYMENT_URL_FORMAT, {
    ...URL_FIELD,
    description: `Absent or null: unchanged. Empty: none. ${NOT_OF_AN_ENDPOINT}`,
  })
  url?: string | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 1,
    description: 'The version of the bundle to which it is moved. Absent or null: unchanged.',
  })
  bundle_version?: number | null;
}

export class DeploymentQuery extends PageQuery {
  @NameField({ ...ENVIRONMENT, required: false, description: 'Only those of this environment.' })
  environment?: string;

  @EnumField(DEPLOYMENT_STATUSES, { required: false, description: 'Only those of this status.' })
  status?: DeploymentStatus;

  @EnumField(DEPLOYMENT_KINDS, { required: false, description: 'Only those of this kind.' })
  kind?: DeploymentKind;
}

export class DeploymentOut {
  @IdField()
  id: string;

  @IdField()
  bundle_id: string;

  @ApiProperty({ example: 'On-call desk' })
  name: string;

  @ApiProperty({ example: 'production' })
  environment: string;

  @ApiProperty({ enum: DEPLOYMENT_KINDS })
  kind: DeploymentKind;

  @ApiProperty({
    enum: DEPLOYMENT_STATUSES,
    description:
      'As last reported by its operator. Of an `ENDPOINT`: `RUNNING` while the endpoint of the bundle is enabled, else `STOPPED`.',
  })
  status: DeploymentStatus;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Its address. Of an `ENDPOINT`: where MCP clients connect.',
  })
  url: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'The version of the bundle that it runs: `…/export?version=` gives exactly that.',
  })
  bundle_version: number;

  @ApiProperty({ type: 'integer', description: 'The latest version of the bundle.' })
  latest_version: number;

  @ApiProperty({ description: 'Whether the bundle has a newer version than the one that is deployed.' })
  is_outdated: boolean;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as the service selects it. */
export type DeploymentRow = Omit<Columns<BundleDeployment>, 'bundle'> & Pick<DeploymentOut, 'latest_version'>;

/** @param row as `DeploymentsService` completed it */
export function toDeployment(row: DeploymentRow): DeploymentOut {
  return {
    id: row.id,
    bundle_id: row.bundle_id,
    name: row.name,
    environment: row.environment,
    kind: row.kind,
    status: row.status,
    url: row.url,
    bundle_version: row.bundle_version,
    latest_version: row.latest_version,
    is_outdated: row.bundle_version < row.latest_version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
