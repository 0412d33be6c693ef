/** $1 digest, $2 expiry. One of two concurrent deliveries inserts it. */
export const RECEIVE = `
  INSERT INTO sso_logout_tokens (digest, expires_at) VALUES ($1, $2)
  ON CONFLICT ON CONSTRAINT sso_logout_tokens_pkey DO NOTHING`;

/** $1 now, $2 how many. */
export const REMOVE_EXPIRED = `
  DELETE FROM sso_logout_tokens WHERE digest IN (
    SELECT digest FROM sso_logout_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
