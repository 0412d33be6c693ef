import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, IsNull, LessThan, Not } from 'typeorm';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { prepared } from '../database/prepared';
import { execute, maybe, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { AuthenticationError, ErrorCode } from '../errors/errors';
import type { EventTypes } from '../events/event-types';
import { AccountLog, byUser } from './account-log/account-log';
import {
  ADDRESS_STATE,
  ADD_IDENTITY,
  CLAIM,
  CREATE,
  CREATE_WITHOUT_EMAIL,
  ERASE,
  FIND,
  FIND_BY_EMAIL,
  FIND_DELETED_IDENTITY,
  FIND_OR_CREATE_WAITING,
  FIND_TAKEN,
  FORGET_IDENTITIES,
  HOLD_ADDRESSES,
  LOCK_ACCOUNT,
  LOCK_IDENTITY,
  REFRESH,
  REJECT_ISSUED,
} from './accounts.sql';
import { AccountClaims } from './account-claims';
import type { AddressState, Admission } from './admission';
import type { CredentialCheck } from './credential-check';
import { DeletedIdentity } from './deleted-identity.entity';
import { Identity } from './identity.entity';
import { isLater, requireLater } from './issued-later';
import { User } from './user.entity';

/** The claims of a verified token about a user. */
export interface Profile {
  issuer: string;
  subject: string;
  /** Only a verified address. */
  email?: string;
  name?: string;
  /** When the issuer made these claims, in seconds since the epoch; undefined if the token does not say. */
  saidAt?: number;
}

/** An account as other modules see it. */
export type Account = Pick<User, 'id' | 'email' | 'name'>;

/** The account of an identity. */
export interface SignedInAccount extends Account {
  /** Whether it set this instance up. Counts only for identities of our own issuer. */
  isPlatformAdmin: boolean;
}

/** The account of an address that someone vouched for. */
export interface VouchedAccount extends Account {
  /** Someone signs in to it already. */
  wasClaimed: boolean;
}

/** The account of an address. */
export interface FoundAccount extends Account {
  /** Created for it in this transaction: no one has claimed it, and nothing refers to it yet. */
  isNew: boolean;
}

type AccountRow = SignedInAccount & {
  closed: boolean;
  /** Only where it was asked. */
  counts?: boolean;
  /** When a previous account of the identity was deleted, if there was one. */
  former_until: DeletedIdentity['deletedAt'] | null;
};

/** One account has at most so many: ten providers, and a few that a person has twice. */
const MAX_IDENTITIES = 20;

/** Accounts and the identities with which users sign in (contract, section 3). */
@Injectable()
export class Accounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accountLog: AccountLog,
    private readonly claims: AccountClaims,
    private readonly environment: Environment,
  ) {}

  /**
   * Finds the account of an identity or creates it on first use: it claims the provisioned, unclaimed row with the
   * verified address or, if there is none, inserts a new row. One statement for an existing account.
   *
   * @param check whether the credential still counts
   * @throws AuthenticationError if the account is closed, or the credential does not count any more
   */
  async resolve(profile: Profile, check?: CredentialCheck): Promise<SignedInAccount> {
    const values = [profile.issuer, profile.subject, ...(check?.values ?? [])];
    const row = await maybe<AccountRow>(this.dataSource, check?.sql ?? FIND, values);
    if (row?.counts === false)
      throw new AuthenticationError(
        ErrorCode.InvalidToken,
        'The access token was revoked, or what it came from has ended: the sign-in, or the access of the program.',
      );
    return row?.id == null ? this.open(profile) : refresh(this.dataSource.manager, row, profile);
  }

  /**
   * @returns whether the identity has an account that is not closed, and was neither deleted nor closed since the issuer
   *   made the claims
   */
  async isOpen({ issuer, subject, saidAt }: Pick<Profile, 'issuer' | 'subject' | 'saidAt'>): Promise<boolean> {
    const storedAccount = await maybe<AccountRow>(this.dataSource, FIND, [issuer, subject]);
    return storedAccount !== undefined && !storedAccount.closed && isLater({ saidAt }, storedAccount.former_until);
  }

  /** @returns whether the identity's account is closed, or was closed or deleted since the issuer made the claims */
  async hasEnded({ issuer, subject, saidAt }: Pick<Profile, 'issuer' | 'subject' | 'saidAt'>): Promise<boolean> {
    const account = await maybe<AccountRow>(this.dataSource, FIND, [issuer, subject]);
    if (account) return account.closed || !isLater({ saidAt }, account.former_until);
    const former = await maybe<{ deleted_at: Date }>(this.dataSource, FIND_DELETED_IDENTITY, [issuer, subject]);
    return !isLater({ saidAt }, former?.deleted_at);
  }

  /**
   * For an account that is opened again: no token that was issued before counts again, nor one that was refused while it
   * was closed.
   *
   * @param manager of the caller's transaction
   */
  async rejectIssued(manager: EntityManager, userId: string): Promise<void> {
    await execute(manager, REJECT_ISSUED, [userId]);
  }

  /** @returns the id of the account that has the address now, claimed or not; undefined if there is none */
  async holderOf(manager: EntityManager, email: string): Promise<string | undefined> {
    return (await maybe<Pick<Account, 'id'>>(manager, FIND_BY_EMAIL, [email]))?.id;
  }

  /** @returns the address of an account; undefined if it has none */
  async addressOf(manager: EntityManager, userId: string): Promise<string | undefined> {
    const user = await manager.getRepository(User).findOne({ select: { email: true }, where: { id: userId } });
    return user?.email ?? undefined;
  }

  /**
   * The account with an address that someone entitled vouches for, such as an administrator who invites its owner: the
   * row that provisioning created, which is claimed, or a new one, or the one that has the address already.
   *
   * @param manager of the caller's transaction
   */
  async forVouchedEmail(manager: EntityManager, email: string, name?: string): Promise<VouchedAccount> {
    await this.claims.prepare(manager, email);
    await prepared(manager, HOLD_ADDRESSES, [[email]]);
    const claimed = await this.claim(manager, email, name, undefined);
    if (claimed) return { ...claimed, wasClaimed: false };
    const holderId = await this.holderOf(manager, email);
    if (holderId === undefined) {
      const created = await one<SignedInAccount>(manager, CREATE, [newId(), email, name ?? null, null]);
      return { ...created, wasClaimed: false };
    }
    const holder = await manager
      .getRepository(User)
      .findOneOrFail({ select: { id: true, email: true, name: true }, where: { id: holderId } });
    return { id: holder.id, email: holder.email, name: holder.name, wasClaimed: true };
  }

  /**
   * Makes sure that tokens of our own issuer, whose `sub` is the id of the account, find it.
   *
   * @param issuer our own
   */
  async ensureIdentity(manager: EntityManager, issuer: string, userId: string): Promise<void> {
    await execute(manager, ADD_IDENTITY, [issuer, userId, userId]);
  }

  /** For the account that sets this instance up. */
  async makePlatformAdmin(manager: EntityManager, userId: string, name: string): Promise<void> {
    await manager.getRepository(User).update({ id: userId }, { isPlatformAdmin: true, name });
  }

  /** @returns whether the account is also that of an identity of another issuer */
  hasOtherIssuer(manager: EntityManager, issuer: string, userId: string): Promise<boolean> {
    return manager.getRepository(Identity).existsBy({ userId, issuer: Not(issuer) });
  }

  /**
   * Finds the account with an address; inserts an unclaimed row if there is none.
   *
   * @param manager of the caller's transaction
   */
  async forEmail(manager: EntityManager, email: string): Promise<Account> {
    const [account] = await this.forEmails(manager, [email]);
    if (!account) throw new Error('forEmails returned no account.');
    return account;
  }

  /**
   * Like `forEmail` for many addresses, in two statements: what the second one sees must be later than the locks.
   *
   * @param manager of the caller's transaction
   * @param areHeld whether an earlier statement of the transaction has held the addresses (`holdAddresses`)
   * @returns the accounts in the order of the addresses
   */
  async forEmails(manager: EntityManager, emails: readonly string[], areHeld = false): Promise<FoundAccount[]> {
    if (emails.length === 0) return [];
    if (!areHeld) await prepared(manager, HOLD_ADDRESSES, [emails]);
    const values = [emails, emails.map(() => newId())];
    const accounts: FoundAccount[] = [];
    const rows = await prepared<FoundAccount & { place: number }>(manager, FIND_OR_CREATE_WAITING, values);
    for (const { place, ...account } of rows) accounts[place] = account;
    return accounts;
  }

  /**
   * Until the end of the transaction no one else can look up or claim an address.
   *
   * @returns the account that someone uses with this address, or that was closed; undefined if an invited person can
   *   have it
   */
  async holderUnlessFree(
    manager: EntityManager,
    email: string,
  ): Promise<{ id: string; isClosed: boolean } | undefined> {
    await prepared(manager, HOLD_ADDRESSES, [[email]]);
    return maybe(manager, FIND_TAKEN, [email]);
  }

  /**
   * Unlinks an identity. Its tokens issued so far are rejected; later ones open another account.
   *
   * @returns false if the account has no such identity
   */
  async forgetIdentity(manager: EntityManager, userId: string, identityId: string): Promise<boolean> {
    return (await execute(manager, FORGET_IDENTITIES, [userId, identityId])) > 0;
  }

  /**
   * Inserts accounts for users without an address. No one can claim them; once provisioning learns an
   * address, it uses the account of that address instead.
   *
   * @param manager of the caller's transaction
   */
  async withoutEmails(manager: EntityManager, count: number): Promise<FoundAccount[]> {
    const ids = Array.from({ length: count }, () => newId());
    if (count > 0) await execute(manager, CREATE_WITHOUT_EMAIL, [ids]);
    return ids.map((id) => ({ id, email: null, name: null, isNew: true }));
  }

  /**
   * Locks the account's address until the end of the transaction, so that no one can look up its holder or claim it;
   * then locks the account itself.
   *
   * @param manager of the caller's transaction, which already holds all other locks that it needs
   * @returns false if the account does not exist or was deleted
   */
  async hold(manager: EntityManager, userId: string): Promise<boolean> {
    const account = await manager
      .getRepository(User)
      .findOne({ select: { email: true }, where: { id: userId, deletedAt: IsNull() } });
    if (account?.email != null) await prepared(manager, HOLD_ADDRESSES, [[account.email]]);
    const lockedRows = await execute(manager, LOCK_ACCOUNT, [userId]);
    return lockedRows > 0;
  }

  /**
   * Erases all personal data of an account and closes it. Every replica is notified to reject its tokens, and its
   * former identities need a token that was issued later.
   *
   * @param manager of the caller's transaction, which has removed all that refers to the account and ends after this
   */
  async erase(manager: EntityManager, userId: string): Promise<void> {
    await execute(manager, FORGET_IDENTITIES, [userId, null]);
    await execute(manager, ERASE, [userId]);
  }

  /**
   * Removes deleted identities for which no valid token can exist any more.
   *
   * @param until removes identities that were deleted before this time
   */
  async forgetDeleted(until: Date): Promise<void> {
    await this.dataSource.getRepository(DeletedIdentity).delete({ deletedAt: LessThan(until) });
  }

  /**
   * Like `resolve`, for a sign-in that may be refused.
   *
   * @param manager of the caller's transaction
   * @param admission is asked before an account is claimed or created; what it throws ends the sign-in
   * @throws AuthenticationError if the account is closed, or was deleted after the issuer made the claims
   */
  async admit(manager: EntityManager, profile: Profile, admission?: Admission): Promise<SignedInAccount> {
    const { issuer, subject, email, name, saidAt } = profile;
    const storedAccount = await holdIdentity(manager, profile);
    if (storedAccount) return refresh(manager, storedAccount, profile);
    if (email !== undefined) {
      await this.claims.prepare(manager, email);
      await prepared(manager, HOLD_ADDRESSES, [[email]]);
    }
    if (admission)
      await admission(
        email === undefined ? undefined : await one<AddressState>(manager, ADDRESS_STATE, [email]),
        manager,
      );
    const claimed = email === undefined ? undefined : await this.claim(manager, email, name, saidAt);
    const account =
      claimed ?? (await one<SignedInAccount>(manager, CREATE, [newId(), email ?? null, name ?? null, saidAt ?? null]));
    await this.addIdentity(manager, { issuer, subject, userId: account.id }, claimed ? 'claimed' : 'signed_up');
    return account;
  }

  /**
   * Links an identity to an account whose owner asked for it. Nothing changes if it is linked already.
   *
   * @param manager of the caller's transaction, which holds the account open
   * @returns why not, if another account has the identity, or the account has many already
   * @throws AuthenticationError if the identity's former account was deleted after the issuer made the claims
   */
  async link(manager: EntityManager, userId: string, profile: Profile): Promise<'linked' | 'elsewhere' | 'too-many'> {
    const { issuer, subject } = profile;
    const storedAccount = await holdIdentity(manager, profile);
    if (storedAccount) return storedAccount.id === userId ? 'linked' : 'elsewhere';
    const identities = manager.getRepository(Identity);
    if ((await identities.countBy({ userId })) >= MAX_IDENTITIES) return 'too-many';
    await this.addIdentity(manager, { issuer, subject, userId }, 'linked');
    return 'linked';
  }

  /** An identity of our own issuer says nothing: it is how the tokens of an account find it. */
  private async addIdentity(
    manager: EntityManager,
    { issuer, subject, userId }: Pick<Identity, 'issuer' | 'subject' | 'userId'>,
    reason: EventTypes['identity.linked']['reason'],
  ): Promise<void> {
    const id = newId();
    await manager.getRepository(Identity).insert({ id, issuer, subject, userId });
    if (issuer === this.environment.publicUrl) return;
    await this.accountLog.record(manager, {
      action: 'identity.linked',
      userId,
      by: byUser(userId),
      subject: { type: 'identity', id },
      data: { org_id: null, user_id: userId, identity_id: id, issuer, reason },
    });
  }

  /** @returns the account that waited for the address, which is held; undefined if there was none */
  private async claim(
    manager: EntityManager,
    email: string,
    name: string | undefined,
    saidAt: number | undefined,
  ): Promise<SignedInAccount | undefined> {
    const account = await maybe<SignedInAccount>(manager, CLAIM, [email, name ?? null, saidAt ?? null]);
    if (account) await this.claims.settle(manager, account.id);
    return account;
  }

  private open(profile: Profile): Promise<SignedInAccount> {
    return inTransaction(this.dataSource, (manager) => this.admit(manager, profile));
  }
}

