/** How often a process says that it runs. */
export const RENEWAL_MS = 15_000;
/** A process that has not said so for as long is taken for dead. */
export const PATIENCE_S = 60;

/** A process that runs. */
export interface Holder {
  id: string;
  sealing_key: string;
}

const IS_ALIVE = `seen_at > now() - interval '${PATIENCE_S} seconds'`;

/** One process at a time joins, so that each sees those before it. Released with the transaction. */
export const LOCK = `SELECT pg_advisory_xact_lock(hashtext('secrets keys'))`;

/** $1 key. Processes that run and could not read what that key seals. */
export const STRANGERS = `
  SELECT id, sealing_key FROM secrets_key_holders WHERE ${IS_ALIVE} AND NOT $1 = ANY (known_keys) ORDER BY id`;

/** $1 key. Processes that run and seal with another one. */
export const OTHER_SEALERS = `
  SELECT id, sealing_key FROM secrets_key_holders WHERE ${IS_ALIVE} AND sealing_key <> $1 ORDER BY id`;

/** $1 process, $2 key that seals, $3 all keys that it knows. */
export const HOLD = `
  INSERT INTO secrets_key_holders AS holders (id, sealing_key, known_keys, seen_at) VALUES ($1, $2, $3, now())
  ON CONFLICT ON CONSTRAINT secrets_key_holders_pkey DO UPDATE SET seen_at = excluded.seen_at`;

/** $1 process. Also those that died an hour ago. */
export const LEAVE = `DELETE FROM secrets_key_holders WHERE id = $1 OR seen_at < now() - interval '1 hour'`;

/** $1 key. */
export const NOTE_KEY = `INSERT INTO secrets_keys (id) VALUES ($1) ON CONFLICT DO NOTHING`;

/** $1 keys. Others that have been used since the last complete re-encryption. */
export const UNKNOWN_KEYS = `SELECT id FROM secrets_keys WHERE id <> ALL ($1::text[]) ORDER BY first_used_at`;

/** $1 key. After everything has been sealed by it. */
export const FORGET_OTHER_KEYS = `DELETE FROM secrets_keys WHERE id <> $1`;
