import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SignOuts } from '../../auth/sessions/sign-outs';
import type { Caller } from '../../auth/caller';
import { isRecentlyProved, type Session } from '../../auth/sessions/session';
import type { PersonSessionRow } from '../../auth/sessions/session.dto';
import { IDLE_MS, MAX_SESSIONS, Sessions } from '../../auth/sessions/sessions.service';
import { LIST_SESSIONS } from '../../auth/sessions/sessions.sql';
import { TokenMemory } from '../../auth/token-memory';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import {
  AuthenticationError,
  ConflictError,
  ErrorCode as GroundCode,
  ForbiddenError,
  requireFound,
} from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { Accounts } from '../../users/accounts.service';
import { Passkeys } from '../passkeys/passkeys.service';
import { FIND_IDENTITY, LIST_IDENTITIES } from '../../users/identities.sql';
import { SecurityNotices } from '../notices/security-notices';
import { Passwords, type VerifiedPassword } from '../passwords/passwords.service';
import { ErrorCode } from '../people/people.errors';
import { SignInWays, type Way } from '../ways/sign-in-ways';
import { type IdentityOut, type IdentityQuery, type IdentityRow, toIdentity } from './identity.dto';
import { FORGET_TOKENS } from './own-account.sql';

const LIST = 'identities';
/** More than anybody links; the page of the account shows no more. */
const MAX_SHOWN = 100;

