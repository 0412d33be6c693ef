import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { newId } from '../../database/id';
import { newestFirst } from '../../database/keyset';
import { one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, requireFound } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { wakeWorkers } from '../queue/delivery-queue';
import { WebhookEndpointFinder } from '../endpoints/webhook-endpoint-finder';
import { requireEnabled } from './enabled-endpoint';
import { type ShownRecovery, toRecovery, WebhookRecoveryCreate, WebhookRecoveryOut } from './recovery.dto';
import { spanOf } from './recovery-span';
import { WebhookRecovery } from './webhook-recovery.entity';

/** $1 id, $2 endpoint, $3 requesting user, $4 since, $5 until, $6 whether to include missing deliveries, $7 now. */
const INSERT = `
  INSERT INTO webhook_recoveries
    (id, endpoint_id, requested_by, since, until, include_missing, created_at, generation)
  SELECT $1, $2, $3, $4, $5, $6, $7, generation FROM webhook_lanes WHERE endpoint_id = $2
  RETURNING id, status, since, until, include_missing AS "includeMissing", position, scanned, queued,
            created_at AS "createdAt", finished_at AS "finishedAt"`;

/** A cursor is valid only for its own endpoint. */
const listOf = (endpointId: string) => `webhook recoveries of ${endpointId}`;

/** Requests to redeliver what an endpoint missed. `RecoveryRunner` executes them. */
@Injectable()
export class RecoveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ValidationError if the period is empty; NotFoundError; InsufficientRoleError; ConflictError if the endpoint
   *   is disabled, or (translated) if one of its recoveries is running
   */
  async start(caller: Caller, endpointId: string, input: WebhookRecoveryCreate): Promise<WebhookRecoveryOut> {
    const now = this.clock.now();
    const { since, until } = spanOf(input, now);
    return inTransaction(this.dataSource, async (manager) => {
      const endpoint = await this.finder.manageable(manager, caller, endpointId);
      requireEnabled(endpoint);
      const recovery = await one<ShownRecovery>(manager, INSERT, [
        newId(),
        endpointId,
        caller.userId,
        since,
        until,
        input.include_missing ?? false,
        now,
      ]);
      await wakeWorkers(manager);
      return toRecovery(recovery);
    });
  }

  /**
   * Newest first.
   *
   * @throws NotFoundError; InsufficientRoleError; ValidationError for the cursor
   */
  async list(caller: Caller, endpointId: string, query: PageQuery): Promise<Page<WebhookRecoveryOut>> {
    const page = this.pages.open(listOf(endpointId), query, {});
    await this.finder.manageableUnlocked(this.dataSource.manager, caller, endpointId);
    const recoveries = await this.dataSource.manager.find(WebhookRecovery, newestFirst({ endpointId }, page));
    return page.close(recoveries, toRecovery);
  }

  /** @throws NotFoundError, also for a recovery of another endpoint; InsufficientRoleError */
  async get(caller: Caller, endpointId: string, id: string): Promise<WebhookRecoveryOut> {
    const { manager } = this.dataSource;
    await this.finder.manageableUnlocked(manager, caller, endpointId);
    return toRecovery(await this.find(manager, endpointId, id));
  }

  /**
   * Stops a running recovery. Deliveries that it has queued stay queued.
   *
   * @throws NotFoundError; InsufficientRoleError; ConflictError if it has already ended
   */
  async cancel(caller: Caller, endpointId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      // Locks the endpoint, as every step of the recovery does.
      await this.finder.manageable(manager, caller, endpointId);
      const { status } = await this.find(manager, endpointId, id);
      if (status !== 'RUNNING') {
        throw new ConflictError(ErrorCode.WebhookRecoveryConflict, `The recovery has already ended: it is ${status}.`);
      }
      await manager.update(WebhookRecovery, { id }, { status: 'CANCELLED', finishedAt: this.clock.now() });
    });
  }

  private async find(manager: EntityManager, endpointId: string, id: string): Promise<WebhookRecovery> {
    const recovery = await manager.findOneBy(WebhookRecovery, { endpointId, id });
    return requireFound(recovery, ErrorCode.WebhookRecoveryNotFound, id);
  }
}
