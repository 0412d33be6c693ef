import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../../database/columns';
import { IdField, InstantField } from '../../../http/requests/fields';
import type { Page } from '../../../http/requests/page';
import { type Role, ROLES } from '../../../organisations/members/role';
import { DIRECTORY_REASONS } from '../resolution/role-reason';
import type { Reason } from '../resolution/role-resolution';
import type { ScimSyncChange } from './scim-sync-change.entity';
import type { ScimSyncRun } from './scim-sync-run.entity';

const ROLE_OR_NULL = { enum: [...ROLES, null], type: 'string', nullable: true } as const;

const CHANGES = ['joined', 'promoted', 'demoted', 'removed', 'retained'] as const;

/** The response of a sync: an empty object, as the specification requires. */
export class SyncOut {}

export class SyncChangeOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Ada Lovelace',
    description: 'For a member, the name of the account; for anyone else, the name in the directory.',
  })
  name: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'ada@acme.example',
    description: 'For a member, the address of the account; for anyone else, the address in the directory.',
  })
  email: string | null;

  @ApiProperty({ enum: CHANGES })
  change: (typeof CHANGES)[number];

  @ApiProperty({ ...ROLE_OR_NULL, description: 'The effective role before; null for none.' })
  role_before: Role | null;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'The effective role after; null for none.' })
  role_after: Role | null;

  @ApiProperty({
    enum: DIRECTORY_REASONS,
    description:
      '`mapping`: the highest role among the mapped groups; `default_role`, `no_default_role`: in no mapped group; `deactivated`, `deleted`, `not_in_directory`: the state in the directory; `pending`, `opted_out`: the person has not accepted the membership, or left; `last_owner`: stays OWNER only because there is no other.',
  })
  reason: Reason;

  @IdField({ nullable: true, description: 'The mapping that gives the role, if the reason is `mapping`.' })
  mapping_id: string | null;

  @IdField({ nullable: true, description: 'The group of that mapping.' })
  group_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Platform engineers',
    description: 'Its current name; null if there is no group or it was deleted.',
  })
  group_name: string | null;
}

/** How many people were processed, and how many of them changed in which way. */
export class SyncCountsOut {
  @ApiProperty({ type: 'integer', description: 'The number of people processed: the sum of the six below.' })
  scanned: number;

  @ApiProperty({ type: 'integer' })
  joined: number;

  @ApiProperty({ type: 'integer' })
  promoted: number;

  @ApiProperty({ type: 'integer' })
  demoted: number;

  @ApiProperty({ type: 'integer' })
  removed: number;

  @ApiProperty({
    type: 'integer',
    description: 'Kept as OWNER although the directory says otherwise, because there is no other.',
  })
  retained: number;

  @ApiProperty({ type: 'integer' })
  unchanged: number;
}

export class SyncRunSummaryOut extends SyncCountsOut {
  @IdField()
  id: string;

  @IdField()
  org_id: string;

  @IdField({ nullable: true, description: 'Who started it; null for the service itself.' })
  started_by: string | null;

  @InstantField()
  started_at: string;

  @InstantField()
  finished_at: string;
}

export class SyncRunOut extends SyncRunSummaryOut {
  @ApiProperty({
    type: [SyncChangeOut],
    description: 'One page of the changes, ordered by user id; the next page is in `Link`.',
  })
  changes: SyncChangeOut[];
}

/** A run whose changes are not in output form yet. */
export type SyncRun = Omit<SyncRunOut, 'changes'> & { changes: Page<SyncChangeOut> };

/** A change as its list pages through it: `id` is that of the person. */
export type ChangeRow = Pick<
  Columns<ScimSyncChange>,
  'change' | 'role_before' | 'role_after' | 'reason' | 'mapping_id' | 'group_id'
> & { id: string };

/** A change with the names that people know. */
export type NamedChangeRow = ChangeRow & Pick<SyncChangeOut, 'name' | 'email' | 'group_name'>;

export function toRun(run: ScimSyncRun): SyncRunSummaryOut {
  return {
    id: run.id,
    org_id: run.orgId,
    started_by: run.startedBy,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt.toISOString(),
    ...toCounts(run),
  };
}

export function toCounts(row: SyncCountsOut): SyncCountsOut {
  return {
    scanned: row.scanned,
    joined: row.joined,
    promoted: row.promoted,
    demoted: row.demoted,
    removed: row.removed,
    retained: row.retained,
    unchanged: row.unchanged,
  };
}

export function toChange(row: NamedChangeRow): SyncChangeOut {
  return {
    user_id: row.id,
    name: row.name,
    email: row.email,
    change: row.change,
    role_before: row.role_before,
    role_after: row.role_after,
    reason: row.reason,
    mapping_id: row.mapping_id,
    group_id: row.group_id,
    group_name: row.group_name,
  };
}
