import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { firstIdAt, MIN_ID } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.entity';
import { WebhookHour } from '../deliveries/webhook-hour.entity';
import { ALONE, NEXT_REMOVED, REMOVE_DELIVERIES, REMOVE_DELIVERIES_OF, REMOVE_EVENTS } from './retention.sql';
import { WebhookRemovedEndpoint } from './webhook-removed-endpoint.entity';

const DAY_MS = 24 * 3_600_000;
const EVENT_BATCH_SIZE = 500;
const DELIVERY_BATCH_SIZE = 1_000;

type RemovedDelivery = Pick<Columns<WebhookDelivery>, 'id'>;

interface RemovedEndpoint extends Pick<Columns<WebhookRemovedEndpoint>, 'endpoint_id'> {
  /** As text, because a round starts at '-infinity'. */
  removed_at: string;
  /** Whether no more results can arrive. */
  is_settled: boolean;
}

/**
 * Removes expired rows, and what deleted endpoints left behind, in small batches. Each batch finds its rows by index,
 * so the cost depends on the rows removed, not on those kept.
 */
@Injectable()
export class Retention {
  /** The last event visited in this round; a round skips what cannot be removed yet. */
  private position: string | undefined;
  /** Removal time and id of the removed endpoint visited last. */
  private lastRemoved: [removedAt: string, endpointId: string] = ['-infinity', MIN_ID];

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Removes events older than WEBHOOKS_RETENTION_DAYS with their deliveries and attempts.
   *
   * @returns whether the round continues; the next call after its end starts a new one
   */
  async removeOld(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - this.environment.webhooksRetentionDays * DAY_MS);
    const events = await this.exclusively(async (manager) => {
      const rows = await many<Pick<Columns<EventRow>, 'id'>>(
        manager,
        `SELECT id FROM events WHERE id < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${EVENT_BATCH_SIZE}`,
        [firstIdAt(cutoff), this.position ?? null],
      );
      const ids = rows.map(({ id }) => id);
      const deliveries = await many<RemovedDelivery>(manager, REMOVE_DELIVERIES, [ids, DELIVERY_BATCH_SIZE]);
      await this.removeAttempts(manager, deliveries);
      if (deliveries.length === DELIVERY_BATCH_SIZE) return 'repeat';
      await execute(manager, REMOVE_EVENTS, [ids]);
      if (ids.length < EVENT_BATCH_SIZE) {
        await execute(manager, `DELETE FROM webhook_hours WHERE hour < $1`, [cutoff]); // only the rows of ten minutes
        await execute(manager, `DELETE FROM webhook_recoveries WHERE finished_at < $1`, [cutoff]);
      }
      return ids;
    });
    if (events === 'repeat') return true;
    const hasMore = events?.length === EVENT_BATCH_SIZE;
    this.position = hasMore ? events.at(-1) : undefined;
    return hasMore;
  }

  /**
   * Removes a batch of rows that a deleted endpoint left behind.
   *
   * @returns whether there is more
   */
  async removeOrphans(): Promise<boolean> {
    const hasMore = await this.exclusively(async (manager) => {
      const endpoint = await maybe<RemovedEndpoint>(manager, NEXT_REMOVED, this.lastRemoved);
      if (!endpoint) return false;
      const deliveries = await many<RemovedDelivery>(manager, REMOVE_DELIVERIES_OF, [
        endpoint.endpoint_id,
        DELIVERY_BATCH_SIZE,
      ]);
      await this.removeAttempts(manager, deliveries);
      await execute(manager, `DELETE FROM webhook_queue WHERE delivery_id = ANY ($1::uuid[])`, [
        deliveries.map(({ id }) => id),
      ]);
      if (deliveries.length === DELIVERY_BATCH_SIZE) return true;
      if (!endpoint.is_settled) {
        this.lastRemoved = [endpoint.removed_at, endpoint.endpoint_id];
        return true;
      }
      await manager.delete(WebhookHour, { endpointId: endpoint.endpoint_id });
      await manager.delete(WebhookRemovedEndpoint, { endpointId: endpoint.endpoint_id });
      return true;
    });
    return hasMore ?? false;
  }

  private async removeAttempts(manager: EntityManager, deliveries: readonly RemovedDelivery[]): Promise<void> {
    await execute(manager, `DELETE FROM webhook_attempts WHERE delivery_id = ANY ($1::uuid[])`, [
      deliveries.map(({ id }) => id),
    ]);
  }

  /** @returns undefined if another process is running */
  private async exclusively<T>(work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? work(manager) : undefined;
    });
  }
}
