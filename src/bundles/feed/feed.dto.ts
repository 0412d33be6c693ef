import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../http/requests/fields';
import { type VersionAction, VERSION_ACTIONS } from '../versions/version-action';
import type { BundleVersionRow } from '../versions/bundle-version.dto';
import { MAX_NAMES } from './feed.sql';

export class FeedBundleOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Incident response', description: 'Its name now.' })
  name: string;
}

export class FeedActorOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: 'Null also for a person who is in none of your organisations.',
  })
  name: string | null;
}

/** Entries of a bundle that a change is about. */
export class FeedEntriesOut {
  @ApiProperty({ type: 'integer' })
  count: number;

  @ApiProperty({
    type: [String],
    example: ['io.github.acme/weather'],
    maxItems: MAX_NAMES,
    description: `Names of listings that you may know, at most ${MAX_NAMES}. None in a very large bundle: compare its versions.`,
  })
  names: string[];
}

/** A change of a bundle that the caller follows: one of its versions. */
export class FeedItemOut {
  @ApiProperty({ example: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10:7', description: 'Unique in the feed.' })
  id: string;

  @InstantField()
  occurred_at: string;

  @ApiProperty({ enum: VERSION_ACTIONS, description: 'What was done.' })
  type: VersionAction;

  @ApiProperty({ type: FeedBundleOut })
  bundle: FeedBundleOut;

  @ApiProperty({ type: FeedActorOut, nullable: true, description: 'Null: it is older than versioning.' })
  actor: FeedActorOut | null;

  @ApiProperty({ type: 'integer', example: 7, description: 'The number of the version that it made.' })
  version: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version whose entries were restored.' })
  restored_from: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why, in the words of who did it.' })
  note: string | null;

  @ApiProperty({ type: FeedEntriesOut })
  added: FeedEntriesOut;

  @ApiProperty({ type: FeedEntriesOut })
  removed: FeedEntriesOut;

  @ApiProperty({
    type: FeedEntriesOut,
    description:
      'Entries that were enabled, disabled or configured, or that got another listing version; one can count for each.',
  })
  changed: FeedEntriesOut;

  @ApiProperty({ type: 'integer', description: 'How many entries changed places.' })
  moved: number;
}

/** A row as selected by the service. */
export type FeedRow = Pick<
  BundleVersionRow,
  'number' | 'action' | 'changes' | 'restored_from' | 'note' | 'made_by' | 'created_at'
> & { bundle_id: string; bundle_name: string; actor_name: string | null };

/** Names by kind of change. */
export type FeedNames = Partial<Record<'added' | 'removed' | 'changed', string[]>>;

export function toFeedItem(row: FeedRow, names: FeedNames): FeedItemOut {
  const { added, removed, moved, enabled, disabled, reconfigured } = row.changes;
  const changed = enabled + disabled + reconfigured + (row.changes.updated ?? 0);
  return {
    id: feedId(row),
    occurred_at: row.created_at.toISOString(),
    type: row.action,
    bundle: { id: row.bundle_id, name: row.bundle_name },
    actor: row.made_by === null ? null : { user_id: row.made_by, name: row.actor_name },
    version: row.number,
    restored_from: row.restored_from,
    note: row.note,
    added: { count: added, names: named(added, names.added) },
    removed: { count: removed, names: named(removed, names.removed) },
    changed: { count: changed, names: named(changed, names.changed) },
    moved,
  };
}

/** @returns what identifies a version of a bundle */
export function feedId({ bundle_id, number }: Pick<FeedRow, 'bundle_id' | 'number'>): string {
  return `${bundle_id}:${number}`;
}

function named(count: number, names: string[] = []): string[] {
  return count > 0 ? names : [];
}
