import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many, maybe } from '../../database/statements';
import { requireFound } from '../../errors/errors';
import type { PageRequest } from '../../http/requests/page';
import type { BundleRow } from '../bundle.dto';
import { ErrorCode } from '../bundle.errors';
import { type BundleEntryOut, type BundleEntryRow, toBundleEntry } from './bundle-entry.dto';
import { entriesSeenByCaller, viewParameters } from './entry-view.sql';

/**
 * $1 to $4 as in `viewParameters()`. From the table and not from the latest version: when a listing takes the place of
 * a sample listing, only the table has it.
 */
const SELECT = `${entriesSeenByCaller({
  from: 'bundle_entries AS entries',
  columns: 'entries.position, entries.created_at, entries.updated_at',
  version: 'entries.version',
})}
  AND entries.bundle_id = $1`;

/** $5 the position after which the page begins, $6 rows. */
const PAGE = `${SELECT} AND ($5::int IS NULL OR entries.position > $5) ORDER BY entries.position LIMIT $6`;

/**
 * Reads the current entries of bundles as a caller may see them. `bundle` is always as `BundleFinder` returned it to
 * them.
 */
@Injectable()
export class EntryReader {
  /** @param after the position after which the page begins */
  async page(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    { after, take }: Pick<PageRequest, 'after' | 'take'>,
  ): Promise<BundleEntryRow[]> {
    return many<BundleEntryRow>(manager, PAGE, [...viewParameters(bundle, caller), after, take]);
  }

  /** In the order of their positions. At most `MAX_ENTRIES`, except in a bundle that is older than this limit. */
  async all(manager: EntityManager, caller: Caller, bundle: BundleRow): Promise<BundleEntryOut[]> {
    const parameters = viewParameters(bundle, caller);
    const rows = await many<BundleEntryRow>(manager, `${SELECT} ORDER BY entries.position`, parameters);
    return rows.map(toBundleEntry);
  }

  /** @throws NotFoundError */
  async one(manager: EntityManager, caller: Caller, bundle: BundleRow, id: string): Promise<BundleEntryOut> {
    const parameters = [...viewParameters(bundle, caller), id];
    const row = await maybe<BundleEntryRow>(manager, `${SELECT} AND entries.id = $5`, parameters);
    return toBundleEntry(requireFound(row, ErrorCode.BundleEntryNotFound, id));
  }
}
