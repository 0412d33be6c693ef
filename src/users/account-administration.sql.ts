import type { Environment } from '../config/environment';

export const USER_STATES = ['ACTIVE', 'WAITING', 'CLOSED'] as const;
export type UserState = (typeof USER_STATES)[number];

/** Columns of `UserRow`, of those who administer accounts. */
const COLUMNS = `id, email, name, claimed_at, closed_at, created_at, signed_in_at, is_platform_admin`;

/** Literal conditions, so that the partial indexes of the list serve them. */
const STATES: Record<UserState | 'ANY', string> = {
  ANY: 'deleted_at IS NULL',
  ACTIVE: 'claimed_at IS NOT NULL AND closed_at IS NULL',
  WAITING: 'claimed_at IS NULL AND closed_at IS NULL',
  CLOSED: 'closed_at IS NOT NULL AND deleted_at IS NULL',
};

const SEARCH = `AND person_words(email, name) @@ to_tsquery('simple', $3)`;

/**
 * One page of accounts, newest first. $1 the last one of the previous page or null, $2 how many, $3 the words if there
 * is a search.
 */
export function listUsers(state: UserState | undefined, hasSearch: boolean): string {
  return `
  SELECT ${COLUMNS} FROM users
  WHERE ${STATES[state ?? 'ANY']} AND ($1::uuid IS NULL OR id < $1) ${hasSearch ? SEARCH : ''}
  ORDER BY id DESC LIMIT $2`;
}

/** $1 account. */
export const FIND_USER = `SELECT ${COLUMNS} FROM users WHERE id = $1 AND deleted_at IS NULL`;

/** Uses the clock, not the start of the transaction, as deletion does: the search for recent closures finds it. */
export const CLOSE = `
  UPDATE users SET closed_at = clock_timestamp(), updated_at = now()
  WHERE id = $1 AND closed_at IS NULL AND deleted_at IS NULL`;

export const REOPEN = `
  UPDATE users SET closed_at = NULL, updated_at = now() WHERE id = $1 AND closed_at IS NOT NULL AND deleted_at IS NULL`;

/** Another open account with the address $2 of the account $1. */
export const FIND_NAMESAKE = `
  SELECT id FROM users
  WHERE address_key(email) = address_key($2) AND closed_at IS NULL AND id <> $1 LIMIT 1`;

/** Held while an account of an administrator is closed: of two who close each other, one stays. */
export const LOCK_ADMINS = `SELECT pg_advisory_xact_lock(hashtext('platform administrators'))`;

/**
 * Open accounts that administer the platform: by their row, or named by `PLATFORM_ADMINS`: $1 addresses, $2 issuer and
 * $3 its subjects, $4 whether the row counts. An address that another account has by now counts for that one alone,
 * although the row of the former has it until the next sign-in.
 */
export const FIND_ADMINS = `
  SELECT id FROM users WHERE is_platform_admin AND closed_at IS NULL AND $4::boolean
  UNION
  SELECT holder.id FROM unnest($1::text[]) AS address CROSS JOIN LATERAL (
    SELECT id, claimed_at FROM users WHERE address_key(email) = address_key(address) AND closed_at IS NULL
    ORDER BY email_at DESC NULLS LAST, claimed_at DESC NULLS LAST, is_twin LIMIT 1) AS holder
  WHERE holder.claimed_at IS NOT NULL
  UNION
  SELECT users.id FROM identities JOIN users ON users.id = identities.user_id
  WHERE issuer = $2 AND subject = ANY($3) AND closed_at IS NULL`;

/** @returns the parameters of `FIND_ADMINS`. The row does not count where another issuer says who people are. */
export function adminsOf({ platformAdmins, externalIssuer, publicUrl }: Environment): readonly unknown[] {
  return [
    platformAdmins.filter((entry) => entry.includes('@')),
    externalIssuer?.issuer ?? publicUrl,
    platformAdmins.filter((entry) => !entry.includes('@')),
    externalIssuer === undefined,
  ];
}

/** $1 account, $2 now. */
export const NOTE_SIGN_IN = `UPDATE users SET signed_in_at = $2 WHERE id = $1`;
