/** $1 id, $2 account, $3 digest, $4 now, $5 expiry. A new link replaces the former one. */
export const REPLACE_RESET = `
  INSERT INTO password_resets (id, user_id, digest, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (user_id) DO UPDATE
  SET id = excluded.id, digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at`;

/** $1 digest, $2 now. */
export const FIND_RESET = `SELECT user_id FROM password_resets WHERE digest = $1 AND expires_at > $2`;

/** $1 digest, $2 now. Of two who use a link, one does. */
export const USE_RESET = `DELETE FROM password_resets WHERE digest = $1 AND expires_at > $2`;

/** $1 account. */
export const REMOVE_RESET = `DELETE FROM password_resets WHERE user_id = $1`;
