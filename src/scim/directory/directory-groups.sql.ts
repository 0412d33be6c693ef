import { agreementTo } from './directory-consent';

/** A group of the directory as shown to clients. $1 organisation. */
const DIRECTORY_GROUPS = `
  SELECT scim_groups.id, scim_groups.display_name, scim_groups.external_id, mapping.id AS mapping_id, mapping.role,
         lower(scim_groups.display_name) AS position, scim_groups.created_at, scim_groups.updated_at
  FROM scim_groups LEFT JOIN scim_role_mappings AS mapping ON mapping.group_id = scim_groups.id
  WHERE scim_groups.org_id = $1`;

/** One of them: $2. */
export const ONE_GROUP = `${DIRECTORY_GROUPS} AND scim_groups.id = $2`;

/**
 * A page of groups by name, ignoring case, then by id: the order of the index.
 *
 * @param prefix of the names
 * @param after lower-cased name and id of the last group of the previous page
 * @returns the statement and its parameters
 */
export function groupPage(
  orgId: string,
  prefix: string | undefined,
  after: readonly [name: string, id: string] | null,
  take: number,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [orgId];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const name = `lower(scim_groups.display_name) COLLATE "C"`;
  let where = '';
  if (prefix !== undefined) where += ` AND ${name} ^@ lower(${bind(prefix)})`;
  if (after) where += ` AND (${name}, scim_groups.id) > (${bind(after[0])}, ${bind(after[1])}::uuid)`;
  return { sql: `${DIRECTORY_GROUPS}${where} ORDER BY ${name}, scim_groups.id LIMIT ${bind(take)}`, parameters };
}

/** How many members groups ($1) have; no row for an empty group. Deleted users have left all groups. */
export const GROUP_SIZES = `
  SELECT group_id, count(*)::int AS member_count FROM scim_group_members
  WHERE group_id = ANY ($1::uuid[]) GROUP BY group_id`;

/**
 * A page of the members of a group ($2) of an organisation ($1), in the order of the primary key: $3 the member to
 * begin after, $4 how many at most. Selects the page first and joins the users then, however large the group is.
 */
export const GROUP_MEMBERS = `
  SELECT scim_users.id, scim_users.user_id, scim_users.user_name, scim_users.display_name, scim_users.active,
         ${agreementTo('scim_users')} AS is_agreed_to, memberships.role, page.created_at AS since
  FROM (
    SELECT scim_user_id, created_at FROM scim_group_members
    WHERE group_id = $2 AND scim_user_id > $3
    ORDER BY scim_user_id LIMIT $4
  ) AS page
  JOIN scim_users ON scim_users.id = page.scim_user_id AND scim_users.org_id = $1
  LEFT JOIN memberships ON memberships.org_id = $1 AND memberships.user_id = scim_users.user_id
  ORDER BY page.scim_user_id`;
