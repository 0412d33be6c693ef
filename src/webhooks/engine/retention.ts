import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { firstIdAt, LEAST_ID } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { WebhookHour } from '../deliveries/webhook-hour.entity';
import { WebhookRemovedEndpoint } from './webhook-removed-endpoint.entity';

const DAY_MS = 24 * 3_600_000;
const EVENTS_AT_ONCE = 500;
const DELIVERIES_AT_ONCE = 1_000;

/** One process at a time; the others have nothing to do. Ends with the transaction. */
const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('webhook retention')) AS alone`;

/** $1 events, $2 how many at most. Those that are still to be sent stay, however old. Gives the deliveries. */
const REMOVE_DELIVERIES = `
  DELETE FROM webhook_deliveries WHERE (event_id, endpoint_id) IN (
    SELECT event_id, endpoint_id FROM webhook_deliveries
    WHERE event_id = ANY ($1::uuid[]) AND status <> 'PENDING' LIMIT $2)
  AND status <> 'PENDING' RETURNING id`;

/** $1 events. In a statement after the deliveries, so that it sees which are left. */
const REMOVE_EVENTS = `
  DELETE FROM events WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = events.id)
    AND NOT EXISTS (SELECT FROM webhook_new_events WHERE event_id = events.id)`;

/**
 * By two minutes later, whatever was being sent to it is written down or never will be. Before, each endpoint is looked at
 * once, those after $1 and $2 (when it was removed, and its id): with every look at all of them, a thousand endpoints that
 * are deleted together would be looked at a million times.
 */
const NEXT_REMOVED = `
  (SELECT endpoint_id, removed_at::text, true AS is_settled FROM webhook_removed_endpoints
   WHERE removed_at < now() - interval '2 minutes' ORDER BY removed_at, endpoint_id LIMIT 1)
  UNION ALL
  (SELECT endpoint_id, removed_at::text, false FROM webhook_removed_endpoints
   WHERE (removed_at, endpoint_id) > ($1::timestamptz, $2::uuid) ORDER BY removed_at, endpoint_id LIMIT 1)
  LIMIT 1`;

/** $1 endpoint, $2 how many at most. */
const REMOVE_DELIVERIES_OF = `
  DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND id IN (
    SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT $2)
  RETURNING id`;

interface RemovedEndpoint {
  endpoint_id: string;
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
      const rows = await many<{ id: string }>(
        manager,
        `SELECT id FROM events WHERE id < $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${EVENTS_AT_ONCE}`,
        [firstIdAt(cutoff), this.position ?? null],
      );
      const ids = rows.map(({ id }) => id);
      const deliveries = await many<{ id: string }>(manager, REMOVE_DELIVERIES, [ids, DELIVERIES_AT_ONCE]);
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
      const deliveries = await many<{ id: string }>(manager, REMOVE_DELIVERIES_OF, [
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

  private async removeAttempts(manager: EntityManager, deliveries: { id: string }[]): Promise<void> {
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
