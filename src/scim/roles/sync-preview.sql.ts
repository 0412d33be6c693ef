import { COUNTS, OUTCOME_WITH_MAPPINGS } from './outcome.sql';

/** The mapping table of organisation $1, the oldest first: it is bound first, where several wait for one name. */
export const MAPPINGS = `
  SELECT mapping.id, mapping.group_id, COALESCE(scim_groups.display_name, mapping.group_name) AS group_name,
         lower(COALESCE(scim_groups.display_name, mapping.group_name)) AS name_key, mapping.role
  FROM scim_role_mappings AS mapping
  LEFT JOIN scim_groups ON scim_groups.id = mapping.group_id
  WHERE mapping.org_id = $1 ORDER BY mapping.created_at, mapping.id`;

/**
 * What organisation $1 has under ids ($2) and names ($3, in any case of letters) of groups: each group; and each name that
 * no group has, without an id. `name_key` is what names are compared by, as mappings are bound by the database's `lower`.
 */
export const REFERRED_GROUPS = `
  SELECT id::text AS reference, id, display_name AS name, lower(display_name) AS name_key
  FROM scim_groups WHERE org_id = $1 AND id = ANY ($2::uuid[])
  UNION ALL
  SELECT reference, scim_groups.id, COALESCE(display_name, reference), lower(reference)
  FROM (SELECT DISTINCT unnest($3::text[]) AS reference) AS given
  LEFT JOIN scim_groups ON org_id = $1 AND lower(display_name) COLLATE "C" = lower(reference) COLLATE "C"
  ORDER BY id`;

/**
 * What a sync would do, to be run after `PLAN_FOR_EVERYBODY`. $1–$3 as in `outcome.sql.ts`, $4 the mappings, $5 the user
 * id after which the page of changes begins or null, $6 how many at most.
 */
export const PREVIEW = `
  WITH ${OUTCOME_WITH_MAPPINGS}
  SELECT ${COUNTS},
         (SELECT count(*)::int FROM memberships WHERE org_id = $1 AND role IS NOT NULL) AS members,
         (SELECT COALESCE(jsonb_agg(to_jsonb(page) ORDER BY id), '[]') FROM (
            SELECT user_id AS id, change, role_before, role AS role_after, reason, mapping_id, group_id
            FROM outcome WHERE change <> 'unchanged' AND ($5::uuid IS NULL OR user_id > $5)
            ORDER BY user_id LIMIT $6) AS page) AS changes
  FROM outcome`;
