const SHOWN = `
  id, name, prefix, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
  created_by AS "createdBy"`;

export const INSERT_TOKEN = `
  INSERT INTO scim_tokens (id, org_id, name, prefix, digest, created_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${SHOWN}`;

/** For each organisation, so that the provisioning log can tell who still calls with one. */
const REVOKED_KEPT = 100;

/** $1 organisation, $2 token. */
export const REVOKE_TOKEN = `
  WITH revoked AS (
    DELETE FROM scim_tokens WHERE org_id = $1 AND id = $2 RETURNING *
  ),
  kept AS (
    INSERT INTO revoked_scim_tokens (id, org_id, digest) SELECT id, org_id, digest FROM revoked
  ),
  forgotten AS (
    DELETE FROM revoked_scim_tokens WHERE id IN (
      SELECT id FROM revoked_scim_tokens WHERE org_id = $1 ORDER BY revoked_at DESC OFFSET ${REVOKED_KEPT - 1})
  )
  SELECT ${SHOWN} FROM revoked`;
