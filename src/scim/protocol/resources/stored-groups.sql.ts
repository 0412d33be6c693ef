import { GREATEST_ID } from '../../../database/id';
import { IS_OWN } from './tenancy';

const GROUP_COLUMNS = `
  scim_groups.id, scim_groups.display_name AS "displayName", scim_groups.external_id AS "externalId",
  scim_groups.version, scim_groups.created_at AS "createdAt", scim_groups.updated_at AS "updatedAt"`;

/** Members that one statement reads at most. */
export const CHUNK = 10_000;

/** Members of all groups of a page together, unless it is of one group: what a list holds in memory. */
export const MOST_MEMBERS_OF_A_PAGE = 100_000;

/** $1 organisation, $2 ids. */
export const FIND = `
  SELECT found.* FROM unnest($2::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT ${GROUP_COLUMNS} FROM scim_groups WHERE scim_groups.id = wanted.id AND ${IS_OWN} LIMIT 1
  ) AS found`;

export const INSERT = `
  INSERT INTO scim_groups (org_id, id, display_name, external_id) VALUES ($1, $2, $3, $4) RETURNING ${GROUP_COLUMNS}`;

/** The clock's time: of two transactions, the one that began later may have got the organisation's lock first. */
export const UPDATE = `
  UPDATE scim_groups
  SET display_name = $3, external_id = $4, version = version + 1, updated_at = clock_timestamp()
  WHERE id = $2 AND ${IS_OWN}
  RETURNING ${GROUP_COLUMNS}`;

/** $1 organisation, $2 group. Its members go with it. */
export const DELETE = `DELETE FROM scim_groups WHERE id = $2 AND ${IS_OWN}`;

/**
 * $1 organisation, $2 group, $3 the member after whom to begin. Whose the members are is asked of the group, and they
 * are taken from the primary key, which the comparison of two columns leaves as the only way.
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

/** $1 organisation, $2 groups, who have few members. */
export const ALL_MEMBERS = `
  SELECT scim_group_members.group_id AS "groupId", member.*
  FROM scim_group_members
  CROSS JOIN LATERAL (
    SELECT id, user_name AS "userName", display_name AS "displayName"
    FROM scim_users WHERE id = scim_group_members.scim_user_id LIMIT 1
  ) AS member
  WHERE group_id = ANY (ARRAY(SELECT id FROM scim_groups WHERE id = ANY ($2::uuid[]) AND ${IS_OWN}))
  ORDER BY group_id, member.id`;

/** $1 groups. Beyond what a page may hold, there is no use in going on counting. */
export const SIZES = `
  SELECT page.id, size.members
  FROM unnest($1::uuid[]) AS page (id)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS members
    FROM (SELECT 1 FROM scim_group_members WHERE group_id = page.id LIMIT ${MOST_MEMBERS_OF_A_PAGE}) AS counted
  ) AS size`;
