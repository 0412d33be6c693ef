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
