import { GREATEST_ID } from '../../../database/id';
import { IS_OWN } from '../tenancy';

const GROUP_COLUMNS = `
  scim_groups.id, scim_groups.display_name AS "displayName", scim_groups.external_id AS "externalId",
  scim_groups.version, scim_groups.created_at AS "createdAt", scim_groups.updated_at AS "updatedAt"`;

/** Maximum number of members read by one statement. */
export const CHUNK = 10_000;

/**
 * Maximum number of members of all groups of a page, unless it has one group: this much of a list is held in memory.
 */
export const MAX_MEMBERS_OF_A_PAGE = 100_000;

/** $1 organisation, $2 ids. */
export const FIND_GROUP = `
  SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT ${GROUP_COLUMNS} FROM scim_groups WHERE scim_groups.id = wanted.id AND ${IS_OWN} LIMIT 1
  ) AS found`;

export const INSERT_GROUP = `
  INSERT INTO scim_groups (org_id, id, display_name, external_id) VALUES ($1, $2, $3, $4) RETURNING ${GROUP_COLUMNS}`;

/** $1 organisation, $2 id. For a transaction that holds the directory's lock. */
export const FIND_GROUP_TO_CHANGE = {
  name: 'group to change',
  sql: `SELECT ${GROUP_COLUMNS} FROM scim_groups WHERE id = $2 AND ${IS_OWN}`,
};

/** The clock's time: of two transactions, the one that began later may have acquired the organisation's lock first. */
export const UPDATE_GROUP = {
  name: 'change a group',
  sql: `
  UPDATE scim_groups
  SET display_name = $3, external_id = $4, version = version + 1, updated_at = clock_timestamp()
  WHERE id = $2 AND ${IS_OWN}
  RETURNING ${GROUP_COLUMNS}`,
};

/** $1 organisation, $2 group. Its members are deleted by cascade. */
export const DELETE_GROUP = `DELETE FROM scim_groups WHERE id = $2 AND ${IS_OWN}`;

/**
 * $1 organisation, $2 group, $3 the member to begin after. The organisation is checked on the group, and the members
 * are read by the primary key, which the row comparison leaves as the only option.
 */
export const NEXT_MEMBERS = `
  SELECT chunk.group_id AS "groupId", member.*
  FROM (
    SELECT group_id, scim_user_id FROM scim_group_members
    WHERE (group_id, scim_user_id) > ($2, $3) AND (group_id, scim_user_id) <= ($2, '${GREATEST_ID}')
      AND EXISTS (SELECT 1 FROM scim_groups WHERE id = $2 AND ${IS_OWN})
    ORDER BY group_id, scim_user_id LIMIT ${CHUNK}
  ) AS chunk
  CROSS JOIN LATERAL (
    SELECT id, user_name AS "userName", display_name AS "displayName"
    FROM scim_users WHERE id = chunk.scim_user_id LIMIT 1
  ) AS member
  ORDER BY chunk.group_id, chunk.scim_user_id`;

/** $1 organisation, $2 groups with few members. */
export const ALL_MEMBERS = `
  SELECT scim_group_members.group_id AS "groupId", member.*
  FROM scim_group_members
  CROSS JOIN LATERAL (
    SELECT id, user_name AS "userName", display_name AS "displayName"
    FROM scim_users WHERE id = scim_group_members.scim_user_id LIMIT 1
  ) AS member
  WHERE group_id = ANY (ARRAY(SELECT id FROM scim_groups WHERE id = ANY ($2::uuid[]) AND ${IS_OWN}))
  ORDER BY group_id, member.id`;

/** $1 groups. Stops counting at what a page can hold. */
export const GROUP_SIZES = `
  SELECT page.id, size.members
  FROM unnest($1::uuid[]) AS page (id)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS members
    FROM (SELECT 1 FROM scim_group_members WHERE group_id = page.id LIMIT ${MAX_MEMBERS_OF_A_PAGE}) AS counted
  ) AS size`;
