import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, InstantField, IntegerField } from '../../http/requests/fields';
import {
  DEFAULT_ACCESS,
  type DefaultAccess,
  ENDPOINT_NAMINGS,
  ENDPOINT_PRESENTATIONS,
  type EndpointNaming,
  type EndpointPresentation,
  MAX_SHOWN_BY_AUTO,
  RECORD_MODES,
  RECORDED_ARGUMENTS,
  type RecordedArguments,
  type RecordMode,
} from '../settings/endpoint-enums';
import { NAME_BUDGET } from '../protocol/exposed-name';
import type { EndpointRow } from '../settings/endpoint-settings';

const UNCHANGED = 'Absent or null: unchanged.';
const ACCESS =
  'What people and tokens may use where no rule of the bundle says anything. `ALLOW`; `READ_ONLY`: tools that say that they only read (`readOnlyHint`), prompts and resources; `DENY`.';
const PRESENTATION = `What clients get as the list of tools. \`ALL\`: all that they may use. \`SEARCH\`: three tools by which they find, read and call the others. \`AUTO\`: \`SEARCH\` where they may use more than ${MAX_SHOWN_BY_AUTO}.`;

export class EndpointUpdate {
  @BooleanField({
    required: false,
    nullable: true,
    description: `Whether the bundle, and its deployments of kind \`ENDPOINT\`, are served to MCP clients. ${UNCHANGED}`,
  })
  is_enabled?: boolean | null;

  @EnumField(ENDPOINT_NAMINGS, {
    required: false,
    nullable: true,
    description: `How tools and prompts are named. \`PREFIX\`: \`{alias}__{name}\`, by the alias of the entry. \`PLAIN\`: as at their server; two with the same name are both offered by the name that they have with \`PREFIX\`. ${UNCHANGED}`,
  })
  naming?: EndpointNaming | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: NAME_BUDGET.least,
    max: NAME_BUDGET.most,
    description: `How long names of tools and prompts may be with \`PREFIX\`, in characters: clients put a prefix of their own before them. Longer ones are cut, and end in a digest. ${UNCHANGED}`,
  })
  name_budget?: number | null;

  @EnumField(DEFAULT_ACCESS, { required: false, nullable: true, description: `${ACCESS} ${UNCHANGED}` })
  default_access?: DefaultAccess | null;

  @EnumField(ENDPOINT_PRESENTATIONS, { required: false, nullable: true, description: `${PRESENTATION} ${UNCHANGED}` })
  presentation?: EndpointPresentation | null;

  @EnumField(RECORD_MODES, {
    required: false,
    nullable: true,
    description: `When a call gets its row in the record. \`BUFFERED\`: within a second of its end; a process that is killed loses that second. \`STRICT\`: before the server is asked, and a call that cannot be recorded is refused. ${UNCHANGED}`,
  })
  record?: RecordMode | null;

  @EnumField(RECORDED_ARGUMENTS, {
    required: false,
    nullable: true,
    description: `What the record says of the arguments of calls. \`NONE\`: nothing. \`KEYS\`: their names. \`DIGEST\`: a keyed digest, which is equal for equal arguments. ${UNCHANGED}`,
  })
  record_arguments?: RecordedArguments | null;
}

export class EndpointOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({
    format: 'uri',
    example: 'https://tools.example.com/mcp/bundles/019a9f62-8a0e-7d42-86b1-1e7d4fa3c958',
    description: 'Where MCP clients connect, by Streamable HTTP. Also the audience of their access tokens.',
  })
  url: string;

  @ApiProperty({ description: 'Whether MCP clients are served. False for a new bundle.' })
  is_enabled: boolean;

  @ApiProperty({ enum: ENDPOINT_NAMINGS })
  naming: EndpointNaming;

  @ApiProperty({ type: 'integer', example: NAME_BUDGET.fallback })
  name_budget: number;

  @ApiProperty({ enum: DEFAULT_ACCESS, description: ACCESS })
  default_access: DefaultAccess;

  @ApiProperty({ enum: ENDPOINT_PRESENTATIONS, description: PRESENTATION })
  presentation: EndpointPresentation;

  @ApiProperty({ enum: RECORD_MODES })
  record: RecordMode;

  @ApiProperty({ enum: RECORDED_ARGUMENTS })
  record_arguments: RecordedArguments;

  @InstantField({ nullable: true, description: 'Null: never changed.' })
  updated_at: string | null;
}

/** @param url where MCP clients connect */
export function toEndpoint(bundleId: string, url: string, row: EndpointRow): EndpointOut {
  return {
    bundle_id: bundleId,
    url,
    is_enabled: row.is_enabled,
    naming: row.naming,
    name_budget: row.name_budget,
    default_access: row.default_access,
    presentation: row.presentation,
    record: row.record,
    record_arguments: row.record_arguments,
    updated_at: row.updated_at?.toISOString() ?? null,
  };
}
