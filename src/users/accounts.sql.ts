/** An issuer's address contains no line feed, so every identity has its own digest. */
const IDENTITY_DIGEST = `sha256(convert_to($1 || E'\\n' || $2, 'UTF8'))`;

/** $1 issuer, $2 subject: the account of an identity. */
export const FIND = `
  SELECT users.id, users.email, users.name, users.is_platform_admin AS "isPlatformAdmin",
    users.closed_at IS NOT NULL AS closed, former.deleted_at AS former_until
  FROM identities JOIN users ON users.id = identities.user_id
  LEFT JOIN deleted_identities AS former ON former.digest = ${IDENTITY_DIGEST}
  WHERE identities.issuer = $1 AND identities.subject = $2`;

/**
 * The same, and whether the credential still counts: one row, in which the account is null if there is none.
 *
 * @param condition its parameters begin with $3
 */
export function findWith(condition: string): string {
  return `
  SELECT found.*, ${condition} AS counts
  FROM (VALUES (1)) AS asked LEFT JOIN (${FIND}) AS found ON true`;
}

/** The end of the second in which the issuer made the claims; now if it is not over yet or unknown. */
const saidAt = (parameter: string) => `least(now(), to_timestamp(${parameter}::float8 + 0.999))`;

/** $1 address, $2 name or null, $3 when the issuer said so. Of the account that provisioning made for the address. */
export const CLAIM = `
  UPDATE users SET claimed_at = now(), email_at = ${saidAt('$3')}, updated_at = now(), email = $1,
    name = coalesce($2, name)
  WHERE address_key(email) = address_key($1) AND claimed_at IS NULL AND closed_at IS NULL AND NOT is_twin
  RETURNING id, email, name, is_platform_admin AS "isPlatformAdmin"`;

/** $1 address. Whoever has an identity uses the account, even if nothing says when they claimed it. */
export const ADDRESS_STATE = `
  SELECT coalesce(bool_or(is_used), false) AS "isTaken", coalesce(bool_or(NOT is_used AND NOT is_twin), false) AS "isWaiting"
  FROM (
    SELECT is_twin, claimed_at IS NOT NULL OR EXISTS (SELECT FROM identities WHERE user_id = users.id) AS is_used
    FROM users WHERE address_key(email) = address_key($1) AND closed_at IS NULL
  ) AS accounts`;

/** $1 id, $2 address or null, $3 name or null, $4 when the issuer said so. */
export const CREATE = `
  INSERT INTO users (id, email, name, claimed_at, email_at)
  VALUES ($1, $2, $3, now(), CASE WHEN $2::text IS NOT NULL THEN ${saidAt('$4')} END)
  RETURNING id, email, name, is_platform_admin AS "isPlatformAdmin"`;

/**
 * $1 account, $2 address or null, $3 name or null, $4 when the issuer said so. A token older than our data does not restore a former address, which may belong
 * to another user by now.
 */
export const REFRESH = `
  UPDATE users SET updated_at = now(), name = coalesce($3, name),
    email = CASE WHEN said.at < email_at THEN email ELSE coalesce($2, email) END,
    email_at = CASE WHEN said.at < email_at OR coalesce($2, email) IS NOT DISTINCT FROM email THEN email_at
      ELSE said.at END
  FROM (SELECT ${saidAt('$4')} AS at) AS said
  WHERE id = $1 RETURNING id, email, name, is_platform_admin AS "isPlatformAdmin"`;

/** $1 issuer, $2 subject, $3 account. */
export const ADD_IDENTITY = `
  INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT identities_pkey DO NOTHING`;

/** $1 account, $2 identity; null for all of them. Notes when, so that former tokens of theirs are rejected. */
export const FORGET_IDENTITIES = `
  WITH gone AS (DELETE FROM identities WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) RETURNING issuer, subject)
  INSERT INTO deleted_identities (digest, deleted_at)
  SELECT sha256(convert_to(issuer || E'\\n' || subject, 'UTF8')), clock_timestamp() FROM gone
  ON CONFLICT ON CONSTRAINT deleted_identities_pkey DO UPDATE SET deleted_at = excluded.deleted_at`;

