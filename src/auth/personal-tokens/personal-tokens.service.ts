import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Counter, Metrics } from '../../metrics/metrics';
import { issuedTokens } from '../secret-tokens/issued-tokens';
import { newId } from '../../database/id';
import { newestFirst } from '../../database/keyset';
import { maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { InsufficientScopeError, ValidationError, requireFound } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { AccountLog, byUser } from '../../users/account-log/account-log';
import { requireOpenAccount } from '../../users/open-account';
import type { Caller } from '../caller';
import { allows, type Scope, SCOPE_NAMES } from '../scopes';
import { TokenMemory } from '../token-memory';
import {
  PersonalAccessTokenCreate,
  PersonalAccessTokenCreatedOut,
  PersonalAccessTokenOut,
  toPersonalAccessToken,
} from './personal-access-token.dto';
import { PersonalAccessToken } from './personal-access-token.entity';
import { ErrorCode } from './personal-access-token.errors';
import { personalTokenExpiry } from './personal-token-expiry';
import { PERSONAL_TOKEN_KIND } from './personal-token-kind';
import { REVOKE_TOKEN, type RevokedToken, revocation, tokenData } from './personal-token-changes';

const LIST = 'personal access tokens';

/** Personal access tokens as their owners manage them; `PersonalTokenVerifier` accepts them. */
@Injectable()
export class PersonalTokens {
  private readonly issued: Counter<{ kind: readonly 'personal'[] }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly memory: TokenMemory,
    private readonly accountLog: AccountLog,
    metrics: Metrics,
  ) {
    this.issued = issuedTokens(metrics, 'personal');
  }

  /**
   * Creates a token of the caller. Of the expired ones, the newest are kept, up to the limit for unexpired ones.
   *
   * @returns the token with its secret, which is not stored and cannot be retrieved again
   * @param caller who signed in just now (`RecentSignIn`): no other credential may make one that outlives it
   * @throws ValidationError without a scope, or for a wrong expiry; InsufficientScopeError for scopes that the caller's
   *   credential lacks; ConflictError if the person has as many tokens as allowed
   */
  async create(caller: Caller, input: PersonalAccessTokenCreate): Promise<PersonalAccessTokenCreatedOut> {
    const scopes = scopesOf(input);
    const expiresAt = personalTokenExpiry(input.expires_at, this.clock.now());
    requireRight(caller, scopes);
    const { token, prefix, digest } = PERSONAL_TOKEN_KIND.create();
    const { userId } = caller;
    const stored = await inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, userId);
      const [now, most] = [this.clock.now(), this.environment.limits.tokensPerPerson];
      await PERSONAL_TOKEN_KIND.makeRoom(manager, { ownerId: userId, most, now });
      const tokens = manager.getRepository(PersonalAccessToken);
      const id = newId();
      await this.accountLog.record(manager, {
        action: 'access_token.created',
        userId,
        by: byUser(userId),
        subject: { type: 'access_token', id },
        data: tokenData(userId, { id, scopes, expires_at: expiresAt }),
      });
      return tokens.save(tokens.create({ id, userId, name: input.name, prefix, digest, scopes, expiresAt }));
    });
    this.issued.add({ kind: 'personal' });
    return { ...toPersonalAccessToken({ ...stored, lastUsedAt: null }), token };
  }

  /** Newest first, including expired ones. */
  async list({ userId }: Pick<Caller, 'userId'>, query: PageQuery): Promise<Page<PersonalAccessTokenOut>> {
    const page = this.pages.open(LIST, query, { user: userId });
    const tokens = await this.dataSource.getRepository(PersonalAccessToken).find(newestFirst({ userId }, page));
    return page.close(tokens, toPersonalAccessToken);
  }

  /** @throws NotFoundError */
  async get({ userId }: Caller, id: string): Promise<PersonalAccessTokenOut> {
    const token = await this.dataSource.getRepository(PersonalAccessToken).findOneBy({ userId, id });
    return toPersonalAccessToken(requireFound(token, ErrorCode.PersonalAccessTokenNotFound, id));
  }

  /**
   * Deletes a token. A trigger notifies the other replicas, which reject it within a second; this one does at once.
   *
   * @throws NotFoundError
   */
  async revoke({ userId }: Pick<Caller, 'userId'>, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const revoked = await maybe<RevokedToken>(manager, REVOKE_TOKEN, [userId, id]);
      const token = requireFound(revoked, ErrorCode.PersonalAccessTokenNotFound, id);
      await this.accountLog.record(manager, revocation(userId, token, 'revoked', byUser(userId)));
    });
    this.memory.forgetAccount(userId);
  }
}

/** @returns each requested scope once, in the order of the documentation */
function scopesOf({ scopes }: PersonalAccessTokenCreate): Scope[] {
  if (scopes.length > 0) return SCOPE_NAMES.filter((scope) => scopes.includes(scope));
  throw new ValidationError([{ loc: ['body', 'scopes'], msg: 'Must have at least 1 item.', type: 'value_error' }]);
}

function requireRight({ scopes }: Caller, requested: readonly Scope[]): void {
  const missing = requested.filter((scope) => !allows(scopes, scope));
  if (missing.length > 0) throw new InsufficientScopeError(missing);
}
