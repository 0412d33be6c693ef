import { Injectable, OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { Notifications } from '../../database/notifications';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { Accounts } from '../../users/accounts.service';
import { PlatformAdmins } from '../platform-admins';
import { isApiScope } from '../scopes';
import { type StoredSecretToken, USE_NOTED_FOR_MS } from '../secret-tokens/secret-token-kind';
import { TokenMemory, type VerifiedToken } from '../token-memory';
import { PERSONAL_TOKEN_KIND } from './personal-token-kind';

/** Sent by a trigger on `personal_access_tokens`, with the id of the account. */
const CHANNEL = 'personal_access_tokens';

/** $1 digest, $2 now. */
const FIND = `
  SELECT tokens.id, tokens.digest, tokens.scopes, tokens.expires_at, tokens.last_used_at, tokens.user_id,
         users.email, users.name, users.is_platform_admin
  FROM personal_access_tokens AS tokens JOIN users ON users.id = tokens.user_id
  WHERE tokens.digest = $1 AND tokens.expires_at > $2 AND users.closed_at IS NULL`;

interface TokenRow extends StoredSecretToken {
  scopes: string[];
  expires_at: Date;
  user_id: string;
  email: string | null;
  name: string | null;
  is_platform_admin: boolean;
}

/**
 * Verifies personal access tokens. They never leave this service, so the database is their authorization server: it is
 * asked once a minute for each, when the last use is recorded too. In between a verified token is remembered, but only
 * while this process hears of revocations: a trigger notifies every replica within milliseconds. A connection that died
 * silently is noticed within 4.5 seconds (`database/notifications.ts`).
 */
@Injectable()
export class PersonalTokenVerifier implements OnModuleInit {
  private readonly admins: PlatformAdmins;
  private readonly isOwnIssuer: boolean;

  constructor(
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
    private readonly memory: TokenMemory,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    { platformAdmins, externalIssuer }: Environment,
  ) {
    this.admins = new PlatformAdmins(platformAdmins);
    this.isOwnIssuer = externalIssuer === undefined;
  }

  onModuleInit(): void {
    // After a lost connection `DepartedAccounts` clears the whole memory.
    this.notifications.listen(CHANNEL, (userId) => {
      if (userId !== undefined) this.memory.forgetAccount(userId);
    });
  }

  /** @returns whether a bearer token claims to be one of these, in good form or not */
  covers(token: string): boolean {
    return token.startsWith(PERSONAL_TOKEN_KIND.mark);
  }

  /** @returns the cached verification of a token; undefined if the database has to be asked */
  recall(token: string): VerifiedToken | undefined {
    return this.notifications.connected ? this.memory.recall(token) : undefined;
  }

  /**
   * Asks the database, whatever is cached.
   *
   * @throws AuthenticationError `invalid_token`, with one message for all reasons
   */
  async verify(token: string): Promise<VerifiedToken> {
    if (!PERSONAL_TOKEN_KIND.hasForm(token)) throw invalid('The personal access token is malformed.');
    const { epoch } = this.memory;
    const now = this.clock.now();
    const row = await PERSONAL_TOKEN_KIND.find<TokenRow>(this.dataSource, FIND, token, [now]);
    if (!row) {
      // Only if it is cached: otherwise anyone could keep other tokens from being cached by sending invented ones.
      if (this.memory.recall(token)) this.memory.forget(token);
      throw invalid('The personal access token was revoked or has expired, or its account is closed.');
    }
    await PERSONAL_TOKEN_KIND.noteUse(this.dataSource, row, now);
    const verified = { caller: await this.callerOf(row), expiresAt: row.expires_at.getTime() };
    if (this.notifications.connected) this.memory.remember(token, verified, epoch, useDueAt(row, now));
    return verified;
  }

  private async callerOf(row: TokenRow): Promise<VerifiedToken['caller']> {
    const { id, user_id: userId, email, name } = row;
    const known = new Set(row.scopes.filter(isApiScope));
    const isPlatformAdmin = known.has('platform:admin') && (await this.administers(row));
    return { userId, email, name, isPlatformAdmin, scopes: known, personalTokenId: id };
  }

  /**
   * An account that administers this instance because it set it up, or one whose address is listed: a personal token has
   * no claims and no `sub`. An address that another account has by now is no longer this one's, although its row has it
   * until the next sign-in.
   */
  private async administers({ user_id: userId, email, is_platform_admin }: TokenRow): Promise<boolean> {
    // As for sessions: with a foreign issuer, the flag of an earlier time does not count.
    if (this.isOwnIssuer && is_platform_admin) return true;
    if (email === null || !this.admins.hasAddress(email)) return false;
    return (await this.accounts.holderOf(this.dataSource.manager, email)) === userId;
  }
}

/** @returns when the use has to be recorded again, for which the database is asked; milliseconds since the epoch */
function useDueAt({ last_used_at }: TokenRow, now: Date): number {
  const nowMs = now.getTime();
  const lastUse = last_used_at?.getTime() ?? 0;
  return (lastUse > nowMs - USE_NOTED_FOR_MS ? lastUse : nowMs) + USE_NOTED_FOR_MS;
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