/** What people see and change of their own accounts: how they sign in, and where they are signed in. */
@Injectable()
export class OwnAccount {
  private readonly logger = new Logger(OwnAccount.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly passwords: Passwords,
    private readonly passkeys: Passkeys,
    private readonly ways: SignInWays,
    private readonly sessions: Sessions,
    private readonly signOuts: SignOuts,
    private readonly memory: TokenMemory,
    private readonly notices: SecurityNotices,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /** Newest first. */
  async listIdentities({ userId }: Caller, query: IdentityQuery): Promise<Page<IdentityOut>> {
    const page = this.pages.open(LIST, query, {});
    const rows = await this.readIdentities(userId, page.after, page.take);
    return page.close(rows, toIdentity);
  }

  identitiesOf(userId: string): Promise<IdentityRow[]> {
    return this.readIdentities(userId, null, MAX_SHOWN);
  }

  /** Newest first. */
  sessionsOf(userId: string): Promise<PersonSessionRow[]> {
    const now = this.clock.now();
    const values = [userId, now, new Date(now.getTime() - IDLE_MS), null, MAX_SESSIONS];
    return many<PersonSessionRow>(this.dataSource, LIST_SESSIONS, values);
  }

  /** @returns whether the person proved who they are in the last five minutes */
  isRecent(session: Pick<Session, 'provedAt'>): boolean {
    return isRecentlyProved(session, this.clock.now());
  }

  /**
   * @param session in which the person asks; an access token is not enough, as it says nothing about when they signed in
   * @throws ForbiddenError if there is none, or the person did not prove who they are in the last five minutes
   */
  requireRecent(session: Session | undefined): Session {
    if (session && this.isRecent(session)) return session;
    throw new ForbiddenError(
      `Ways to sign in can only be changed in a browser, at most five minutes after signing in: ${this.environment.publicUrl}/account`,
    );
  }

  /**
   * Sets the password of the person. Ends all their other sessions, and everything else by which they get in.
   *
   * @param hash of a password without a problem
   * @param verified the current password, if there is one
   * @throws AuthenticationError if the password was changed since it was verified
   */
  async setPassword({ userId, id }: Session, hash: string, verified: VerifiedPassword | undefined): Promise<void> {
    await this.change(userId, id, async (manager) => {
      const isUnchanged = verified
        ? await this.passwords.isUnchanged(manager, verified)
        : !(await this.passwords.has(manager, userId));
      if (!isUnchanged) throw signedOut();
      await this.passwords.store(manager, userId, hash);
      await this.notices.post(manager, userId, 'password-set');
    });
    this.logger.log(`Account ${userId} has another password.`);
  }

  /** @throws ConflictError if it is the last way to sign in; ForbiddenError unless the session is recent */
  async removePassword(session: Session): Promise<void> {
    const { userId, id } = this.requireRecent(session);
    await this.change(userId, id, async (manager) => {
      await this.requireAnother(manager, userId, ({ kind }) => kind === 'PASSWORD');
      await this.passwords.remove(manager, userId);
      await this.notices.post(manager, userId, 'password-removed');
    });
    this.logger.log(`Account ${userId} has no password any more.`);
  }

  /**
   * Unlinks an identity.
   *
   * @throws ForbiddenError unless the session is recent; NotFoundError; ConflictError if it is the last way to sign in
   */
  async removeIdentity(session: Session | undefined, identityId: string): Promise<void> {
    const { userId, id } = this.requireRecent(session);
    await this.change(userId, id, async (manager) => {
      const values = [userId, this.environment.publicUrl, identityId];
      const identity = await maybe<IdentityRow>(manager, FIND_IDENTITY, values);
      const { issuer, subject } = requireFound(identity, ErrorCode.IdentityNotFound, identityId);
      if (this.ways.isAccepted(issuer))
        await this.requireAnother(manager, userId, (way) => way.issuer === issuer && way.subject === subject);
      await this.accounts.forgetIdentity(manager, userId, identityId);
      await this.notices.post(manager, userId, 'identity-removed');
    });
    this.logger.log(`Identity ${identityId} of account ${userId} was removed.`);
  }

  /**
   * Removes a passkey.
   *
   * @throws ForbiddenError unless the session is recent; NotFoundError; ConflictError if it is the last way to sign in
   */
  async removePasskey(session: Session | undefined, passkeyId: string): Promise<void> {
    const { userId, id } = this.requireRecent(session);
    await this.change(userId, id, async (manager) => {
      await this.passkeys.remove(manager, userId, passkeyId);
      await this.requireAnother(manager, userId, () => false);
      await this.notices.post(manager, userId, 'passkey-removed');
    });
    this.logger.log(`Passkey ${passkeyId} of account ${userId} was removed.`);
  }

  /** Signs out in one browser. One that is signed out already, or another person's, changes nothing. */
  async endSession(userId: string, sessionId: string): Promise<void> {
    await this.sessions.endOf(this.dataSource, userId, sessionId);
  }

  /** Signs out everywhere, and ends everything else by which the person gets in. */
  async endEverything(userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      if (await this.accounts.hold(manager, userId)) await this.signOuts.everywhere(manager, userId);
    });
    this.memory.forgetAccount(userId);
    this.logger.log(`Account ${userId} signed out everywhere.`);
  }

  /** Locks the account, so that of two who remove the last two ways one finds only one left. */
  private async change(userId: string, keptId: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const isHeld = await this.accounts.hold(manager, userId);
      // The session goes with the account, and with any other change of this kind.
      if (!isHeld || !(await this.sessions.isOpen(manager, keptId))) throw signedOut();
      await work(manager);
      await this.signOuts.everywhere(manager, userId, keptId);
      await execute(manager, FORGET_TOKENS, [userId]);
    });
    this.memory.forgetAccount(userId);
  }

  private async requireAnother(
    manager: EntityManager,
    userId: string,
    isRemoved: (way: Way) => boolean,
  ): Promise<void> {
    const ways = await this.ways.of(manager, [userId]);
    if (ways.every(isRemoved))
      throw new ConflictError(
        ErrorCode.SignInMethodConflict,
        'This is the last way to sign in to the account. Add another one first.',
      );
  }

  private readIdentities(userId: string, after: string | null, take: number): Promise<IdentityRow[]> {
    return many<IdentityRow>(this.dataSource, LIST_IDENTITIES, [userId, this.environment.publicUrl, after, take]);
  }
}

function signedOut(): AuthenticationError {
  return new AuthenticationError(GroundCode.AuthenticationRequired, 'You are signed out. Sign in again.');
}
