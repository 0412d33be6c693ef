import type { Statement } from '../../database/statements';

/** Columns of `SessionRow`. */
const COLUMNS = `sessions.id, sessions.user_id, users.email, users.name, users.is_platform_admin, sessions.methods,
  sessions.signed_in_at, sessions.proved_at, sessions.last_seen_at, sessions.expires_at, sessions.identity_issuer,
  sessions.identity_subject, sessions.identity_email, sessions.identity_email_state`;

/** $1 digest, $2 now, $3 the oldest `last_seen_at` of a session that is not idle. */
export const FIND_SESSION: Statement = {
  name: 'session_find',
  sql: `
    SELECT ${COLUMNS}
    FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE sessions.digest = $1 AND sessions.expires_at > $2 AND sessions.last_seen_at > $3 AND users.closed_at IS NULL`,
};

/** $1 session, $2 now, $3 the threshold. Never waits for a concurrent request of the same browser. */
export const TOUCH_SESSION = `
  UPDATE sessions SET last_seen_at = $2 WHERE id = (
    SELECT id FROM sessions WHERE id = $1 AND last_seen_at <= $3 FOR NO KEY UPDATE SKIP LOCKED)`;

/** $1 person, $2 how many to keep. The least recently used ones end, so that a script cannot pile them up. */
export const END_LEAST_USED = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET $2)`;

/** $1 issuer, $2 subject, $3 session id of the provider, or null. Includes sessions of which it gave no id. */
export const END_OF_SUBJECT = `
  DELETE FROM sessions
  WHERE identity_issuer = $1 AND identity_subject = $2 AND ($3::text IS NULL OR coalesce(identity_sid, $3) = $3)
  RETURNING user_id`;

/** $1 issuer, $2 session id of the provider. */
export const END_OF_SID = `DELETE FROM sessions WHERE identity_issuer = $1 AND identity_sid = $2 RETURNING user_id`;

/** $1 person, $2 now, $3 the oldest `last_seen_at` of a session that is not idle, $4 id to begin after, $5 how many. */
export const LIST_SESSIONS: Statement = {
  name: 'session_list',
  sql: `
    SELECT id, device, address, methods, signed_in_at, last_seen_at, expires_at
    FROM sessions
    WHERE user_id = $1 AND expires_at > $2 AND last_seen_at > $3 AND ($4::uuid IS NULL OR id < $4)
    ORDER BY id DESC LIMIT $5`,
};

/** $1 digest. */
export const END_SESSION = `DELETE FROM sessions WHERE digest = $1 RETURNING user_id`;

/** $1 person, $2 session; null for all of them. */
export const END_SESSIONS_OF = `
  DELETE FROM sessions WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) RETURNING id`;

/** $1 person, $2 the session that goes on. */
export const END_OTHERS = `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id`;

/**
 * $1 now, $2 the oldest `last_seen_at` of a session that is not idle, $3 until when they are claimed, $4 how many of each
 * kind. What another process has claimed is left to it.
 */
export const CLAIM_ENDED = `
  WITH expired AS (
    SELECT id FROM sessions WHERE expires_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
    ORDER BY expires_at LIMIT $4 FOR UPDATE SKIP LOCKED
  ), idle AS (
    SELECT id FROM sessions WHERE last_seen_at <= $2 AND (leased_until IS NULL OR leased_until <= $1)
    ORDER BY last_seen_at LIMIT $4 FOR UPDATE SKIP LOCKED
  )
  UPDATE sessions SET leased_until = $3 WHERE id IN (SELECT id FROM expired UNION SELECT id FROM idle) RETURNING id`;

/** $1 sessions, $2 until when they were claimed. Those that another process has claimed since are its own. */
export const REMOVE_CLAIMED = `DELETE FROM sessions WHERE id = ANY($1) AND leased_until = $2`;
