/** The newest ones; a handful in practice. */
const MAX_REPLICAS = 100;

/** What the database says of itself. */
export const VERSIONS = `
  SELECT current_setting('server_version') AS postgresql, clock_timestamp() AS now`;

export const MIGRATIONS_RUN = `SELECT name FROM migrations ORDER BY id`;

/** $1 seconds after which a process that says nothing counts no more. */
export const REPLICAS = `
  SELECT id, parts, version, started_at, seen_at, seen_at >= now() - make_interval(secs => $1) AS is_alive
  FROM replicas ORDER BY seen_at DESC, id LIMIT ${MAX_REPLICAS}`;

/** Values of `SECRETS_KEY` that may have sealed something. */
export const ENCRYPTION_KEYS = `SELECT id, first_used_at FROM secrets_keys ORDER BY first_used_at DESC LIMIT 100`;
