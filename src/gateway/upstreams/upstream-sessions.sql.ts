import type { PreparedStatement } from '../../database/prepared';

/** A session that no one has used for so long is over. */
const IDLE = `interval '30 minutes'`;
/** Within this time a process has begun a session, or it has died. Longer than `UpstreamLimits.pageMs` and `noteMs` together. */
const CLAIM = `interval '20 seconds'`;
/** Within this time a process renews what it listens to. */
export const LEASE = `interval '30 seconds'`;
/** Sessions of one principal: each needs another entry, or another set of capabilities. */
const MAX_OF_PRINCIPAL = 500;

/** Sessions of clients that are remembered to use a session; of more of them none is known any more to be the last. */
const MAX_HOLDERS = 64;

/** These columns of `upstreams` are an `AddressRow`. */
export const ADDRESS = `upstreams.id, upstreams.url, upstreams.headers, upstreams.credential_id, upstreams.fills,
  (SELECT credentials.version FROM credentials WHERE credentials.id = upstreams.credential_id) AS credential_version`;

const KEY = `principal = $1 AND entry_id = $2 AND upstream_id = $3 AND capabilities = $4`;

/** $1–$4 the key. An empty revision: a process is about to begin it. */
export const FIND_SESSION: PreparedStatement = {
  name: 'gateway_find_session',
  sql: `
  SELECT revision, session_id FROM upstream_sessions
  WHERE ${KEY} AND (revision = '' OR used_at > now() - ${IDLE})`,
};

/**
 * $1–$4 the key, $5 whether the session $6 was lost. Returns a row if it is up to the caller to begin it: there is none, it is
 * over or lost, or the process that was about to begin it has died. None if the upstream is gone.
 */
export const CLAIM_SESSION = `
  INSERT INTO upstream_sessions AS sessions (principal, entry_id, upstream_id, capabilities, revision, session_id, used_at)
  SELECT $1::text, $2::uuid, $3::uuid, $4::bytea, '', NULL, now()
  WHERE (SELECT count(*) FROM (SELECT FROM upstream_sessions AS others
                               WHERE others.principal = $1 AND others.used_at > now() - ${IDLE}
                                 AND (others.entry_id, others.upstream_id, others.capabilities) <> ($2::uuid, $3::uuid, $4::bytea)
                               LIMIT ${MAX_OF_PRINCIPAL}) AS his)
    < ${MAX_OF_PRINCIPAL} AND EXISTS (SELECT FROM upstreams WHERE upstreams.id = $3)
  ON CONFLICT (principal, entry_id, upstream_id, capabilities) DO UPDATE
    SET revision = '', session_id = NULL, log_level = NULL, used_at = now(),
        holders = CASE WHEN sessions.used_at <= now() - ${IDLE} THEN '{}' ELSE sessions.holders END
    WHERE CASE WHEN sessions.revision = '' THEN sessions.used_at <= now() - ${CLAIM}
               ELSE sessions.used_at <= now() - ${IDLE}
                 OR ($5::boolean AND sessions.session_id IS NOT DISTINCT FROM $6::bytea) END
  RETURNING used_at`;

/** $1 upstream: one whose credential has changed is gone. */
export const IS_THERE = `SELECT EXISTS (SELECT FROM upstreams WHERE id = $1) AS there`;

/** $1–$4 the key, $5 when it was claimed, $6 the revision, $7 the sealed id. */
export const FINISH_SESSION = `
  UPDATE upstream_sessions SET revision = $6, session_id = $7, used_at = now()
  WHERE ${KEY} AND revision = '' AND used_at = $5`;

/** $1–$4 the key, $5 when it was claimed. */
export const RELEASE_SESSION = `DELETE FROM upstream_sessions WHERE ${KEY} AND revision = '' AND used_at = $5`;

/** How a row looks whose process has died while it began the session: the next one begins it, and those who use it are kept. */
const LOST = `revision = '', session_id = NULL, log_level = NULL, used_at = now() - ${CLAIM}`;

/** $1–$4 the key, $5 the sealed id of a session that is lost, $6 its name. Notifies every process if it is the present one. */
export const DROP_SESSION = `
  WITH dropped AS (
    UPDATE upstream_sessions SET ${LOST}
    WHERE ${KEY} AND revision <> '' AND session_id IS NOT DISTINCT FROM $5::bytea RETURNING principal
  )
  SELECT pg_notify('toolyard_upstream_sessions', $6::text) FROM dropped`;

/** $1 entries, $2 upstreams, $3 how many at most: forgets their sessions, and notifies every process of the entries. */
export const FORGET_SESSIONS = `
  WITH known AS (
    SELECT principal, entry_id, upstream_id, capabilities, revision, session_id FROM upstream_sessions
    WHERE upstream_id = ANY ($2::uuid[]) AND entry_id = ANY ($1::uuid[]) AND revision <> '' LIMIT $3 FOR UPDATE SKIP LOCKED
  ), forgotten AS (
    UPDATE upstream_sessions AS sessions SET ${LOST} FROM known
    WHERE sessions.principal = known.principal AND sessions.entry_id = known.entry_id
      AND sessions.upstream_id = known.upstream_id AND sessions.capabilities = known.capabilities
    RETURNING known.*
  ), notified AS (
    SELECT pg_notify('toolyard_upstream_sessions', entry_id::text) FROM (SELECT DISTINCT entry_id FROM forgotten) AS entries
  )
  SELECT forgotten.*, ${ADDRESS}, (SELECT count(*) FROM notified)::int AS notices
  FROM forgotten JOIN upstreams ON upstreams.id = upstream_id`;

