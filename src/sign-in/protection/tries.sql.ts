import type { Statement } from '../../database/statements';

/** After so many failures each further try has to wait: 1 s, 2 s, 4 s and so on. */
export const FREE_TRIES = 5;
const MAX_WAIT_S = 900;
/** Without a further try, the failures of an account are forgotten. */
export const ACCOUNT_MEMORY_S = 86_400;
const ACCOUNT_MEMORY = `interval '${ACCOUNT_MEMORY_S} seconds'`;
export const TRIES_PER_ADDRESS = 30;
export const WINDOW_S = 600;
const WINDOW = `interval '${WINDOW_S} seconds'`;

const NOW = `$2::timestamptz(3)`;
const FAILURES = `(CASE WHEN tries.expires_at <= ${NOW} THEN 1 ELSE least(tries.failures + 1, 1000) END)`;

/** From so many places a person has tries of their own, the latest ones; for so long after the last sign-in from there. */
const PLACES_OF_ACCOUNT = 20;
const PLACE_MEMORY = `interval '180 days'`;

/**
 * The key under which a try is counted: that of the first place that is known ($4, in the order of their digests $3), or else
 * that of all strangers ($1).
 */
const COUNTED_KEY = `COALESCE((
  SELECT ($4::bytea[])[array_position($3::bytea[], places.key)] FROM sign_in_places AS places
  WHERE places.key = ANY($3::bytea[]) AND places.expires_at > ${NOW}
  ORDER BY array_position($3::bytea[], places.key) LIMIT 1), $1)`;

/**
 * $1 key, $2 now, $3 digests of places, $4 keys of the tries from there. Counts a try as failed before it is made, so that concurrent ones cannot outrun the count. Changes
 * nothing, and returns nothing, while the account has to wait. The first failures do not block, even if a concurrent try
 * that was counted before has a later time.
 */
export const TRY_ACCOUNT: Statement = {
  name: 'try_account',
  sql: `
    INSERT INTO account_tries AS tries (key, failures, blocked_until, expires_at)
    SELECT ${COUNTED_KEY}, 1, ${NOW}, ${NOW} + ${ACCOUNT_MEMORY}
    ON CONFLICT ON CONSTRAINT account_tries_pkey DO UPDATE SET
      failures = ${FAILURES},
      blocked_until = ${NOW} + CASE WHEN ${FAILURES} < ${FREE_TRIES} THEN interval '0'
        ELSE least(power(2, least(${FAILURES} - ${FREE_TRIES}, 20)), ${MAX_WAIT_S}) * interval '1 second' END,
      expires_at = excluded.expires_at
    WHERE tries.failures < ${FREE_TRIES} OR tries.blocked_until <= ${NOW}
    RETURNING key`,
};

/** The same parameters. */
export const ACCOUNT_BLOCKED_UNTIL = `SELECT blocked_until AS until FROM account_tries WHERE key = ${COUNTED_KEY}`;

/** $1 keys. After a success. */
export const FORGET_ACCOUNT_TRIES = `DELETE FROM account_tries WHERE key = ANY($1::bytea[])`;

/** $1 account. After a proof that counts more than a password: tries from all places. */
export const FORGET_ALL_ACCOUNT_TRIES = `
  DELETE FROM account_tries
  WHERE key = $1 OR key IN (SELECT places.key FROM sign_in_places AS places WHERE places.account = $1)`;

/** $1 digests of places, $2 account, $3 now. */
export const REMEMBER_PLACES = `
  WITH former AS (
    DELETE FROM sign_in_places WHERE key IN (
      SELECT key FROM sign_in_places WHERE account = $2 AND key <> ALL($1::bytea[])
      ORDER BY expires_at DESC OFFSET ${PLACES_OF_ACCOUNT} - cardinality($1::bytea[]) FOR UPDATE SKIP LOCKED))
  INSERT INTO sign_in_places (key, account, expires_at)
  SELECT key, $2, $3::timestamptz(3) + ${PLACE_MEMORY} FROM unnest($1::bytea[]) AS key ORDER BY key
  ON CONFLICT ON CONSTRAINT sign_in_places_pkey DO UPDATE SET expires_at = excluded.expires_at`;

/** $1 digest of a place, $2 now. */
export const FIND_PLACE = `SELECT 1 AS found FROM sign_in_places WHERE key = $1 AND expires_at > ${NOW}`;

/** $1 now, $2 how many. */
export const REMOVE_PLACES = `
  DELETE FROM sign_in_places WHERE key IN (
    SELECT key FROM sign_in_places WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** $1 key, $2 now. The try was not made after all. */
export const WITHDRAW_ACCOUNT_TRY = `
  UPDATE account_tries SET failures = greatest(failures - 1, 0), blocked_until = $2 WHERE key = $1`;

const RECENT = `FROM unnest(tries.moments) AS moment WHERE moment > ${NOW} - ${WINDOW}`;

/** $1 key, $2 now. The same for an address. */
export const TRY_ADDRESS: Statement = {
  name: 'try_address',
  sql: `
    INSERT INTO address_tries AS tries (key, moments, expires_at) VALUES ($1, ARRAY[${NOW}], ${NOW} + ${WINDOW})
    ON CONFLICT ON CONSTRAINT address_tries_pkey DO UPDATE SET
      moments = ARRAY(SELECT moment ${RECENT} ORDER BY moment) || ${NOW},
      expires_at = excluded.expires_at
    WHERE (SELECT count(*) ${RECENT}) < ${TRIES_PER_ADDRESS}
    RETURNING cardinality(moments) AS tries`,
};

/** $1 key, $2 now. */
export const ADDRESS_BLOCKED_UNTIL = `
  SELECT (SELECT min(moment) ${RECENT}) + ${WINDOW} AS until FROM address_tries AS tries WHERE key = $1`;

/** $1 key, $2 when the try was made. It succeeded, or was not made after all; those of others stay. */
export const WITHDRAW_ADDRESS_TRY = `
  UPDATE address_tries SET moments =
    moments[:array_position(moments, $2::timestamptz(3)) - 1] || moments[array_position(moments, $2::timestamptz(3)) + 1:]
  WHERE key = $1 AND array_position(moments, $2::timestamptz(3)) IS NOT NULL`;

/** $1 now, $2 how many. */
export const REMOVE_ACCOUNT_TRIES = `
  DELETE FROM account_tries WHERE key IN (
    SELECT key FROM account_tries WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** $1 now, $2 how many. */
export const REMOVE_ADDRESS_TRIES = `
  DELETE FROM address_tries WHERE key IN (
    SELECT key FROM address_tries WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
