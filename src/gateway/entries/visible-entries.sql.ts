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
export function credentialOfEntry(bundle: string, organisation: string, person: string): string {
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

/**
 * An expression: the id and the version of the credential that an entry uses, with a space between; null: none. The person's
 * own precede those of the bundle, and these those of its organisation. Whether it can be used is not asked: one that has to be
 * connected again does not make way for another, with which the call would be someone else's.
 *
 * An organisation's is for where the listing says that its server is: it is not sent to an `endpoint_url`, which an editor of the
 * bundle chooses. Nothing is looked up for an entry with mode NONE.
 *
 * @param entry a row with `id`, `listing_id`, `credential_mode` and `endpoint_url`
 * @param bundle the SQL expression of the id of its bundle
 * @param organisation that of the organisation of the bundle
 * @param person that of the person whose own credentials count; null: no one's do, as for an access token of a bundle
 */
export function chosenCredential(entry: string, bundle: string, organisation: string, person: string): string {
  return `CASE WHEN ${entry}.credential_mode <> 'NONE' THEN COALESCE(
    CASE WHEN ${entry}.credential_mode IN ('PERSONAL', 'PERSONAL_OR_SHARED') THEN (
      SELECT own.id || ' ' || own.version FROM credentials AS own
      WHERE own.owner = 'PERSON' AND own.person_id = ${person} AND own.entry_id = ${entry}.id AND own.bundle_id = ${bundle})
    END,
    CASE WHEN ${entry}.credential_mode IN ('SHARED', 'PERSONAL_OR_SHARED') THEN COALESCE(
      (SELECT shared.id || ' ' || shared.version FROM credentials AS shared
       WHERE shared.owner = 'BUNDLE' AND shared.bundle_id = ${bundle} AND shared.entry_id = ${entry}.id),
      (SELECT common.id || ' ' || common.version FROM credentials AS common
       WHERE common.owner = 'ORGANISATION' AND common.organisation_id = ${organisation}
         AND common.listing_id = ${entry}.listing_id AND ${entry}.endpoint_url IS NULL))
    END)
  END`;
}
