import { ownsOrEdits } from './bundle-insider.sql';

/**
 * The columns of a bundle. Listed, because a prepared statement with `*` fails as soon as a migration of the next release
 * adds a column.
 *
 * @param bundles the table or part of a statement that has them
 */
export function bundleColumns(bundles: string): string {
  return `${bundles}.id, ${bundles}.name, ${bundles}.slug, ${bundles}.description, ${bundles}.visibility, ${bundles}.org_id,
          ${bundles}.owner_id, ${bundles}.version, ${bundles}.entry_count, ${bundles}.follower_count, ${bundles}.created_at,
          ${bundles}.updated_at`;
}

/**
 * Bundles as a person sees them (contract, section 4). To be followed by a WHERE that bounds `bundles`.
 *
 * A personal bundle belongs to its owner and its editors. A bundle of an organisation is read by its members, and
 * modified by ADMINs and OWNERs, and by MEMBERs who own or edit it; people who left the organisation no longer own or
 * edit it.
 *
 * `is_insider` says whether the person may read the bundle even if it is not public, as `isInsider()` does;
 * `may_modify` whether they may change it.
 *
 * @param person an SQL parameter, such as `$2`
 */
export function bundlesSeenBy(person: `$${number}`): string {
  return `
  SELECT ${bundleColumns('bundles')}, access.is_insider, access.may_modify,
         EXISTS (SELECT 1 FROM bundle_follows WHERE bundle_follows.bundle_id = bundles.id
                   AND bundle_follows.user_id = ${person}) AS is_followed
  FROM bundles
  LEFT JOIN memberships AS member ON member.org_id = bundles.org_id AND member.user_id = ${person}
  CROSS JOIN LATERAL (SELECT ${ownsOrEdits(person)} AS owns_or_edits) AS direct
  CROSS JOIN LATERAL (
    SELECT CASE WHEN bundles.org_id IS NULL THEN direct.owns_or_edits ELSE member.role IS NOT NULL END AS is_insider,
           CASE WHEN bundles.org_id IS NULL THEN direct.owns_or_edits
                ELSE COALESCE(member.role IN ('ADMIN', 'OWNER') OR (member.role = 'MEMBER' AND direct.owns_or_edits), false)
           END AS may_modify
  ) AS access`;
}
