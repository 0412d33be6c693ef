import { ApiProperty } from '@nestjs/swagger';
import { type Visibility, VISIBILITIES } from '../catalog/listings/visibility';
import type { Columns } from '../database/columns';
import { EnumField, IdField, InstantField, NameField, SlugField, TextField } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import type { Bundle } from './bundle.entity';

const MAX_DESCRIPTION_LENGTH = 2_000;

/** Which bundles a list has. */
export const BUNDLE_SCOPES = ['mine', 'organisations', 'followed', 'public'] as const;
export type BundleScope = (typeof BUNDLE_SCOPES)[number];

export class BundleCreate {
  @NameField({ example: 'Incident response' })
  name: string;

  @SlugField({
    required: false,
    nullable: true,
    description: 'Unique among the bundles of the organisation or person. Default: derived from the name.',
  })
  slug?: string | null;

  @TextField({
    required: false,
    nullable: true,
    max: MAX_DESCRIPTION_LENGTH,
    description: 'Empty when it is left out.',
  })
  description?: string | null;

  @EnumField(VISIBILITIES, { required: false, nullable: true, description: '`PRIVATE` when it is left out.' })
  visibility?: Visibility | null;

  @IdField({ required: false, nullable: true, description: 'The organisation; null or absent: personal.' })
  org_id?: string | null;
}

export class BundleUpdate {
  @NameField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  name?: string | null;

  @SlugField({
    required: false,
    nullable: true,
    description: 'Absent or null: unchanged, even if the name changes.',
  })
  slug?: string | null;

  @TextField({
    required: false,
    nullable: true,
    max: MAX_DESCRIPTION_LENGTH,
    description: 'Absent or null: unchanged. Empty: none.',
  })
  description?: string | null;

  @EnumField(VISIBILITIES, { required: false, nullable: true, description: 'Absent or null: unchanged.' })
  visibility?: Visibility | null;
}

export class BundleQuery extends PageQuery {
  @EnumField(BUNDLE_SCOPES, {
    required: false,
    nullable: true,
    description:
      '`mine`: bundles that you own or edit. `organisations`: bundles of your organisations. `followed`: bundles that you follow and may still see. `public`: bundles that everyone may see. Default: `mine` and `organisations` together.',
  })
  scope?: BundleScope;

  @IdField({
    required: false,
    nullable: true,
    description:
      'Only the bundles of this organisation. You must be a member of it, except with the scopes `followed` and `public`.',
  })
  org_id?: string;
}

export class BundleOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Incident response' })
  name: string;

  @ApiProperty({ example: 'incident-response' })
  slug: string;

  @ApiProperty()
  description: string;

  @ApiProperty({ enum: VISIBILITIES })
  visibility: Visibility;

  @IdField({ nullable: true, description: 'Null: personal.' })
  org_id: string | null;

  @IdField()
  owner_id: string;

  @ApiProperty({ type: 'integer', example: 7, description: 'The number of its latest version.' })
  version: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many entries it has, including entries whose listing you may not see.',
  })
  entry_count: number;

  @ApiProperty({ type: 'integer', description: 'How many people follow it.' })
  follower_count: number;

  @ApiProperty({ description: 'Whether you follow it.' })
  is_followed: boolean;

  @ApiProperty({ description: 'Whether you may change and delete it.' })
  may_modify: boolean;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** What would be deleted with a bundle now. */
export class BundleDeletionPreviewOut {
  @IdField()
  bundle_id: string;

  @ApiProperty({ type: 'integer' })
  entry_count: number;

  @ApiProperty({ type: 'integer', description: 'Versions: snapshots of its entries.' })
  version_count: number;

  @ApiProperty({ type: 'integer', description: 'Access tokens, including expired ones.' })
  access_token_count: number;

  @ApiProperty({ type: 'integer', description: 'Follow links.' })
  follower_count: number;

  @ApiProperty({ type: 'integer', description: 'Deployments bound to it.' })
  deployment_count: number;

  @ApiProperty({ type: 'integer' })
  editor_count: number;

  @ApiProperty({ description: 'Whether it is served as an MCP endpoint, whose clients lose all its tools.' })
  is_endpoint_enabled: boolean;

  @ApiProperty({
    type: 'integer',
    description:
      'People and access tokens that use its servers through the endpoint now, as far as it is known: those that have sessions with them, which servers of revision `2026-07-28` do not have.',
  })
  endpoint_user_count: number;

  @ApiProperty({ type: 'integer', description: 'Credentials for its entries: its own, and those of people.' })
  credential_count: number;
}

/** A row as the services select it (bundle-view.sql.ts). */
export type BundleRow = Omit<Columns<Bundle>, 'organisation' | 'owner'> &
  Pick<BundleOut, 'is_followed' | 'may_modify'> & { is_insider: boolean };

export function toBundle(row: BundleRow): BundleOut {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    visibility: row.visibility,
    org_id: row.org_id,
    owner_id: row.owner_id,
    version: row.version,
    entry_count: row.entry_count,
    follower_count: row.follower_count,
    is_followed: row.is_followed,
    may_modify: row.may_modify,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
