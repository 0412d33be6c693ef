import { UUID_PATTERN } from '../../../database/id';
import { ENTERPRISE_URN } from '../urns';
import { USER_COLUMNS } from '../stored/stored-users.sql';

/** The comparisons of `compileFilter` with the value of a look-up, each of which has an index. */
export const BY_USER_NAME = `username_key(scim_users.user_name) COLLATE "C" = username_key(asked.value)`;
export const BY_EXTERNAL_ID = `scim_users.external_id COLLATE "C" = asked.value`;

/** `IS_OWN` for the organisation of a look-up. */
const isOwn = (orgId: string) => `(${orgId} = asked.org_id) IS TRUE`;

/** As `GROUPS_OF_USERS`. */
export const WITH_GROUPS = `
  (SELECT coalesce(json_agg(json_build_object('id', joined.id, 'displayName', joined.display_name) ORDER BY joined.id), '[]')
   FROM scim_group_members
   CROSS JOIN LATERAL (
     SELECT id, display_name FROM scim_groups WHERE id = scim_group_members.group_id AND ${isOwn('org_id')} LIMIT 1
   ) AS joined
   WHERE scim_group_members.scim_user_id = scim_users.id)`;

const STORED_MANAGER = `scim_users.attributes -> '${ENTERPRISE_URN}' -> 'manager' ->> 'value'`;

/** As `FIND_USER_MANAGERS`. */
export const WITH_MANAGER = `
  (SELECT json_build_object('id', boss.id, 'displayName', boss.display_name, 'isDeleted', boss.deleted_at IS NOT NULL)
   FROM scim_users AS boss
   WHERE boss.id = (CASE WHEN ${STORED_MANAGER} ~* '^${UUID_PATTERN}$' THEN (${STORED_MANAGER})::uuid END)
     AND ${isOwn('boss.org_id')})`;

/**
 * Several look-ups: $1 organisations, $2 values, $3 tokens. For each the users with that name or external id, with all
 * that a response shows of them, and whether the token exists: one row at least, without a user if there is none. One
 * statement sees one snapshot. `OFFSET 0` keeps a look-up from becoming a join, so that it uses an index however many
 * there are.
 *
 * Not named: a plan is kept, and the one from an organisation's first day would read all of it by the wrong index
 * years later. Planning takes 0.3 ms, the transaction that could prevent it more.
 */
export function lookUpUsers(condition: string, groups: string, manager: string): string {
  return `
  SELECT asked.place::int AS place, found.*,
         EXISTS (SELECT FROM scim_tokens WHERE scim_tokens.id = asked.token_id AND ${isOwn('scim_tokens.org_id')}) AS "isAdmitted"
  FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS asked (org_id, value, token_id, place)
  LEFT JOIN LATERAL (
    SELECT ${USER_COLUMNS}, ${groups} AS groups, ${manager} AS manager
    FROM scim_users WHERE scim_users.org_id = asked.org_id AND scim_users.deleted_at IS NULL AND ${condition}
    OFFSET 0
  ) AS found ON true`;
}
