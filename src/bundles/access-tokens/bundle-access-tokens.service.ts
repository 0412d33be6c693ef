import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { tokenExpiry } from '../../auth/secret-tokens/token-expiry';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Counter, Metrics } from '../../metrics/metrics';
import { issuedTokens } from '../../auth/secret-tokens/issued-tokens';
import { newId } from '../../database/id';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { ErrorCode } from '../bundle.errors';
import { ValidationError, requireFound } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import { ownerOf } from '../bundle-owner';
import type { BundleRow } from '../bundle.dto';
import {
  BundleAccessTokenCreate,
  BundleAccessTokenCreatedOut,
  BundleAccessTokenOut,
  BundleAccessTokenRow,
  toBundleAccessToken,
} from './bundle-access-token.dto';
import { BundleAccessToken } from './bundle-access-token.entity';
import { BUNDLE_TOKEN_KIND } from './bundle-token-kind';
import { BUNDLE_TOKEN_SCOPES, type BundleTokenScope } from './token-scope';
import { isUsableToken } from './usable-token.sql';

const LIST = 'bundle access tokens';

/** $1 bundle, $2 now. */
const SELECT = `
  SELECT tokens.id, tokens.name, tokens.prefix, tokens.scopes, tokens.created_by, tokens.expires_at, tokens.last_used_at,
         tokens.created_at, ${isUsableToken('$2')} AS is_usable
  FROM bundle_access_tokens AS tokens JOIN bundles ON bundles.id = tokens.bundle_id WHERE tokens.bundle_id = $1`;

const INSERT = `
  INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, scopes, expires_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Access tokens as the editors of their bundle manage them (contract, section 6); `BundleTokenGuard` accepts them. */
@Injectable()
export class BundleAccessTokensService {
  private readonly issued: Counter<{ kind: readonly 'bundle'[] }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.issued = issuedTokens(metrics, 'bundle');
  }

  /**
   * Creates a token. Of the expired tokens, the newest are kept, up to the limit for unexpired ones.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError if the bundle has as many as allowed; ValidationError if it
   *   would have expired already, or could do nothing
   */
  async create(caller: Caller, bundleId: string, input: BundleAccessTokenCreate): Promise<BundleAccessTokenCreatedOut> {
    const created = await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const scopes = scopesOf(input);
      const expiresAt = tokenExpiry(input.expires_at, this.clock.now());
      const { token, prefix, digest } = BUNDLE_TOKEN_KIND.create();
      const id = newId();
      const [now, most] = [this.clock.now(), this.environment.limits.tokensPerBundle];
      await BUNDLE_TOKEN_KIND.makeRoom(manager, { ownerId: bundle.id, most, now, isOwnerLocked: true });
      await execute(manager, INSERT, [id, bundle.id, input.name, prefix, digest, scopes, expiresAt, caller.userId]);
      await record(manager, {
        type: 'bundle.access_token_created',
        ...ownerOf(bundle),
        data: {
          bundle_id: bundle.id,
          access_token_id: id,
          name: input.name,
          prefix,
          scopes,
          expires_at: expiresAt?.toISOString() ?? null,
          created_by: caller.userId,
          org_id: bundle.org_id,
        },
      });
      return { ...toBundleAccessToken(await this.find(manager, bundle, id)), token };
    });
    this.issued.add({ kind: 'bundle' });
    return created;
  }

  /**
   * Newest first, including expired ones.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleAccessTokenOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleAccessTokenRow>(
      this.dataSource,
      `${SELECT} AND ($3::uuid IS NULL OR tokens.id < $3) ORDER BY tokens.id DESC LIMIT $4`,
      [bundle.id, this.clock.now(), page.after, page.take],
    );
    return page.close(rows, toBundleAccessToken);
  }

  /** @throws NotFoundError; ForbiddenError */
  async get(caller: Caller, bundleId: string, id: string): Promise<BundleAccessTokenOut> {
    const { manager } = this.dataSource;
    return toBundleAccessToken(
      await this.find(manager, await this.finder.findForEditor(manager, caller, bundleId), id),
    );
  }

  /**
   * Deletes a token: no process accepts it any more once this has answered.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async revoke(caller: Caller, bundleId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const token = await this.find(manager, bundle, id);
      await manager.getRepository(BundleAccessToken).delete({ id: token.id });
      await record(manager, {
        type: 'bundle.access_token_revoked',
        ...ownerOf(bundle),
        data: {
          bundle_id: bundle.id,
          access_token_id: token.id,
          name: token.name,
          prefix: token.prefix,
          scopes: token.scopes,
          revoked_by: caller.userId,
          org_id: bundle.org_id,
        },
      });
    });
  }

  private async find(manager: EntityManager, bundle: BundleRow, id: string): Promise<BundleAccessTokenRow> {
    const parameters = [bundle.id, this.clock.now(), id];
    const row = await maybe<BundleAccessTokenRow>(manager, `${SELECT} AND tokens.id = $3`, parameters);
    return requireFound(row, ErrorCode.BundleAccessTokenNotFound, id);
  }
}

/** @returns each scope once, in the order of the documentation */
function scopesOf({ scopes }: BundleAccessTokenCreate): BundleTokenScope[] {
  if (scopes == null) return ['read'];
  if (scopes.length > 0) return BUNDLE_TOKEN_SCOPES.filter((scope) => scopes.includes(scope));
  throw new ValidationError([{ loc: ['body', 'scopes'], msg: 'Must have at least 1 item.', type: 'value_error' }]);
}
