import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ErrorCode } from '../bundle.errors';
import { NotFoundError } from '../../errors/errors';
import type { BundleRow } from '../bundle.dto';
import { type ListedEntryOut, toListedEntry } from '../entries/bundle-entry.dto';
import { entriesSeenByCaller, viewParameters } from '../entries/entry-view.sql';

/**
 * $1 to $4 as in `viewParameters()`, $5 version. Snapshots of processes of the release before pinned entries, which
 * wrote during the update, have no versions of listings: they stand for the newest.
 */
const RECORDED = `${entriesSeenByCaller({
  from: `bundle_versions CROSS JOIN LATERAL ROWS FROM (
     jsonb_to_recordset(bundle_versions.entries)
       AS (id uuid, listing_id uuid, listing_name text, key text, version text, listing_version text, is_enabled boolean,
           config jsonb, credential_mode text, name_known_to text, pinning text, endpoint_url text)
   ) WITH ORDINALITY AS entries(id, listing_id, listing_name, key, version, listing_version, is_enabled, config,
                                credential_mode, name_known_to, pinning, endpoint_url, place)`,
  columns: '(entries.place - 1)::int AS position',
  version: 'COALESCE(entries.listing_version, entries.version)',
})}
  AND bundle_versions.bundle_id = $1 AND bundle_versions.number = $5 ORDER BY entries.place`;

/** Reads versions of bundles as a caller may see them. */
@Injectable()
export class BundleVersionReader {
  /**
   * The entries of a version in their order, each with the recorded version of its listing. Whether a listing is
   * available is as of now.
   *
   * @param bundle as `BundleFinder` returned it to the caller
   * @throws NotFoundError if the bundle does not have this version
   */
  async entries(manager: EntityManager, caller: Caller, bundle: BundleRow, number: number): Promise<ListedEntryOut[]> {
    requireVersion(bundle, number);
    const rows = await many<ListedEntryOut>(manager, RECORDED, [...viewParameters(bundle, caller), number]);
    return rows.map(toListedEntry);
  }
}

/**
 * Versions are numbered from 1 without gaps, and deleted only with their bundle.
 *
 * @throws NotFoundError
 */
export function requireVersion({ version }: Pick<BundleRow, 'version'>, number: number): void {
  if (number > version) throw new NotFoundError(ErrorCode.BundleVersionNotFound, number);
}
