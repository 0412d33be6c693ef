import { personName } from '../../../organisations/person-name.sql';
import { outcomeFor } from '../resolution/outcome.sql';
import type { ScimSettings } from '../resolution/role-resolution';
import type { MemberReason } from './listed-member.dto';

/** The filter of a list of members, as its cursors carry it. */
export interface MemberFilter {
  role?: string;
  reason?: MemberReason;
  /** A `prefixQuery()`. */
  words?: string;
}

const HAS_ENTRY = `
  EXISTS (SELECT FROM scim_users
          WHERE org_id = $1 AND user_id = memberships.user_id AND deleted_at IS NULL)`;

/** Everyone in a mapped group that counts. Deleted users have left all groups. */
const MAPPED = `
  SELECT scim_users.user_id
  FROM scim_role_mappings AS mapping
  JOIN scim_group_members ON scim_group_members.group_id = mapping.group_id
  JOIN scim_users ON scim_users.id = scim_group_members.scim_user_id
  WHERE mapping.org_id = $1 AND (mapping.role <> 'OWNER' OR $3)`;

const BY_DIRECTORY = `
  scim_role IS NOT NULL AND NOT suspended AND NOT retained_last_owner AND (manual_role IS NULL OR scim_role >= manual_role)`;

/**
 * `reasonInForce` as conditions on stored memberships, which the indexes of `memberships` repeat. $1 organisation, $2
 * default role or null, $3 whether mappings to OWNER are allowed.
 */
const BY_REASON: Record<MemberReason, string> = {
  manual: `manual_role IS NOT NULL AND NOT suspended AND NOT retained_last_owner
           AND (scim_role IS NULL OR manual_role > scim_role)`,
  mapping: `${BY_DIRECTORY} AND user_id IN (${MAPPED})`,
  default_role: `${BY_DIRECTORY} AND scim_role = $2 AND NOT EXISTS (${MAPPED} AND scim_users.user_id = memberships.user_id)`,
  deactivated: `suspended AND NOT retained_last_owner AND ${HAS_ENTRY}`,
  deleted: `suspended AND NOT retained_last_owner AND NOT ${HAS_ENTRY}`,
  last_owner: `retained_last_owner`,
};

/**
 * Looked up first: the planner might rather read all members in order and ask for each whether they are found.
 *
 * @param words the parameter with a `prefixQuery()`
 */
function named(words: string): string {
  return `user_id = ANY (ARRAY(
    SELECT id FROM users WHERE person_words(email, name) @@ to_tsquery('simple', ${words})
    UNION
    SELECT user_id FROM scim_users
    WHERE org_id = $1
      AND directory_words(org_id, user_name, display_name, attributes)
          @@ (quote_literal($1::uuid)::tsquery && to_tsquery('simple', ${words}))))`;
}

/**
 * A page of the members of an organisation, ordered by user id, each with the result of role resolution by the SQL that
 * the sync runs. Selects the page first and resolves the roles of these people only, however many there are.
 *
 * @param after the last member of the previous page
 * @returns the statement and its parameters
 */
export function memberPage(
  orgId: string,
  { defaultRole, allowOwnerMapping }: ScimSettings,
  { role, reason, words }: MemberFilter,
  after: string | null,
  take: number,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [orgId, defaultRole, allowOwnerMapping];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions: string[] = [];
  if (after !== null) conditions.push(`user_id > ${bind(after)}::uuid`);
  if (role !== undefined) conditions.push(`role = ${bind(role)}::organisation_role`);
  if (reason !== undefined) conditions.push(BY_REASON[reason]);
  if (words !== undefined) conditions.push(named(bind(words)));
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  const sql = `
  WITH page AS MATERIALIZED (
    SELECT user_id, role, manual_role, scim_role, suspended, retained_last_owner, created_at
    FROM memberships
    WHERE org_id = $1${where}
    ORDER BY user_id LIMIT ${bind(take)}
  ),
  ${outcomeFor('(SELECT array_agg(user_id) FROM page)')}
  SELECT page.*, users.email, ${personName()} AS name, users.claimed_at IS NOT NULL AS is_claimed,
         users.closed_at IS NOT NULL AS is_closed, outcome.scim_role AS resolved_role,
         outcome.suspended AS resolved_suspended, outcome.reason, outcome.mapping_id, outcome.group_id,
         scim_groups.display_name AS group_name
  FROM page
  JOIN users ON users.id = page.user_id
  LEFT JOIN outcome ON outcome.user_id = page.user_id
  LEFT JOIN scim_groups ON scim_groups.id = outcome.group_id
  ORDER BY page.user_id`;
  return { sql, parameters };
}
