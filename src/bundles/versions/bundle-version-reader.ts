import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ErrorCode } from '../bundle.errors';
import { NotFoundError } from '../../errors/errors';
import type { BundleRow } from '../bundle.dto';
import { type ListedEntryOut, toListedEntry } from '../entries/bundle-entry.dto';
import { entriesSeenBy } from '../entries/entry-view.sql';

/**
 * $1 bundle, $2 person, $3 whether they are of its people, $4 version. A process of the release before, which did not know
 * of versions of listings, may still have made snapshots while it was being replaced; it meant the newest.
 */
const RECORDED = `${entriesSeenBy({
  from: `bundle_versions CROSS JOIN LATERAL ROWS FROM (
     jsonb_to_recordset(bundle_versions.entries)
       AS (id uuid, listing_id uuid, listing_name text, key text, version text, listing_version text, is_enabled boolean,
           config jsonb)
   ) WITH ORDINALITY AS entries(id, listing_id, listing_name, key, version, listing_version, is_enabled, config, place)`,
  columns: '(entries.place - 1)::int AS position',
  version: 'COALESCE(entries.listing_version, entries.version)',
  person: '$2',
  insider: '$3',
})}
  AND bundle_versions.bundle_id = $1 AND bundle_versions.number = $4 ORDER BY entries.place`;

/**
 * $1 bundle, $2 person, $3 whether they are of its people. Not as the latest version keeps them: a listing that took the
 * place of a sample listing since then is in the entries only.
 */
const CURRENT = `${entriesSeenBy({
  from: 'bundle_entries AS entries',
  columns: 'entries.position',
  version: 'entries.version',
  person: '$2',
  insider: '$3',
})}
  AND entries.bundle_id = $1 ORDER BY entries.position`;

/** Reads versions of bundles, as a person may see them. */
@Injectable()
export class BundleVersionReader {
  /**
   * The entries of a version in their order, each with the version of its listing that was recorded. Whether a listing is
   * available is told as of now.
   *
   * @param bundle as a finder gave it to the caller
   * @throws NotFoundError when the bundle has no such version
   */
  async entries(manager: EntityManager, caller: Caller, bundle: BundleRow, number: number): Promise<ListedEntryOut[]> {
    requireVersion(bundle, number);
    const parameters = [bundle.id, caller.userId, bundle.is_insider, number];
    return (await many<ListedEntryOut>(manager, RECORDED, parameters)).map(toListedEntry);
  }

  /** The entries of now: each with the version to which it is pinned, or the newest of this moment. */
  async current(manager: EntityManager, caller: Caller, bundle: BundleRow): Promise<ListedEntryOut[]> {
    const parameters = [bundle.id, caller.userId, bundle.is_insider];
    return (await many<ListedEntryOut>(manager, CURRENT, parameters)).map(toListedEntry);
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
