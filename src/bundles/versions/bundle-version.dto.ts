import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { BooleanField, IdField, InstantField, IntegerField, TextField } from '../../http/requests/fields';
import { ListedEntryOut } from '../entries/bundle-entry.dto';
import type { ChangeCounts, EntryChanges } from '../entries/entry-changes';
import type { BundleVersion } from './bundle-version.entity';
import { type VersionAction, VERSION_ACTIONS } from './version-action';
import { BASE_VERSION } from './base-version';
import { VERSION_NOTE } from './version-note';
import type { PartComparison } from './version-parts';

/** How many entries differ from those of the version before. */
export class VersionChangesOut implements ChangeCounts {
  @ApiProperty({ type: 'integer' })
  added: number;

  @ApiProperty({ type: 'integer' })
  removed: number;

  @ApiProperty({ type: 'integer' })
  moved: number;

  @ApiProperty({ type: 'integer' })
  enabled: number;

  @ApiProperty({ type: 'integer' })
  disabled: number;

  @ApiProperty({ type: 'integer' })
  reconfigured: number;

  @ApiProperty({
    type: 'integer',
    description:
      'Entries with another listing or listing version than before, or that started or stopped following the newest.',
  })
  updated: number;
}

export class BundleVersionOut {
  @ApiProperty({ type: 'integer', example: 7, description: 'From 1, without gaps.' })
  number: number;

  @ApiProperty({ enum: VERSION_ACTIONS, description: 'The action that created it.' })
  action: VersionAction;

  @ApiProperty({ type: VersionChangesOut, description: 'How it differs from the version before.' })
  changes: VersionChangesOut;

  @ApiProperty({ type: 'integer' })
  entry_count: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version whose entries were restored.' })
  restored_from: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it was made, in the words of who made it.' })
  note: string | null;

  @IdField({ nullable: true, description: 'Who created it; null: it is older than versioning.' })
  made_by: string | null;

  @InstantField()
  created_at: string;
}

/** A version with its entries. */
export class BundleVersionDetailOut extends BundleVersionOut {
  @ApiProperty({
    type: [ListedEntryOut],
    description:
      'As they were, in their order, each with the recorded version of its listing; `is_available` refers to now.',
  })
  entries: ListedEntryOut[];
}

export class VersionCompareQuery {
  @IntegerField({ min: 1, required: false, description: 'The other version. Default: the latest.' })
  with?: number;
}

/** An entry that is in both versions, as it was before and after. */
export class ComparedEntryOut {
  @ApiProperty({ type: ListedEntryOut })
  before: ListedEntryOut;

  @ApiProperty({ type: ListedEntryOut })
  after: ListedEntryOut;
}

/** The changes that lead from one version to the other; an entry may be in several of the last five lists. */
export class VersionComparisonOut implements EntryChanges<ListedEntryOut> {
  @ApiProperty({ type: 'integer', description: 'The version in the path.' })
  from: number;

  @ApiProperty({ type: 'integer', description: 'The other version.' })
  to: number;

  @ApiProperty({ type: [ListedEntryOut] })
  added: ListedEntryOut[];

  @ApiProperty({ type: [ListedEntryOut] })
  removed: ListedEntryOut[];

  @ApiProperty({
    type: [ComparedEntryOut],
    description:
      'The smallest set of moves that explains the new order; an entry that only made room for another has not moved.',
  })
  moved: ComparedEntryOut[];

  @ApiProperty({ type: [ComparedEntryOut] })
  enabled: ComparedEntryOut[];

  @ApiProperty({ type: [ComparedEntryOut] })
  disabled: ComparedEntryOut[];

  @ApiProperty({ type: [ComparedEntryOut] })
  reconfigured: ComparedEntryOut[];

  @ApiProperty({
    type: [ComparedEntryOut],
    description: 'Entries with another listing or listing version, or that started or stopped following the newest.',
  })
  updated: ComparedEntryOut[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description:
      'Tools whose overrides or approvals differ: `tools`, a list of at most 500 with `before` and `after`, and `tool_count`. Null: none, or you see the bundle only because it is public.',
  })
  tools: PartComparison;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The policies `before` and `after`. Null: they are the same, or you may not see them.',
  })
  policies: PartComparison;
}

export class VersionRestore {
  @BooleanField({
    required: false,
    nullable: true,
    description:
      'Whether each entry is pinned to the version of its listing that the restored version recorded. Otherwise, which is the default, one that followed the newest follows it again.',
  })
  pin?: boolean | null;

  @IntegerField(BASE_VERSION)
  base_version?: number | null;

  @TextField(VERSION_NOTE)
  note?: string | null;
}

/** A row as the service selects it. */
export type BundleVersionRow = Pick<
  Columns<BundleVersion>,
  'number' | 'action' | 'entry_count' | 'restored_from' | 'note' | 'made_by' | 'created_at'
> & { changes: Omit<VersionChangesOut, 'updated'> & { updated?: number } };

export function toBundleVersion(row: BundleVersionRow): BundleVersionOut {
  // The first release did not count `updated`.
  const { added, removed, moved, enabled, disabled, reconfigured, updated = 0 } = row.changes;
  return {
    number: row.number,
    action: row.action,
    changes: { added, removed, moved, enabled, disabled, reconfigured, updated },
    entry_count: row.entry_count,
    restored_from: row.restored_from,
    note: row.note,
    made_by: row.made_by,
    created_at: row.created_at.toISOString(),
  };
}
