import type { EntityManager } from 'typeorm';
import { newId } from '../database/id';
import { prepared } from '../database/prepared';
import { execute, maybe, one } from '../database/statements';
import type { ClaimFollower } from './account-claims';
import { holdAddresses, LOCK_IDENTITY } from './accounts.sql';
import { Identity } from './identity.entity';

const HOLD_ADDRESS = { name: 'hold the address', sql: holdAddresses('$1') };

/**
 * $1 address, $2 issuer. Of several accounts that had the address over time, the one to which it was assigned last, as
 * in `Accounts.holderOf`; a closed one only if no other has it. `subject` is that of its oldest identity of the issuer.
 */
const FIND = `
  SELECT users.id, users.closed_at IS NOT NULL AS is_closed, users.claimed_at IS NOT NULL AS is_claimed, (
    SELECT subject FROM identities WHERE user_id = users.id AND issuer = $2 ORDER BY created_at, subject LIMIT 1
  ) AS subject
  FROM users WHERE address_key(email) = address_key($1) AND (claimed_at IS NOT NULL OR NOT is_twin)
  ORDER BY is_closed, email_at DESC NULLS LAST, claimed_at DESC NULLS LAST LIMIT 1`;

const CLAIM = `UPDATE users SET claimed_at = now(), email_at = now(), updated_at = now() WHERE id = $1`;

const CREATE = `INSERT INTO users (id, email, claimed_at, email_at) VALUES ($1, $2, now(), now()) RETURNING id`;

interface FoundRow {
  id: string;
  is_closed: boolean;
  is_claimed: boolean;
  subject: string | null;
}

/** Who signs in at our own issuer. */
export interface LocalPerson {
  /** Counts as verified: the caller vouches for it. */
  email: string;
  /** PUBLIC_URL. */
  issuer: string;
  /** The `sub` that the caller wants; undefined: what the account has, or else its id. */
  subject?: string;
}

/**
 * Finds the account with an address, or creates it, and makes sure that it can sign in at our own issuer. An account
 * that waits for the address is claimed. An account keeps the identity that it has, such as one whose subject is the
 * address, from a former release. Holds the address, so that concurrent callers end up with one account.
 *
 * @param manager of the caller's transaction
 * @param claims what follows when the account is claimed
 * @returns the `sub` of the account's tokens
 * @throws Error for the operator if the account is closed, or has the address but not the subject
 */
export async function localSubject(
  manager: EntityManager,
  person: LocalPerson,
  claims: ClaimFollower,
): Promise<string> {
  const { email, issuer, subject } = person;
  if (subject !== undefined) {
    await execute(manager, LOCK_IDENTITY, [`identity ${issuer} ${subject}`]);
    if (await manager.getRepository(Identity).existsBy({ issuer, subject })) return subject;
  }
  await claims.prepare(manager, email);
  await prepared(manager, HOLD_ADDRESS, [[email]]);
  const account = await maybe<FoundRow>(manager, FIND, [email, issuer]);
  if (account?.is_closed) throw new Error(`The account of ${email} is closed.`);
  if (account?.is_claimed && subject !== undefined)
    throw new Error(`${email} has an account already, which is not that of --sub ${subject}. Leave out --sub.`);
  if (account?.subject != null) return account.subject;
  if (account && !account.is_claimed) {
    await execute(manager, CLAIM, [account.id]);
    await claims.settle(manager, account.id);
  }
  const { id } = account ?? (await one<{ id: string }>(manager, CREATE, [newId(), email]));
  await manager.getRepository(Identity).insert({ issuer, subject: subject ?? id, userId: id });
  return subject ?? id;
}
