import { ENDPOINT_COLUMNS, ENDPOINT_DETAIL_COLUMNS } from './webhook-endpoint-list.sql';

export const INSERT = `
  INSERT INTO webhook_endpoints
    (id, org_id, owner_id, target_url, encrypted_query, description, is_active, event_types, encrypted_secret,
     encrypted_headers, rate_limit_per_second)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${ENDPOINT_DETAIL_COLUMNS}`;

/** Writes the row and `updated_at` only if something changes. */
export const UPDATE = `
  UPDATE webhook_endpoints
  SET target_url = $2, description = $3, is_active = $4, event_types = $5, encrypted_headers = $6,
      rate_limit_per_second = $7, encrypted_query = $8,
      disabled_reason = CASE WHEN $4 THEN NULL ELSE disabled_reason END,
      disabled_at = CASE WHEN $4 THEN NULL ELSE disabled_at END,
      -- Later than before by a millisecond at least, which is what a reader can see.
      updated_at = GREATEST(now(), updated_at + interval '1 millisecond')
  WHERE id = $1
    AND (target_url, description, is_active, event_types, encrypted_headers, rate_limit_per_second, encrypted_query)
        IS DISTINCT FROM ($2, $3, $4, $5, $6, $7, $8)
  RETURNING ${ENDPOINT_COLUMNS}`;
