/** A row as the adapter reads it. */
export interface ArtifactRow {
  digest: Buffer;
  payload: Buffer;
  consumed_at: Date | null;
  expires_at: Date;
  session_id: string | null;
}

const COLUMNS = 'digest, payload, consumed_at, expires_at, session_id';

/** $1 digest. */
export const FIND = { name: 'find artifact', sql: `SELECT ${COLUMNS} FROM oauth_artifacts WHERE digest = $1` };

/** $1 digests of the user code, one for each key. Codes may repeat over time; the newest one counts. */
export const FIND_BY_USER_CODE = {
  name: 'find artifact by user code',
  sql: `SELECT ${COLUMNS} FROM oauth_artifacts WHERE user_code_digest = ANY ($1) ORDER BY id DESC LIMIT 1`,
};

/** $1 digest of the uid. */
export const FIND_BY_UID = {
  name: 'find artifact by uid',
  sql: `SELECT ${COLUMNS} FROM oauth_artifacts WHERE uid_digest = $1 ORDER BY id DESC LIMIT 1`,
};

/** $1 session of the console. */
export const FIND_BY_SESSION = {
  name: 'find artifact by session',
  sql: `SELECT ${COLUMNS} FROM oauth_artifacts WHERE session_id = $1 AND expires_at > now() ORDER BY id DESC LIMIT 1`,
};

/** $1 sessions of the console. The newest one of each. */
export const FIND_BY_SESSIONS = `
  SELECT DISTINCT ON (session_id) ${COLUMNS} FROM oauth_artifacts
  WHERE session_id = ANY($1) AND expires_at > now() ORDER BY session_id, id DESC`;

/**
 * $1 digest, $2 id, $3 model, $4 digest of the grant, $5 of the user code, $6 of the uid, $7 account, $8 client,
 * $9 payload, $10 seconds to live, $11 session of the console. A device code is saved again by those who do not know its user code, which then
 * stays. A grant lives as long as its last refresh token.
 */
export const SAVE = {
  name: 'save artifact',
  sql: `
  WITH saved AS (
    INSERT INTO oauth_artifacts (digest, id, model, grant_digest, user_code_digest, uid_digest, account_id, client_id,
      payload, expires_at, session_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
    ON CONFLICT (digest) DO UPDATE SET grant_digest = excluded.grant_digest, uid_digest = excluded.uid_digest,
      user_code_digest = coalesce(excluded.user_code_digest, oauth_artifacts.user_code_digest),
      account_id = excluded.account_id, client_id = excluded.client_id, payload = excluded.payload,
      session_id = excluded.session_id,
      expires_at = excluded.expires_at
    RETURNING model, grant_digest, expires_at
  )
  UPDATE oauth_artifacts AS parent SET expires_at = saved.expires_at FROM saved
  WHERE saved.model = 'RefreshToken' AND parent.digest = saved.grant_digest AND parent.expires_at < saved.expires_at`,
};

/** The same parameters; changes nothing if the row exists. */
export const SAVE_ONCE = {
  name: 'save artifact once',
  sql: `
  INSERT INTO oauth_artifacts (digest, id, model, grant_digest, user_code_digest, uid_digest, account_id, client_id,
    payload, expires_at, session_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10), $11)
  ON CONFLICT (digest) DO NOTHING`,
};

/** $1 digest. Of several processes, one changes the row. */
export const CONSUME = {
  name: 'consume artifact',
  sql: `UPDATE oauth_artifacts SET consumed_at = now() WHERE digest = $1 AND consumed_at IS NULL`,
};

/** $1 digest of a grant or of anything else. */
export const DELETE = { name: 'delete artifact', sql: `DELETE FROM oauth_artifacts WHERE digest = $1` };

/** $1 model, $2 digest of the grant. */
export const DELETE_OF_GRANT = {
  name: 'delete artifacts of grant',
  sql: `DELETE FROM oauth_artifacts WHERE grant_digest = $2 AND model = $1`,
};

/** $1 digest of an artifact that was used twice or revoked: its grant goes, with everything that belongs to it. */
export const DELETE_FAMILY = `
  WITH reused AS (SELECT grant_digest FROM oauth_artifacts WHERE digest = $1)
  DELETE FROM oauth_artifacts USING reused
  WHERE oauth_artifacts.digest = reused.grant_digest OR oauth_artifacts.grant_digest = reused.grant_digest
  RETURNING reused.grant_digest`;

/** $1 how many at most. */
export const DELETE_EXPIRED = `
  DELETE FROM oauth_artifacts WHERE digest IN (
    SELECT digest FROM oauth_artifacts WHERE expires_at < now() ORDER BY expires_at LIMIT $1
  )`;
