import { COUNTS, OUTCOME_WITH_MAPPINGS } from '../resolution/outcome.sql';

/** The mapping table of organisation $1, oldest first: if several wait for one name, the oldest is bound first. */
export const MAPPING_TABLE = `
  SELECT mapping.id, mapping.group_id, COALESCE(scim_groups.display_name, mapping.group_name) AS group_name,
         lower(COALESCE(scim_groups.display_name, mapping.group_name)) AS name_key, mapping.role
  FROM scim_role_mappings AS mapping
  LEFT JOIN scim_groups ON scim_groups.id = mapping.group_id
  WHERE mapping.org_id = $1 ORDER BY mapping.created_at, mapping.id`;

/**
 * The groups that a proposal refers to by ids ($2) or names ($3, ignoring case) in organisation $1: one row for each
 * group, and one without an id for each name that no group has. Mappings are bound by `lower` of the database, so
 * `name_key` is what names are compared by.
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
 * What a sync would do; run after `PLAN_FOR_EVERYBODY`. $1–$3 as in `outcome.sql.ts`, $4 the mappings, $5 the user id
 * to begin the page of changes after, or null, $6 how many at most.
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
