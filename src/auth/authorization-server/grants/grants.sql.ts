import { UUID_PATTERN } from '../../../database/id';

/** $1 account, $2 the last one of the previous page, $3 how many. */
export const SELECT_GRANTS = `
  SELECT grants.id, grants.client_id, clients.name AS client_name, clients.source AS client_source, grants.digest, grants.payload, grants.created_at,
    grants.expires_at
  FROM oauth_artifacts AS grants LEFT JOIN oauth_clients AS clients
    ON clients.id = CASE WHEN grants.client_id ~ '^${UUID_PATTERN}$' THEN grants.client_id::uuid END
  WHERE grants.account_id = $1 AND grants.model = 'Grant' AND grants.expires_at > now()
    AND ($2::uuid IS NULL OR grants.id < $2)
  ORDER BY grants.id DESC LIMIT $3`;

/** $1 account, $2 grant. What was remembered of the person's consent to the client goes, too. */
export const REVOKE_GRANT = `
  WITH revoked AS (
    SELECT digest, client_id FROM oauth_artifacts WHERE account_id = $1 AND model = 'Grant' AND id = $2
  )
  DELETE FROM oauth_artifacts AS artifacts USING revoked
  WHERE artifacts.digest = revoked.digest OR artifacts.grant_digest = revoked.digest
    OR (artifacts.account_id = $1 AND artifacts.model = 'Consent' AND artifacts.client_id = revoked.client_id)`;
