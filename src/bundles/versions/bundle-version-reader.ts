import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { ErrorCode, NotFoundError } from '../../http/errors';
import type { BundleRow } from '../bundle.dto';
import { type ListedEntryOut, toListedEntry } from '../entries/bundle-entry.dto';
import { entriesSeenBy } from '../entries/entry-view.sql';

/** $1 bundle, $2 person, $3 whether they are of its people, $4 version. */
const ENTRIES = `${entriesSeenBy(
  `bundle_versions CROSS JOIN LATERAL ROWS FROM (
     jsonb_to_recordset(bundle_versions.entries)
       AS (id uuid, listing_id uuid, listing_name text, key text, is_enabled boolean, config jsonb)
   ) WITH ORDINALITY AS entries(id, listing_id, listing_name, key, is_enabled, config, place)`,
  '(entries.place - 1)::int AS position',
  '$2',
  '$3',
)}
  AND bundle_versions.bundle_id = $1 AND bundle_versions.number = $4 ORDER BY entries.place`;

/** Reads versions of bundles, as a person may see them. */
@Injectable()
export class BundleVersionReader {
  /**
   * The entries of a version in their order. Whether a listing is available is told as of now.
   *
   * @param bundle as a finder gave it to the caller
   * @throws NotFoundError when the bundle has no such version
   */
  async entries(manager: EntityManager, caller: Caller, bundle: BundleRow, number: number): Promise<ListedEntryOut[]> {
    requireVersion(bundle, number);
    const parameters = [bundle.id, caller.userId, bundle.is_insider, number];
    return (await manager.query<ListedEntryOut[]>(ENTRIES, parameters)).map(toListedEntry);
  }
}

/**
 * Versions are numbered from 1 without gaps and none is ever taken away.
 *
 * @throws NotFoundError
 */
export function requireVersion({ version }: Pick<BundleRow, 'version'>, number: number): void {
  if (number > version) throw new NotFoundError(ErrorCode.BundleVersionNotFound, number);
}