/** $1 account. Tokens that were issued up to now count no more, although the account goes on. */
export const REJECT_ISSUED = `
  INSERT INTO deleted_identities (digest, deleted_at)
  SELECT sha256(convert_to(issuer || E'\\n' || subject, 'UTF8')), clock_timestamp() FROM identities WHERE user_id = $1
  ON CONFLICT ON CONSTRAINT deleted_identities_pkey DO UPDATE SET deleted_at = excluded.deleted_at`;

/**
 * $1 account. Uses the clock, not the start of a possibly long transaction, so that the search for recent closures (auth) finds it.
 */
export const ERASE = `
  UPDATE users SET email = NULL, email_at = NULL, name = NULL, is_twin = false, is_platform_admin = false, updated_at = moment.at,
    closed_at = coalesce(closed_at, moment.at), deleted_at = moment.at
  FROM (SELECT clock_timestamp() AS at) AS moment
  WHERE id = $1`;

/**
 * Until the end of the transaction no one else can look up the holders of addresses or claim them. Locks are acquired in
 * the order of their keys, to avoid deadlocks. What depends on them must be a later statement.
 *
 * @param emails the parameter with the addresses
 */
export function holdAddresses(emails: string): string {
  return `
  SELECT count(pg_advisory_xact_lock(key)) FROM (
    SELECT DISTINCT hashtextextended('address ' || address_key(email), 0) AS key
    FROM unnest((SELECT ${emails}::text[])) AS email ORDER BY key
  ) AS keys`;
}

export const HOLD_ADDRESSES = { name: 'hold addresses', sql: holdAddresses('$1') };

/** If several accounts had an address over time, the one to which the issuer assigned it last. */
const HOLDER = `
  SELECT id, email, name FROM users WHERE address_key(users.email) = address_key(wanted.email) AND closed_at IS NULL
  ORDER BY email_at DESC NULLS LAST, claimed_at DESC NULLS LAST, is_twin LIMIT 1`;

/** $1 address. */
export const FIND_BY_EMAIL = `
  SELECT found.id FROM (SELECT $1::text AS email) AS wanted CROSS JOIN LATERAL (${HOLDER}) AS found`;

/**
 * $1 addresses, $2 an id for each. Inserts an unclaimed row for each address without one, which no one
 * else can do at that moment, as the address is held. An address that is in the list twice gets one account. The
 * subqueries around the lists hide their length from the planner, which would otherwise plan each execution again.
 */
export const FIND_OR_CREATE_WAITING = {
  name: 'accounts of addresses',
  sql: `
  WITH wanted AS (
    SELECT email, id, (place - 1)::int AS place
    FROM unnest((SELECT $1::text[]), (SELECT $2::uuid[])) WITH ORDINALITY AS given (email, id, place)
  ),
  found AS MATERIALIZED (
    SELECT wanted.place, holder.* FROM wanted CROSS JOIN LATERAL (${HOLDER}) AS holder
  ),
  missing AS (
    SELECT wanted.*, address_key(email) AS key FROM wanted WHERE place NOT IN (SELECT place FROM found)
  ),
  created AS (
    INSERT INTO users (id, email) SELECT DISTINCT ON (key) id, email FROM missing ORDER BY key, place
    RETURNING id, email
  )
  SELECT place, id, email, name, false AS "isNew" FROM found
  UNION ALL
  SELECT missing.place, created.id, created.email, NULL, true
  FROM created JOIN missing ON missing.key = address_key(created.email)`,
};

/** $1 address. An account that someone uses, or that was closed; an open one first. */
export const FIND_TAKEN = `
  SELECT id, closed_at IS NOT NULL AS "isClosed" FROM users
  WHERE address_key(email) = address_key($1) AND deleted_at IS NULL AND (claimed_at IS NOT NULL OR closed_at IS NOT NULL)
  ORDER BY closed_at NULLS FIRST LIMIT 1`;

/** $1 ids. */
export const CREATE_WITHOUT_EMAIL = `INSERT INTO users (id) SELECT unnest($1::uuid[])`;

/** $1 account. */
export const LOCK_ACCOUNT = `SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`;

/** $1 `identity <issuer> <subject>`. Until the end of the transaction. */
export const LOCK_IDENTITY = `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`;

/** $1 issuer, $2 subject. */
export const FIND_DELETED_IDENTITY = `SELECT deleted_at FROM deleted_identities WHERE digest = ${IDENTITY_DIGEST}`;