/**
 * $1–$4 the key, $5 the sealed id, $6 the level of a client without a session or null. Returns the most verbose level of the
 * clients that use it, if it was set to another one. Where others may use it whose sessions no one knows, it is not made less
 * verbose.
 */
export const SET_LEVEL = `
  WITH present AS (
    SELECT holders, log_level FROM upstream_sessions
    WHERE ${KEY} AND revision <> '' AND session_id IS NOT DISTINCT FROM $5::bytea FOR UPDATE
  ), wanted AS (
    SELECT least(
      (SELECT min(level) FROM client_log_levels WHERE session = ANY (present.holders) AND expires_at > now()),
      $6::smallint, CASE WHEN ''::bytea = ANY (holders) THEN log_level END) AS level
    FROM present
  )
  UPDATE upstream_sessions SET log_level = wanted.level FROM wanted
  WHERE ${KEY} AND wanted.level IS NOT NULL AND log_level IS DISTINCT FROM wanted.level
  RETURNING log_level`;

/** $1–$4 the key, $5 the sealed id: it was not set to the level. */
export const FORGET_LEVEL = `
  UPDATE upstream_sessions SET log_level = NULL WHERE ${KEY} AND session_id IS NOT DISTINCT FROM $5::bytea`;

/** $1 principal, $2 the key of a client's session, $3 how many at most. */
export const HELD_SESSIONS = `
  SELECT sessions.*, ${ADDRESS}
  FROM (SELECT principal, entry_id, upstream_id, capabilities, revision, session_id FROM upstream_sessions
        WHERE principal = $1 AND $2::bytea = ANY (holders) AND revision <> '' LIMIT $3) AS sessions
  JOIN upstreams ON upstreams.id = upstream_id`;

/** $1–$4 the key. */
export const TOUCH_SESSION = `UPDATE upstream_sessions SET used_at = now() WHERE ${KEY} AND revision <> ''`;

/**
 * $1–$4 the key, $5 the key of the client's session, $6 the sealed id: that session of a client uses it. Changes no row if it
 * is not the present session any more.
 */
export const HOLD_SESSION: PreparedStatement = {
  name: 'gateway_hold_session',
  sql: `
  UPDATE upstream_sessions SET used_at = now(),
    holders = CASE WHEN $5::bytea = ANY (holders) THEN holders
                   WHEN cardinality(holders) >= ${MAX_HOLDERS} THEN ARRAY[''::bytea]
                   ELSE array_append(holders, $5::bytea) END
  WHERE ${KEY} AND revision <> '' AND session_id IS NOT DISTINCT FROM $6::bytea`,
};

/**
 * $1 principal, $2 the key of a client's session, which has ended: returns the sessions that no one else has used, and
 * forgets them. Where two end at the same moment, what both have used may stay until it is idle.
 */
export const LEAVE_SESSIONS = `
  WITH left_to_others AS (
    UPDATE upstream_sessions SET holders = array_remove(holders, $2::bytea)
    WHERE principal = $1 AND $2::bytea = ANY (holders) AND holders <> ARRAY[$2::bytea]
  ), gone AS (
    DELETE FROM upstream_sessions WHERE principal = $1 AND holders = ARRAY[$2::bytea] AND revision <> ''
    RETURNING principal, entry_id, upstream_id, capabilities, revision, session_id
  )
  SELECT gone.*, ${ADDRESS} FROM gone JOIN upstreams ON upstreams.id = upstream_id`;

/** $1–$4 the key. */
export const SESSION_TO_ANSWER = `
  SELECT revision, session_id, ${ADDRESS}
  FROM (SELECT upstream_id, revision, session_id FROM upstream_sessions
        WHERE ${KEY} AND revision <> '' AND used_at > now() - ${IDLE}) AS sessions
  JOIN upstreams ON upstreams.id = upstream_id`;

/** $1 how many at most. */
export const REMOVE_IDLE = `
  WITH idle AS (
    SELECT principal, entry_id, upstream_id, capabilities FROM upstream_sessions
    WHERE used_at <= now() - ${IDLE} ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM upstream_sessions AS sessions USING idle
    WHERE sessions.principal = idle.principal AND sessions.entry_id = idle.entry_id
      AND sessions.upstream_id = idle.upstream_id AND sessions.capabilities = idle.capabilities
    RETURNING sessions.principal, sessions.entry_id, sessions.upstream_id, sessions.capabilities, sessions.revision,
              sessions.session_id
  )
  SELECT gone.*, ${ADDRESS} FROM gone JOIN upstreams ON upstreams.id = upstream_id`;

/**
 * What a process listens to is in this table as well: a session of our own for each upstream, with the key of the process
 * in place of its id. $1 our principal, $2 no entry, $3 no capabilities, $4 the process, $5 upstreams. Returns those that
 * are this process's now.
 */
export const LEASE_LISTENING = `
  INSERT INTO upstream_sessions AS leases (principal, entry_id, upstream_id, capabilities, revision, session_id, used_at)
  SELECT $1::text, $2::uuid, id, $3::bytea, '', $4::bytea, now() FROM upstreams WHERE id = ANY ($5::uuid[])
  ON CONFLICT (principal, entry_id, upstream_id, capabilities) DO UPDATE SET session_id = EXCLUDED.session_id, used_at = now()
    WHERE leases.session_id = EXCLUDED.session_id OR leases.used_at <= now() - ${LEASE}
  RETURNING upstream_id`;

/** $1 our principal, $2 no entry, $3 no capabilities, $4 the process, $5 upstreams that it listens to no more. */
export const END_LISTENING = `
  DELETE FROM upstream_sessions
  WHERE principal = $1 AND entry_id = $2 AND capabilities = $3 AND session_id = $4 AND upstream_id = ANY ($5::uuid[])`;
