/**
 * Bundles as a person sees them, in the words of section 4 of the contract. A personal bundle is its owner's and its
 * editors'; a bundle of an organisation is read by its members and modified by ADMINs and OWNERs, and by the MEMBERs who
 * own or edit it: whoever has left the organisation neither owns nor edits its bundles any more. To be followed by a
 * WHERE that bounds `bundles`.
 *
 * `is_insider` says whether the bundle is the person's to read even if it is not public, `may_modify` whether it is
 * theirs to change.
 *
 * @param person an SQL parameter, such as `$2`
 */
export function bundlesSeenBy(person: `$${number}`): string {
  return `
  SELECT bundles.*, access.is_insider, access.may_modify,
         EXISTS (SELECT 1 FROM bundle_follows WHERE bundle_follows.bundle_id = bundles.id
                   AND bundle_follows.user_id = ${person}) AS is_followed
  FROM bundles
  LEFT JOIN memberships AS member ON member.org_id = bundles.org_id AND member.user_id = ${person}
  CROSS JOIN LATERAL (
    SELECT bundles.owner_id = ${person} OR EXISTS (
      SELECT 1 FROM bundle_editors WHERE bundle_editors.bundle_id = bundles.id
        AND bundle_editors.user_id = ${person}) AS own
  ) AS own
  CROSS JOIN LATERAL (
    SELECT CASE WHEN bundles.org_id IS NULL THEN own.own ELSE member.role IS NOT NULL END AS is_insider,
           CASE WHEN bundles.org_id IS NULL THEN own.own
                ELSE COALESCE(member.role IN ('ADMIN', 'OWNER') OR (member.role = 'MEMBER' AND own.own), false)
           END AS may_modify
  ) AS access`;
}
