import { ENTERPRISE_URN } from '../urns';
import { IS_OWN } from '../tenancy';
import { USER_COLUMNS } from '../users/stored-users.sql';

/** The comparisons of `compileFilter` with $2, each of which has an index. */
export const BY_USER_NAME = `username_key(scim_users.user_name) COLLATE "C" = username_key($2::text)`;
export const BY_EXTERNAL_ID = `scim_users.external_id COLLATE "C" = $2::text`;

/** As `GROUPS_OF_USERS`. */
export const WITH_GROUPS = `
  (SELECT coalesce(json_agg(json_build_object('id', joined.id, 'displayName', joined.display_name) ORDER BY joined.id), '[]')
   FROM scim_group_members
   CROSS JOIN LATERAL (
     SELECT id, display_name FROM scim_groups WHERE id = scim_group_members.group_id AND ${IS_OWN} LIMIT 1
   ) AS joined
   WHERE scim_group_members.scim_user_id = scim_users.id)`;

const STORED_MANAGER = `scim_users.attributes -> '${ENTERPRISE_URN}' -> 'manager' ->> 'value'`;
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** As `FIND_USER_MANAGERS`. */
export const WITH_MANAGER = `
  (SELECT json_build_object('id', boss.id, 'displayName', boss.display_name, 'isDeleted', boss.deleted_at IS NOT NULL)
   FROM scim_users AS boss
   WHERE boss.id = (CASE WHEN ${STORED_MANAGER} ~* '${UUID}' THEN (${STORED_MANAGER})::uuid END)
     AND (boss.org_id = $1) IS TRUE)`;

/**
 * $1 organisation, $2 the value, $3 token. The users with a name or an external id, with all that a response shows of
 * them, and whether the token exists: one row at least, without a user if there is none. One statement sees one snapshot.
 *
 * Not named: a plan is kept, and the one from an organisation's first day would read all of it by the wrong index
 * years later. Planning takes 0.3 ms, the transaction that could prevent it more.
 */
export function lookUpUsers(condition: string, groups: string, manager: string): string {
  return `
  SELECT EXISTS (SELECT FROM scim_tokens WHERE scim_tokens.id = $3 AND scim_tokens.org_id = $1) AS "isAdmitted", found.*
  FROM (SELECT) AS always
  LEFT JOIN LATERAL (
    SELECT ${USER_COLUMNS}, ${groups} AS groups, ${manager} AS manager
    FROM scim_users WHERE scim_users.org_id = $1 AND scim_users.deleted_at IS NULL AND ${condition}
  ) AS found ON true`;
}
