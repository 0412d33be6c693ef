/**
 * Role mappings as shown to clients, ordered by id, with the size of each group counted for these rows only.
 * $1 organisation, $2 one mapping or null for all, $3 the id to begin after or null, $4 how many at most.
 */
export const ROLE_MAPPINGS = `
  SELECT page.*, CASE WHEN page.group_id IS NOT NULL THEN size.member_count END AS member_count
  FROM (
    SELECT mapping.id, mapping.group_id, COALESCE(scim_groups.display_name, mapping.group_name) AS group_name,
           mapping.role, COALESCE(scim_settings.allow_owner_mapping, false) AS allow_owner_mapping,
           mapping.created_at, mapping.updated_at
    FROM scim_role_mappings AS mapping
    LEFT JOIN scim_groups ON scim_groups.id = mapping.group_id
    LEFT JOIN scim_settings ON scim_settings.org_id = mapping.org_id
    WHERE mapping.org_id = $1 AND ($2::uuid IS NULL OR mapping.id = $2) AND ($3::uuid IS NULL OR mapping.id > $3)
    ORDER BY mapping.id LIMIT $4
  ) AS page
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS member_count FROM scim_group_members WHERE group_id = page.group_id
  ) AS size
  ORDER BY page.id`;

/** The groups of an organisation ($1) with a name ($2), ignoring case. One more than an error can list. */
export const GROUPS_NAMED = `
  SELECT id, display_name AS name FROM scim_groups
  WHERE org_id = $1 AND lower(display_name) COLLATE "C" = lower($2)
  ORDER BY id LIMIT 11`;

/** The accounts of the members of a group ($2) of an organisation ($1). */
export const ACCOUNTS_IN_GROUP = `
  SELECT DISTINCT scim_users.user_id
  FROM scim_group_members JOIN scim_users ON scim_users.id = scim_group_members.scim_user_id
  WHERE scim_group_members.group_id = $2 AND scim_users.org_id = $1`;
