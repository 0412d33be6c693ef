import { isAcquaintedWith } from '../../organisations/members/acquaintance.sql';
import { isInsider } from '../bundle-insider.sql';
import { isNameKnown } from '../entries/entry-view.sql';
import { FORMER_PINNING } from '../entries/pinning';

/** The feed names at most so many listings for each kind of change. */
export const MAX_NAMES = 5;

/**
 * The entries of a version and of the one before have at most this size together, compressed: larger ones are not read
 * for the names in them. With 500 entries without configuration a version has some 35 KiB.
 */
const MAX_BYTES = 131_072;

/** After the last change of the page before: $2 its time, $3 its bundle, $4 its version. */
const REMAINING = `
  ($2::timestamptz IS NULL
    OR versions.created_at <= $2 AND (versions.created_at, versions.bundle_id, versions.number) < ($2, $3::uuid, $4::int))`;

/**
 * The versions of the bundles that a person ($1) follows and may see, newest first; $5 rows.
 *
 * A page has rows of at most as many bundles, and those are the ones with the newest version that remains. So one index entry
 * of each bundle is read, however many there are, and then some of a few.
 */
export const FEED = `
  SELECT feed.*, CASE WHEN ${isAcquaintedWith('$1', 'feed.made_by')} THEN users.name END AS actor_name
  FROM (
    SELECT newest.bundle_id, newest.bundle_name, versions.number, versions.action, versions.changes,
           versions.restored_from, versions.note, versions.made_by, versions.created_at
    FROM (
      SELECT bundles.id AS bundle_id, bundles.name AS bundle_name
      FROM bundle_follows JOIN bundles ON bundles.id = bundle_follows.bundle_id
      CROSS JOIN LATERAL (
        SELECT created_at, number FROM bundle_versions AS versions
        WHERE versions.bundle_id = bundles.id AND ${REMAINING}
        ORDER BY created_at DESC, number DESC LIMIT 1
      ) AS latest
      WHERE bundle_follows.user_id = $1 AND (bundles.visibility = 'PUBLIC' OR ${isInsider('$1')})
      ORDER BY latest.created_at DESC, bundles.id DESC LIMIT $5
    ) AS newest
    CROSS JOIN LATERAL (
      SELECT number, action, changes, restored_from, note, made_by, created_at FROM bundle_versions AS versions
      WHERE versions.bundle_id = newest.bundle_id AND ${REMAINING}
      ORDER BY created_at DESC, number DESC LIMIT $5
    ) AS versions
    ORDER BY versions.created_at DESC, newest.bundle_id DESC, versions.number DESC LIMIT $5
  ) AS feed
  LEFT JOIN users ON users.id = feed.made_by
  ORDER BY feed.created_at DESC, feed.bundle_id DESC, feed.number DESC`;

const snapshot = (versions: string, entry: string) => `
  jsonb_to_recordset(${versions}.entries) AS ${entry}(
    id uuid, listing_id uuid, listing_name text, version text, listing_version text, is_enabled boolean, config jsonb,
    credential_mode text, name_known_to text, pinning text, endpoint_url text)`;

/** What of an entry is compared, besides its place; what snapshots of earlier releases lack has the value of that time. */
const settings = (entry: string) => `
  (${entry}.listing_id, ${entry}.version, ${entry}.listing_version, ${entry}.is_enabled, ${entry}.config,
   COALESCE(${entry}.credential_mode, 'NONE'), COALESCE(${entry}.pinning, '${FORMER_PINNING}'), ${entry}.endpoint_url)`;

/**
 * $1 person, $2 bundles, $3 the numbers of their versions: names of listings that they know and whose entries differ from the
 * version before. An entry has the same id in two successive versions.
 */
export const NAMES = `
  SELECT entries.bundle_id, entries.number, entries.kind,
         (array_agg(entries.listing_name ORDER BY entries.listing_name))[1:${MAX_NAMES}] AS names
  FROM (
    SELECT bundles.id AS bundle_id, asked.number, diff.*, ${isInsider('$1')} AS is_insider,
           bundles.org_id IS NOT NULL OR bundles.owner_id = $1 AS is_owned
    FROM unnest($2::uuid[], $3::int[]) AS asked(bundle_id, number)
    JOIN bundles ON bundles.id = asked.bundle_id
    JOIN bundle_versions AS present ON present.bundle_id = asked.bundle_id AND present.number = asked.number
    LEFT JOIN bundle_versions AS former ON former.bundle_id = asked.bundle_id AND former.number = asked.number - 1
    CROSS JOIN LATERAL (
      SELECT CASE WHEN before.id IS NULL THEN 'added' WHEN after.id IS NULL THEN 'removed' ELSE 'changed' END AS kind,
             CASE WHEN after.id IS NULL THEN before.listing_id ELSE after.listing_id END AS listing_id,
             COALESCE(after.listing_name, before.listing_name) AS listing_name,
             COALESCE(after.name_known_to, before.name_known_to) AS name_known_to
      FROM ${snapshot('present', 'after')} FULL JOIN ${snapshot('former', 'before')} ON before.id = after.id
      WHERE before.id IS NULL OR after.id IS NULL OR ${settings('before')} IS DISTINCT FROM ${settings('after')}
    ) AS diff
    WHERE pg_column_size(present.entries) + COALESCE(pg_column_size(former.entries), 0) <= ${MAX_BYTES}
  ) AS entries
  LEFT JOIN listings ON listings.id = entries.listing_id
  WHERE ${isNameKnown({
    person: '$1',
    isInsider: 'entries.is_insider',
    isOwner: 'entries.is_insider AND entries.is_owned',
  })}
  GROUP BY entries.bundle_id, entries.number, entries.kind`;
