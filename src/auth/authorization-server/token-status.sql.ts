/**
 * $1 digest of the grant or null, $2 digest of the denied token, $3 account or null, $4 client or null. A token of a
 * client for itself has neither grant nor account; clients with metadata documents have no row.
 */
export const TOKEN_STATUS = {
  name: 'access token status',
  sql: `
  SELECT ($1::bytea IS NULL OR EXISTS (SELECT FROM oauth_artifacts WHERE digest = $1 AND expires_at > now()))
    AND NOT EXISTS (SELECT FROM oauth_artifacts WHERE digest = $2)
    AND ($3::uuid IS NULL OR EXISTS (SELECT FROM users WHERE id = $3 AND closed_at IS NULL))
    AND ($4::uuid IS NULL OR EXISTS (SELECT FROM oauth_clients WHERE id = $4)) AS is_active`,
};

/** Of several tokens; $1 digests of their grants, $2 of the denied tokens, $3 clients: each may be null. In their order. */
export const TOKENS_ACTIVE = {
  name: 'access tokens active',
  sql: `
  SELECT (asked.granted IS NULL OR EXISTS (
           SELECT FROM oauth_artifacts WHERE digest = asked.granted AND expires_at > now()))
    AND NOT EXISTS (SELECT FROM oauth_artifacts WHERE digest = asked.denied)
    AND (asked.client_id IS NULL OR EXISTS (SELECT FROM oauth_clients WHERE id = asked.client_id)) AS is_active
  FROM unnest($1::bytea[], $2::bytea[], $3::uuid[]) WITH ORDINALITY AS asked(granted, denied, client_id, place)
  ORDER BY place`,
};
