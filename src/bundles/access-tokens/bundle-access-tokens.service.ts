import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { NotFoundError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { parseInstant } from '../../http/requests/instant';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import {
  BundleAccessTokenCreate,
  BundleAccessTokenCreatedOut,
  BundleAccessTokenOut,
  BundleAccessTokenRow,
  toBundleAccessToken,
} from './bundle-access-token.dto';
import { newBundleToken } from './bundle-token';
import { isUsableToken } from './usable-token.sql';

const LIST = 'bundle access tokens';

/** $1 bundle, $2 now. */
const SELECT = `
  SELECT tokens.id, tokens.name, tokens.prefix, tokens.created_by, tokens.expires_at, tokens.last_used_at,
         tokens.created_at, ${isUsableToken('$2')} AS is_usable
  FROM bundle_access_tokens AS tokens JOIN bundles ON bundles.id = tokens.bundle_id WHERE tokens.bundle_id = $1`;

const UNEXPIRED: Cap = {
  name: 'access tokens of a bundle',
  rows: 'bundle_access_tokens WHERE bundle_id = $1 AND (expires_at IS NULL OR expires_at > $3)',
  code: ErrorCode.BundleAccessTokenConflict,
  detail: (most) => `The bundle has ${most} access tokens, which is the limit. Revoke one first.`,
};

/** $8 now, $9 how many expired tokens stay: the latest ones, so that tokens of a second's life do not pile up. */
const INSERT = `
  WITH removed AS (
    DELETE FROM bundle_access_tokens WHERE bundle_id = $2 AND id IN (
      SELECT id FROM bundle_access_tokens WHERE bundle_id = $2 AND expires_at <= $8 ORDER BY id DESC OFFSET $9))
  INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest, expires_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Access tokens as the editors of their bundle see them (contract, section 6); `BundleTokenDoor` lets them in. */
@Injectable()
export class BundleAccessTokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /**
   * Makes a token. Of the expired ones, as many as there may be unexpired ones are kept; older ones are removed.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError when there are as many as allowed; ValidationError when it
   *   would have expired already
   */
  async create(caller: Caller, bundleId: string, input: BundleAccessTokenCreate): Promise<BundleAccessTokenCreatedOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      const expiresAt = this.expiry(input.expires_at);
      const { token, prefix, digest } = newBundleToken();
      const id = newId();
      const [now, most] = [this.clock.now(), this.environment.limits.tokensPerBundle];
      await requireRoom(manager, UNEXPIRED, { ownerId: bundle.id, most, parameters: [now], isOwnerLocked: true });
      await manager.query(INSERT, [id, bundle.id, input.name, prefix, digest, expiresAt, caller.userId, now, most]);
      await record(manager, {
        type: 'bundle.access_token_created',
        orgId: bundle.org_id,
        ownerId: bundle.owner_id,
        data: {
          bundle_id: bundle.id,
          access_token_id: id,
          name: input.name,
          prefix,
          expires_at: expiresAt?.toISOString() ?? null,
          created_by: caller.userId,
          org_id: bundle.org_id,
        },
      });
      return { ...toBundleAccessToken(await this.find(manager, bundle, id)), token };
    });
  }

  /**
   * Newest first, the expired ones included.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleAccessTokenOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.editable(this.dataSource.manager, caller, bundleId);
    const rows = await this.dataSource.query<BundleAccessTokenRow[]>(
      `${SELECT} AND ($3::uuid IS NULL OR tokens.id < $3) ORDER BY tokens.id DESC LIMIT $4`,
      [bundle.id, this.clock.now(), request.after ?? null, request.take],
    );
    return this.pages.close(LIST, request, rows, toBundleAccessToken);
  }

  /** @throws NotFoundError; ForbiddenError */
  async get(caller: Caller, bundleId: string, id: string): Promise<BundleAccessTokenOut> {
    const { manager } = this.dataSource;
    return toBundleAccessToken(await this.find(manager, await this.finder.editable(manager, caller, bundleId), id));
  }

  /**
   * From the moment on at which this answers, the token opens nothing in any process.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async revoke(caller: Caller, bundleId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      const gone = await this.find(manager, bundle, id);
      await manager.query(`DELETE FROM bundle_access_tokens WHERE id = $1`, [gone.id]);
      await record(manager, {
        type: 'bundle.access_token_revoked',
        orgId: bundle.org_id,
        ownerId: bundle.owner_id,
        data: {
          bundle_id: bundle.id,
          access_token_id: gone.id,
          name: gone.name,
          prefix: gone.prefix,
          revoked_by: caller.userId,
          org_id: bundle.org_id,
        },
      });
    });
  }

  private async find(manager: EntityManager, bundle: BundleRow, id: string): Promise<BundleAccessTokenRow> {
    const parameters = [bundle.id, this.clock.now(), id];
    const [row] = await manager.query<BundleAccessTokenRow[]>(`${SELECT} AND tokens.id = $3`, parameters);
    if (!row) throw new NotFoundError(ErrorCode.BundleAccessTokenNotFound, id);
    return row;
  }

  private expiry(given: string | null | undefined): Date | null {
    const expiresAt = given == null ? null : (parseInstant(given) ?? null);
    if (expiresAt && expiresAt <= this.clock.now()) {
      throw new ValidationError([{ loc: ['body', 'expires_at'], msg: 'Must be in the future.', type: 'value_error' }]);
    }
    return expiresAt;
  }
}
