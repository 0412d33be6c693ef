/**
 * Who belongs to `bundles` (contract, section 4), as SQL conditions. Each takes the SQL expression of a person's id,
 * such as `$2` or `bundle_editors.user_id`.
 */

/** Whether they are a member of the bundle's organisation. A member who is deactivated in the directory has no role. */
export function isMemberOf(person: string): string {
  return `EXISTS (SELECT 1 FROM memberships WHERE memberships.org_id = bundles.org_id AND memberships.user_id = ${person}
    AND memberships.role IS NOT NULL)`;
}

/** Whether the bundle names them as its owner or an editor, which for a bundle of an organisation is not enough. */
export function ownsOrEdits(person: string): string {
  return `(bundles.owner_id = ${person} OR EXISTS (
      SELECT 1 FROM bundle_editors WHERE bundle_editors.bundle_id = bundles.id AND bundle_editors.user_id = ${person}))`;
}

/** Whether they may read the bundle even if it is not public. */
export function isInsider(person: string): string {
  return `CASE WHEN bundles.org_id IS NULL THEN ${ownsOrEdits(person)} ELSE ${isMemberOf(person)} END`;
}

/** What they are to the bundle, as an array of texts: the policies of a bundle name people by that. */
export function rolesIn(person: string): string {
  return `CASE WHEN ${isInsider(person)} THEN array_remove(ARRAY[
      CASE WHEN bundles.owner_id = ${person} THEN 'BUNDLE_OWNER' END,
      CASE WHEN EXISTS (SELECT 1 FROM bundle_editors
                        WHERE bundle_editors.bundle_id = bundles.id AND bundle_editors.user_id = ${person})
        THEN 'BUNDLE_EDITOR' END,
      (SELECT 'ORG_' || memberships.role::text FROM memberships
       WHERE memberships.org_id = bundles.org_id AND memberships.user_id = ${person})], NULL)
    ELSE ARRAY['OUTSIDER'] END`;
}
