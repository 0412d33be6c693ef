/**
 * Whether an access token `tokens` of `bundles` opens it: it has not expired, and whoever made it has an account that is
 * not closed and may still read the bundle in their own right: as a member of its organisation, whose role the directory
 * may take away at any time, or as the owner or an editor of a personal one.
 *
 * @param now an SQL parameter, such as `$2`
 */
export function isUsableToken(now: `$${number}`): string {
  return `(
    (tokens.expires_at IS NULL OR tokens.expires_at > ${now})
    AND EXISTS (SELECT 1 FROM users WHERE users.id = tokens.created_by AND users.closed_at IS NULL)
    AND CASE WHEN bundles.org_id IS NULL
      THEN bundles.owner_id = tokens.created_by OR EXISTS (
        SELECT 1 FROM bundle_editors WHERE bundle_editors.bundle_id = bundles.id
          AND bundle_editors.user_id = tokens.created_by)
      ELSE EXISTS (
        SELECT 1 FROM memberships WHERE memberships.org_id = bundles.org_id
          AND memberships.user_id = tokens.created_by AND memberships.role IS NOT NULL)
    END)`;
}
