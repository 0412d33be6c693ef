const RETURNING = `
  RETURNING mapping.id, mapping.role, mapping.group_id, mapping.group_name,
            before.group_id AS group_id_before, before.group_name AS group_name_before`;

/** $1 organisation, $2 group, $3 its name. The date from which it gives its role does not change. */
export const RENAME = `
  UPDATE scim_role_mappings AS mapping SET group_name = $3
  FROM scim_role_mappings AS before
  WHERE mapping.org_id = $1 AND mapping.group_id = $2 AND mapping.group_name <> $3 AND before.id = mapping.id
  ${RETURNING}`;

/**
 * $1 organisation, $2 group, $3 its name. Of several mappings waiting for the name the oldest; none if the group is
 * mapped.
 */
export const BIND = `
  UPDATE scim_role_mappings AS mapping SET group_id = $2, group_name = $3, updated_at = clock_timestamp()
  FROM (
    SELECT id, group_id, group_name FROM scim_role_mappings
    WHERE org_id = $1 AND group_id IS NULL AND lower(group_name) = lower($3)
      AND NOT EXISTS (SELECT 1 FROM scim_role_mappings WHERE group_id = $2)
    ORDER BY created_at, id LIMIT 1
  ) AS before
  WHERE mapping.id = before.id
  ${RETURNING}`;

/** $1 organisation, $2 group. */
export const RELEASE = `
  UPDATE scim_role_mappings AS mapping SET group_id = NULL, updated_at = clock_timestamp()
  FROM scim_role_mappings AS before
  WHERE mapping.org_id = $1 AND mapping.group_id = $2 AND before.id = mapping.id
  ${RETURNING}`;
