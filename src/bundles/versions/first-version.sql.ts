/**
 * The part of a statement that stores the first version of a bundle, which has no entries yet, in the statement that
 * creates the bundle. `writeVersion` would read the entries to find that out.
 *
 * @param bundle name of the part of the statement with the new row of `bundles`
 * @param changes placeholder of the version's changes
 */
export function firstVersion(bundle: string, changes: string): string {
  return `
    INSERT INTO bundle_versions (bundle_id, number, action, changes, made_by, entries, entry_count)
    SELECT id, version, 'CREATED', ${changes}::jsonb, owner_id, '[]'::jsonb, 0 FROM ${bundle}`;
}
