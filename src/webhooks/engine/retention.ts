import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { firstIdAt, LEAST_ID } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { EventRow } from '../../events/event.entity';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.entity';
import { WebhookHour } from '../deliveries/webhook-hour.entity';
import { ALONE, NEXT_REMOVED, REMOVE_DELIVERIES, REMOVE_DELIVERIES_OF, REMOVE_EVENTS } from './retention.sql';
import { WebhookRemovedEndpoint } from './webhook-removed-endpoint.entity';

const DAY_MS = 24 * 3_600_000;
const EVENTS_AT_ONCE = 500;
const DELIVERIES_AT_ONCE = 1_000;

type RemovedDelivery = Pick<Columns<WebhookDelivery>, 'id'>;

interface RemovedEndpoint extends Pick<Columns<WebhookRemovedEndpoint>, 'endpoint_id'> {
  /** As text, since a round begins at '-infinity'. */
  removed_at: string;
  /** Whether nothing can come any more of what was being sent. */
  is_settled: boolean;
}

/**
 * Removes what is old, and what deleted endpoints left behind, in small batches: each finds its rows by an index, so the
 * cost is that of the rows that go, however many stay.
 */
@Injectable()
export class Retention {
  /** The last event of this round that was looked at; a round passes by what cannot go yet. */
  private position: string | undefined;
  /** The removed endpoint that was looked at last: when it was removed, and its id. */
  private lastRemoved: [removedAt: string, endpointId: string] = ['-infinity', LEAST_ID];

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Events that are older than WEBHOOKS_RETENTION_DAYS, with their deliveries and attempts.
   *
   * @returns whether the round goes on; the next call after its end begins another one
   */
  async removeOld(): Promise<boolean> {
    const cutoff = new Date(this.clock.now().getTime() - this.environment.webhooksRetentionDays * DAY_MS);
    const events = await this.alone(async (manager) => {
      const rows = await many<Pick<Columns<EventRow>, 'id'>>(
        manager,
        `SELECT id FROM events WHERE id < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${EVENTS_AT_ONCE}`,
        [firstIdAt(cutoff), this.position ?? null],
      );
      const ids = rows.map(({ id }) => id);
      const deliveries = await many<RemovedDelivery>(manager, REMOVE_DELIVERIES, [ids, DELIVERIES_AT_ONCE]);
      await this.removeAttempts(manager, deliveries);
      if (deliveries.length === DELIVERIES_AT_ONCE) return 'the same again';
      await execute(manager, REMOVE_EVENTS, [ids]);
      if (ids.length < EVENTS_AT_ONCE) {
        await execute(manager, `DELETE FROM webhook_hours WHERE hour < $1`, [cutoff]); // as many as came in ten minutes
        await execute(manager, `DELETE FROM webhook_recoveries WHERE finished_at < $1`, [cutoff]);
      }
      return ids;
    });
    if (events === 'the same again') return true;
    const goesOn = events?.length === EVENTS_AT_ONCE;
    this.position = goesOn ? events.at(-1) : undefined;
    return goesOn;
  }

  /**
   * What an endpoint that was deleted left behind.
   *
   * @returns whether there is more
   */
  async removeOrphans(): Promise<boolean> {
    const more = await this.alone(async (manager) => {
      const endpoint = await maybe<RemovedEndpoint>(manager, NEXT_REMOVED, this.lastRemoved);
      if (!endpoint) return false;
      const deliveries = await many<RemovedDelivery>(manager, REMOVE_DELIVERIES_OF, [
        endpoint.endpoint_id,
        DELIVERIES_AT_ONCE,
      ]);
      await this.removeAttempts(manager, deliveries);
      await execute(manager, `DELETE FROM webhook_queue WHERE delivery_id = ANY ($1::uuid[])`, [
        deliveries.map(({ id }) => id),
      ]);
      if (deliveries.length === DELIVERIES_AT_ONCE) return true;
      if (!endpoint.is_settled) {
        this.lastRemoved = [endpoint.removed_at, endpoint.endpoint_id];
        return true;
      }
      await manager.delete(WebhookHour, { endpointId: endpoint.endpoint_id });
      await manager.delete(WebhookRemovedEndpoint, { endpointId: endpoint.endpoint_id });
      return true;
    });
    return more ?? false;
  }

  private async removeAttempts(manager: EntityManager, deliveries: readonly RemovedDelivery[]): Promise<void> {
    await execute(manager, `DELETE FROM webhook_attempts WHERE delivery_id = ANY ($1::uuid[])`, [
      deliveries.map(({ id }) => id),
    ]);
  }

  /** @returns undefined when another process is at it */
  private async alone<T>(work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
    return inTransaction(this.dataSource, async (manager) => {
      const { alone } = await one<{ alone: boolean }>(manager, ALONE);
      return alone ? work(manager) : undefined;
    });
  }
}
