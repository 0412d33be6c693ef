import { chosenCredential } from './credential-choice.sql';
import { belongsTo, IS_PUBLIC_LISTING } from '../../catalog/listings/listing-visibility.sql';

/**
 * The enabled entries that an endpoint serves, as `entries`: those of a bundle as it is, or those of one of its versions,
 * with exactly the versions of listings that it recorded.
 *
 * @param bundle the SQL expression of its id
 * @param version that of the number of a version; null: the bundle as it is
 */
export function servedEntries(bundle: string, version: string): string {
  return `(
    SELECT present.id, present.listing_id, present.listing_name, present.key, present.version, present.config,
           present.credential_mode, present.endpoint_url, present.position AS place
    FROM bundle_entries AS present
    WHERE present.bundle_id = ${bundle} AND present.is_enabled AND ${version} IS NULL
    UNION ALL
    SELECT recorded.id, recorded.listing_id, recorded.listing_name, recorded.key,
           COALESCE(recorded.listing_version, recorded.version), recorded.config,
           COALESCE(recorded.credential_mode, 'NONE'), recorded.endpoint_url, recorded.place::int
    FROM bundle_versions CROSS JOIN LATERAL ROWS FROM (
      jsonb_to_recordset(bundle_versions.entries)
        AS (id uuid, listing_id uuid, listing_name text, key text, version text, listing_version text,
            is_enabled boolean, config jsonb, credential_mode text, endpoint_url text)
    ) WITH ORDINALITY AS recorded(id, listing_id, listing_name, key, version, listing_version, is_enabled, config,
                                  credential_mode, endpoint_url, place)
    WHERE bundle_versions.bundle_id = ${bundle} AND bundle_versions.number = ${version} AND recorded.is_enabled
  ) AS entries`;
}

/** Joins `listings`, and the version of it that an entry means as `meant`, to `entries`. */
export const MEANT_VERSIONS = `
  LEFT JOIN listings ON listings.id = entries.listing_id
  LEFT JOIN listing_versions AS latest ON latest.listing_id = listings.id AND latest.is_latest
  LEFT JOIN listing_versions AS meant
    ON meant.listing_id = listings.id AND meant.version = COALESCE(entries.version, latest.version)`;

/**
 * What of an entry changes what its server is, besides the bundle: the version of its listing, whose document an import may
 * replace, and the credential that it is sent.
 *
 * @param credential of `entryCredential`
 */
export function entryWords(credential: string): string {
  return `concat_ws(' ', entries.id, listings.id, extract(epoch FROM meant.updated_at), meant.version, ${credential})`;
}

/** The credential of an entry of `entries`, with the expressions of `chosenCredential`. */
export function entryCredential(bundle: string, organisation: string, person: string): string {
  return chosenCredential('entries', bundle, organisation, person);
}

/**
 * Whether a person may use the listing of an entry: it is published, they may see it, and the version was not deleted.
 *
 * @param person the SQL expression of their id
 */
export function isUsableBy(person: string): string {
  return `COALESCE(listings.status = 'PUBLISHED' AND meant.status <> 'deleted'
    AND (${IS_PUBLIC_LISTING} OR ${belongsTo(person)}), false)`;
}
