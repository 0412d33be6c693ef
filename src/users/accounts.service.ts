import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, IsNull, LessThan } from 'typeorm';
import { newId } from '../database/id';
import { execute, many, maybe, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { AuthenticationError, ErrorCode } from '../errors/errors';
import { DeletedIdentity } from './deleted-identity.entity';
import { Identity } from './identity.entity';
import { User } from './user.entity';

/** What a verified token says about a person. */
export interface Profile {
  issuer: string;
  subject: string;
  /** Only a verified address. */
  email?: string;
  name?: string;
  /** When the issuer said so, in seconds since the epoch; undefined: it does not say when. */
  saidAt?: number;
}

/** The account as the rest of the service knows it. */
export type Account = Pick<User, 'id' | 'email' | 'name'>;

type AccountRow = Account & {
  closed: boolean;
  /** Until when the identity had another account, which was deleted then. */
  former_until: DeletedIdentity['deletedAt'] | null;
};

/** No issuer has a line feed in its address, so no two identities have one digest. */
const IDENTITY_DIGEST = `sha256(convert_to($1 || E'\\n' || $2, 'UTF8'))`;

const FIND = `
  SELECT users.id, users.email, users.name, users.closed_at IS NOT NULL AS closed, former.deleted_at AS former_until
  FROM identities JOIN users ON users.id = identities.user_id
  LEFT JOIN deleted_identities AS former ON former.digest = ${IDENTITY_DIGEST}
  WHERE identities.issuer = $1 AND identities.subject = $2`;

/** The whole second in which the issuer said something, or until now if it is not over or not known. */
const saidAt = (parameter: string) => `least(now(), to_timestamp(${parameter}::float8 + 0.999))`;

const CLAIM = `
  UPDATE users SET claimed_at = now(), email_at = ${saidAt('$3')}, updated_at = now(), email = $1,
    name = coalesce($2, name)
  WHERE address_key(email) = address_key($1) AND claimed_at IS NULL AND closed_at IS NULL AND NOT is_twin
  RETURNING id, email, name`;

const CREATE = `
  INSERT INTO users (id, email, name, claimed_at, email_at)
  VALUES ($1, $2, $3, now(), CASE WHEN $2::text IS NOT NULL THEN ${saidAt('$4')} END) RETURNING id, email, name`;

/** A token that is older than what we know does not bring a former address back: by now it may be somebody else's. */
const REFRESH = `
  UPDATE users SET updated_at = now(), name = coalesce($3, name),
    email = CASE WHEN said.at < email_at THEN email ELSE coalesce($2, email) END,
    email_at = CASE WHEN said.at < email_at OR coalesce($2, email) IS NOT DISTINCT FROM email THEN email_at
      ELSE said.at END
  FROM (SELECT ${saidAt('$4')} AS at) AS said
  WHERE id = $1 RETURNING id, email, name`;

const FORGET_IDENTITIES = `
  WITH gone AS (DELETE FROM identities WHERE user_id = $1 RETURNING issuer, subject)
  INSERT INTO deleted_identities (digest, deleted_at)
  SELECT sha256(convert_to(issuer || E'\\n' || subject, 'UTF8')), clock_timestamp() FROM gone
  ON CONFLICT ON CONSTRAINT deleted_identities_pkey DO UPDATE SET deleted_at = excluded.deleted_at`;

/** By the clock, not by the start of a transaction that may be long: what looks for late closures finds it (auth). */
const ERASE = `
  UPDATE users SET email = NULL, email_at = NULL, name = NULL, is_twin = false, updated_at = moment.at,
    closed_at = coalesce(closed_at, moment.at), deleted_at = moment.at
  FROM (SELECT clock_timestamp() AS at) AS moment
  WHERE id = $1`;

/**
 * $1 addresses. Until the end of the transaction nobody else finds out whose they are, or claims them. In the order of
 * the locks, so that two who hold several do not wait for each other.
 */
const HOLD_ADDRESSES = `
  SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended('address ' || address_key(email), 0) AS key FROM unnest($1::text[]) AS email ORDER BY key
  ) AS keys`;

/** $1 addresses. Of several who had one over time, the one whom the issuer last called by it. */
const FIND_BY_EMAILS = `
  SELECT (wanted.place - 1)::int AS place, found.*
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (email, place)
  CROSS JOIN LATERAL (
    SELECT id, email, name FROM users WHERE address_key(users.email) = address_key(wanted.email) AND closed_at IS NULL
    ORDER BY email_at DESC NULLS LAST, claimed_at DESC NULLS LAST, is_twin LIMIT 1
  ) AS found`;

/** $1 ids, $2 addresses. Rows that wait to be claimed, one for each address that has none. */
const CREATE_WAITING = `
  INSERT INTO users (id, email) SELECT id, email FROM unnest($1::uuid[], $2::text[]) AS given (id, email)
  ON CONFLICT (address_key(email)) WHERE claimed_at IS NULL AND closed_at IS NULL AND NOT is_twin DO NOTHING`;

/** Accounts and the identities by which people sign in (contract, section 3). */
@Injectable()
export class Accounts {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Finds the account of an identity, or makes it on first use: it claims the row that provisioning made for a
   * verified address and nobody has claimed, else it gets a row of its own. One statement for a known account.
   *
   * @throws AuthenticationError when the account is closed
   */
  async resolve(profile: Profile): Promise<Account> {
    const known = await maybe<AccountRow>(this.dataSource, FIND, [profile.issuer, profile.subject]);
    return known ? refresh(this.dataSource.manager, known, profile) : this.open(profile);
  }

  /** @returns whether the identity has an account that is not closed */
  async isOpen({ issuer, subject }: Pick<Profile, 'issuer' | 'subject'>): Promise<boolean> {
    const known = await maybe<AccountRow>(this.dataSource, FIND, [issuer, subject]);
    return known !== undefined && !known.closed;
  }

  /** @returns the id of the account that has an address now, claimed or not; undefined: no account has it */
  async holderOf(manager: EntityManager, email: string): Promise<string | undefined> {
    return (await maybe<Account>(manager, FIND_BY_EMAILS, [[email]]))?.id;
  }

  /**
   * The account to which an address belongs; a row that waits to be claimed is made when there is none.
   *
   * @param manager of the caller's transaction
   */
  async forEmail(manager: EntityManager, email: string): Promise<Account> {
    const [account] = await this.forEmails(manager, [email]);
    if (!account) throw new Error('Every address has an account.');
    return account;
  }

  /**
   * The same for many addresses, in a number of statements that does not depend on theirs.
   *
   * @param manager of the caller's transaction
   * @returns in the order of the addresses
   */
  async forEmails(manager: EntityManager, emails: readonly string[]): Promise<Account[]> {
    if (emails.length === 0) return [];
    await execute(manager, HOLD_ADDRESSES, [emails]);
    const accounts: Account[] = [];
    const find = async (): Promise<void> => {
      const rows = await many<Account & { place: number }>(manager, FIND_BY_EMAILS, [emails]);
      for (const { place, ...account } of rows) accounts[place] = account;
    };
    await find();
    const missing = emails.filter((_, place) => !accounts[place]);
    if (missing.length > 0) {
      await execute(manager, CREATE_WAITING, [missing.map(() => newId()), missing]);
      await find();
    }
    return accounts;
  }

  /**
   * Makes accounts for people of whom no address is known. Nobody can claim them, until provisioning learns an address
   * and asks for the account of that.
   *
   * @param manager of the caller's transaction
   */
  async withoutEmails(manager: EntityManager, count: number): Promise<Account[]> {
    const ids = Array.from({ length: count }, () => newId());
    if (count > 0) await execute(manager, `INSERT INTO users (id) SELECT unnest($1::uuid[])`, [ids]);
    return ids.map((id) => ({ id, email: null, name: null }));
  }

  /**
   * Keeps anybody from finding out whose an address is, or claiming it, until the end of the transaction, and then the
   * account itself from any change.
   *
   * @param manager of the caller's transaction, which has every other lock that it needs
   * @returns false for an account that does not exist, or was deleted
   */
  async hold(manager: EntityManager, userId: string): Promise<boolean> {
    const account = await manager
      .getRepository(User)
      .findOne({ select: { email: true }, where: { id: userId, deletedAt: IsNull() } });
    if (account?.email != null) await execute(manager, HOLD_ADDRESSES, [[account.email]]);
    const held = await execute(manager, `SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`, [userId]);
    return held > 0;
  }

  /**
   * Leaves nothing of the person in the account, and closes it. Its tokens count no more: this tells every replica, and
   * who had an identity of it needs a token that was issued later.
   *
   * @param manager of the caller's transaction, which has seen to all that refers to the account and ends after this
   */
  async erase(manager: EntityManager, userId: string): Promise<void> {
    await execute(manager, FORGET_IDENTITIES, [userId]);
    await execute(manager, ERASE, [userId]);
  }

  /**
   * Removes what only older tokens would ask for.
   *
   * @param until what was deleted before goes
   */
  async forgetDeleted(until: Date): Promise<void> {
    await this.dataSource.getRepository(DeletedIdentity).delete({ deletedAt: LessThan(until) });
  }

  private async open(profile: Profile): Promise<Account> {
    const { issuer, subject, email, name, saidAt } = profile;
    return inTransaction(this.dataSource, async (manager) => {
      // Somebody's first requests often come several at once; they must end in one account.
      await execute(manager, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `identity ${issuer} ${subject}`,
      ]);
      const known = await maybe<AccountRow>(manager, FIND, [issuer, subject]);
      if (known) return refresh(manager, known, profile);
      const former = await maybe<{ deleted_at: Date }>(
        manager,
        `SELECT deleted_at FROM deleted_identities WHERE digest = ${IDENTITY_DIGEST}`,
        [issuer, subject],
      );
      requireLater(profile, former?.deleted_at);
      if (email !== undefined) await execute(manager, HOLD_ADDRESSES, [[email]]);
      const account =
        (email === undefined ? undefined : await claim(manager, email, name, saidAt)) ??
        (await one<Account>(manager, CREATE, [newId(), email ?? null, name ?? null, saidAt ?? null]));
      await manager.getRepository(Identity).insert({ issuer, subject, userId: account.id });
      return account;
    });
  }
}

