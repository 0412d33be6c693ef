import { belongsTo, IS_NAME_PUBLIC } from '../../catalog/listings/listing-visibility.sql';
import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../bundle.dto';
import { FORMER_PINNING } from './pinning';

/** Entries of a bundle: those that it has, or those of one of its versions. */
interface EntrySource {
  /** Rows named `entries`, with the columns of `bundle_entries`. */
  from: string;
  /** Further columns to select. */
  columns: string;
  /** The version of its listing that an entry refers to; null: the newest. */
  version: string;
}

/**
 * Entries of a bundle as the caller may see them; $1 to $4 are `viewParameters()`. To be followed by an AND.
 *
 * The caller knows the name of a listing that is public, that was archived when it was public, or that belongs to them.
 * Once the listing is deleted, they know it if they are among those that `name_known_to` names.
 *
 * If they do not know the name, an insider gets the entry without it, so that they do not remove or move what they do
 * not see. Anyone else, who sees the bundle only because it is public, does not get the entry. Nor do they get its
 * `endpoint_url`, which may be a name in the network of its owner.
 */
export function entriesSeenByCaller({ from, columns, version }: EntrySource): string {
  return `
  SELECT entries.id, entries.is_enabled, entries.config, COALESCE(entries.credential_mode, 'NONE') AS credential_mode, ${columns},
         COALESCE(entries.pinning, '${FORMER_PINNING}') AS pinning,
         CASE WHEN $3::boolean THEN entries.endpoint_url END AS endpoint_url,
         CASE WHEN caller.knows_name THEN entries.listing_id END AS listing_id,
         CASE WHEN caller.knows_name THEN entries.listing_name END AS listing_name,
         CASE WHEN caller.knows_name THEN listings.title END AS listing_title,
         CASE WHEN caller.knows_name THEN entries.key END AS key,
         CASE WHEN caller.knows_name THEN entries.version END AS version,
         CASE WHEN caller.knows_name THEN COALESCE(${version}, latest.version) END AS listing_version,
         COALESCE(caller.knows_name AND listings.status = 'PUBLISHED' AND effective.status <> 'deleted', false)
           AS is_available
  FROM ${from} LEFT JOIN listings ON listings.id = entries.listing_id
  LEFT JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  LEFT JOIN listing_versions AS effective
    ON effective.listing_id = listings.id AND effective.version = COALESCE(${version}, latest.version)
  CROSS JOIN LATERAL (
    SELECT ${isNameKnown({ person: '$2', isInsider: '$3::boolean', isOwner: '$4::boolean' })} AS knows_name
  ) AS caller
  WHERE ($3::boolean OR caller.knows_name)`;
}

/** Who looks at an entry, as SQL expressions: their id, and what the third and fourth of `viewParameters()` say. */
interface NameViewer {
  person: string;
  isInsider: string;
  isOwner: string;
}

/** Whether they know the name of the listing of `entries`, which is or was in `listings`: see `entriesSeenByCaller()`. */
export function isNameKnown({ person, isInsider, isOwner }: NameViewer): string {
  return `CASE WHEN listings.id IS NOT NULL THEN ${IS_NAME_PUBLIC} OR ${belongsTo(person)}
                WHEN entries.name_known_to = 'EVERYONE' THEN ${isInsider}
                ELSE entries.name_known_to = 'OWNER' AND ${isOwner}
           END`;
}

/**
 * @param bundle as `BundleFinder` returned it to the caller
 * @returns $1 bundle, $2 caller, $3 whether they are an insider of the bundle, $4 whether they are its owner or, if it
 *   belongs to an organisation, a member
 */
export function viewParameters({ id, org_id, owner_id, is_insider }: BundleRow, { userId }: Caller): unknown[] {
  const isOwner = org_id === null ? owner_id === userId : is_insider;
  return [id, userId, is_insider, isOwner];
}

/**
 * `name_known_to` of an entry as of now, by its `listings` and its bundle in `bundles`.
 *
 * @param stored SQL: the value that the entry has, which counts once its listing is deleted
 */
export function nameKnownTo(stored: string): string {
  return `CASE WHEN listings.id IS NULL THEN COALESCE(${stored}, 'NOBODY')
    WHEN ${IS_NAME_PUBLIC} THEN 'EVERYONE'
    WHEN bundles.org_id IS NULL AND ${belongsTo('bundles.owner_id')} OR listings.org_id = bundles.org_id THEN 'OWNER'
    ELSE 'NOBODY' END`;
}