/**
 * Holds an identity until the end of the transaction: a user's first requests often arrive concurrently, and must
 * result in one account.
 *
 * @returns its account, if it has one
 * @throws AuthenticationError if it has none, and the former one was deleted after the issuer made the claims
 */
async function holdIdentity(manager: EntityManager, profile: Profile): Promise<AccountRow | undefined> {
  const { issuer, subject } = profile;
  await execute(manager, LOCK_IDENTITY, [`identity ${issuer} ${subject}`]);
  const storedAccount = await maybe<AccountRow>(manager, FIND, [issuer, subject]);
  if (storedAccount) return storedAccount;
  const former = await maybe<{ deleted_at: Date }>(manager, FIND_DELETED_IDENTITY, [issuer, subject]);
  requireLater(profile, former?.deleted_at);
  return undefined;
}

/**
 * Updates name and address, for which the issuer is authoritative.
 *
 * @param manager of the caller's transaction, if there is one: requesting a second connection while many requests wait
 *   inside transactions could deadlock
 */
async function refresh(manager: EntityManager, storedAccount: AccountRow, profile: Profile): Promise<SignedInAccount> {
  const { id, email, name, isPlatformAdmin, closed, former_until } = storedAccount;
  requireLater(profile, former_until);
  if (closed) throw new AuthenticationError(ErrorCode.InvalidToken, 'The account is closed.');
  const hasChanged = (profile.email ?? email) !== email || (profile.name ?? name) !== name;
  if (!hasChanged) return { id, email, name, isPlatformAdmin };
  const values = [id, profile.email ?? null, profile.name ?? null, profile.saidAt ?? null];
  const account = await maybe<SignedInAccount>(manager, REFRESH, values);
  if (!account) throw new AuthenticationError(ErrorCode.InvalidToken, 'The account no longer exists.');
  return account;
}