/**
 * A token from before an account was deleted stands for that account: it neither makes another one, which nobody has asked
 * for, nor opens the one that the person has made since.
 *
 * @param deletedAt when the identity's account was deleted, if one was
 * @throws AuthenticationError for such a token, and for one that does not say when it was issued
 */
function requireLater({ saidAt }: Profile, deletedAt: Date | null | undefined): void {
  // Tokens have whole seconds: of the second of the deletion nobody knows which came first.
  if (!deletedAt || (saidAt !== undefined && saidAt * 1_000 > deletedAt.getTime())) return;
  throw new AuthenticationError(
    ErrorCode.InvalidToken,
    'The account was deleted. Sign in again: only a token that was issued afterwards creates a new account.',
  );
}

/**
 * The issuer knows better than we do what somebody is called now.
 *
 * @param manager of the caller's transaction, if there is one: a second connection, asked for while many requests
 *   wait inside transactions, may never come
 */
async function refresh(manager: EntityManager, known: AccountRow, profile: Profile): Promise<Account> {
  const { id, email, name, closed, former_until } = known;
  requireLater(profile, former_until);
  if (closed) throw new AuthenticationError(ErrorCode.InvalidToken, 'The account is closed.');
  const isNews = (profile.email ?? email) !== email || (profile.name ?? name) !== name;
  if (!isNews) return { id, email, name };
  const values = [id, profile.email ?? null, profile.name ?? null, profile.saidAt ?? null];
  const account = await maybe<Account>(manager, REFRESH, values);
  if (!account) throw new AuthenticationError(ErrorCode.InvalidToken, 'The account no longer exists.');
  return account;
}

function claim(
  manager: EntityManager,
  email: string,
  name: string | undefined,
  saidAt: number | undefined,
): Promise<Account | undefined> {
  return maybe<Account>(manager, CLAIM, [email, name ?? null, saidAt ?? null]);
}
