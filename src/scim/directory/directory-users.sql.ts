import { agreementTo } from './directory-consent';
import { outcomeFor } from '../roles/resolution/outcome.sql';

/**
 * The primary address of a user of the directory, or the first one, as identity providers show it. The one that links the
 * account may be another: it prefers the type work, and skips what is not an address (`protocol/users/account-link.ts`).
 */
export const DIRECTORY_EMAIL = `
  (SELECT email ->> 'value' FROM jsonb_array_elements(attributes -> 'emails') WITH ORDINALITY AS list (email, place)
   ORDER BY (email -> 'primary' = 'true') IS TRUE DESC, place LIMIT 1)`;

/** A user of the directory as shown to clients; without deleted ones. $1 organisation. */
const DIRECTORY_USERS = `
  SELECT id, user_id, account_note, user_name, display_name, external_id, active, created_at, updated_at,
         username_key(user_name) AS position,
         ${DIRECTORY_EMAIL} AS email, ${agreementTo('scim_users')} AS is_agreed_to
  FROM scim_users
  WHERE org_id = $1 AND deleted_at IS NULL`;

/** One of them: $2. */
export const ONE_USER = `${DIRECTORY_USERS} AND id = $2`;

/** The filter of a list of users, as its cursors carry it. */
export interface UserFilter {
  active?: string;
  /** A prefix of the `userName`. */
  user_name?: string;
  email?: string;
  external_id?: string;
}

/**
 * A page of users by normalized name, then by id: the index of the names returns every page in order.
 *
 * @param after the name and the id of the last user of the previous page
 * @returns the statement and its parameters
 */
export function userPage(
  orgId: string,
  filter: UserFilter,
  after: readonly [name: string, id: string] | null,
  take: number,
): { sql: string; parameters: unknown[] } {
  const parameters: unknown[] = [orgId];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions: string[] = [];
  if (filter.active !== undefined) conditions.push(`active = ${bind(filter.active)}::boolean`);
  if (filter.user_name !== undefined)
    conditions.push(`username_key(user_name) COLLATE "C" ^@ username_key(${bind(filter.user_name)})`);
  // Looked up first, since there are only a few; the planner might rather scan all names in order.
  if (filter.email !== undefined) {
    conditions.push(`id = ANY (ARRAY(
      SELECT id FROM scim_users WHERE org_id = $1 AND deleted_at IS NULL
        AND scim_email_keys(attributes) @> ARRAY[address_key(${bind(filter.email)})]))`);
  }
  if (filter.external_id !== undefined) conditions.push(`external_id COLLATE "C" = ${bind(filter.external_id)}`);
  if (after) conditions.push(`(username_key(user_name) COLLATE "C", id) > (${bind(after[0])}, ${bind(after[1])})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return {
    sql: `${DIRECTORY_USERS}${where} ORDER BY username_key(user_name) COLLATE "C", id LIMIT ${bind(take)}`,
    parameters,
  };
}

/**
 * The result of role resolution for some accounts, with the SQL that the sync runs, and the effective role.
 * $1 organisation, $2 default role or null, $3 whether mappings to OWNER are allowed, $4 account ids.
 */
export const ROLES_OF = `
  WITH ${outcomeFor('$4')}
  SELECT user_id AS account_id, role_before AS role, manual_role, scim_role, suspended,
         COALESCE(retained_before, false) AS retained_last_owner, reason, mapping_id, group_id
  FROM outcome WHERE user_id = ANY ($4::uuid[])`;

/** The groups of a user ($2) of an organisation ($1). */
export const GROUPS_OF_USER = `
  SELECT scim_groups.id, scim_groups.display_name, scim_group_members.created_at AS since,
         mapping.id AS mapping_id, mapping.role
  FROM scim_group_members
  JOIN scim_groups ON scim_groups.id = scim_group_members.group_id
  LEFT JOIN scim_role_mappings AS mapping ON mapping.group_id = scim_groups.id
  WHERE scim_group_members.scim_user_id = $2 AND scim_groups.org_id = $1
  ORDER BY lower(scim_groups.display_name) COLLATE "C", scim_groups.id`;
