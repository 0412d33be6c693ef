/** $1 id, $2 account, $3 digest, $4 now, $5 expiry. A new link replaces the former one. */
export const REPLACE_RESET = `
  INSERT INTO password_resets (id, user_id, digest, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (user_id) DO UPDATE
  SET id = excluded.id, digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at`;

/** $1 account, $2 digest, $3 expiry. The same for a link that a person asked for; one of an administrator stays. */
export const REPLACE_REQUESTED_RESET = `
  INSERT INTO requested_password_resets (user_id, digest, expires_at) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at`;

/** $1 digest, $2 now. */
export const FIND_RESET = `
  SELECT user_id FROM password_resets WHERE digest = $1 AND expires_at > $2
  UNION ALL
  SELECT user_id FROM requested_password_resets WHERE digest = $1 AND expires_at > $2`;

/** $1 digest, $2 now. Of two who use a link, one does. Returns a row if it worked. */
export const USE_RESET = `
  WITH given AS (DELETE FROM password_resets WHERE digest = $1 AND expires_at > $2 RETURNING user_id),
    requested AS (DELETE FROM requested_password_resets WHERE digest = $1 AND expires_at > $2 RETURNING user_id)
  SELECT user_id FROM given UNION ALL SELECT user_id FROM requested`;

/** $1 account. */
export const REMOVE_RESETS = `
  WITH given AS (DELETE FROM password_resets WHERE user_id = $1)
  DELETE FROM requested_password_resets WHERE user_id = $1`;

/** $1 now, $2 how many. */
export const REMOVE_EXPIRED_REQUESTS = `
  DELETE FROM requested_password_resets WHERE user_id IN (
    SELECT user_id FROM requested_password_resets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
    FOR UPDATE SKIP LOCKED)`;
