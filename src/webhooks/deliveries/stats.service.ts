import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { many, maybe } from '../../database/statements';
import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';
import { WebhookEndpointFinder } from '../endpoints/webhook-endpoint-finder';
import { BacklogRow, HourRow, MAX_PENDING, toStats, WebhookStatsOut, WebhookStatsQuery } from './stats.dto';

const HOUR_MS = 3_600_000;
const DEFAULT_MS = 24 * HOUR_MS;
const MAX_MS = 31 * 24 * HOUR_MS;

/** $1 endpoint, $2 from (inclusive), $3 to (exclusive). */
const HOURS = `
  SELECT hour, succeeded, failed, latencies FROM webhook_hours
  WHERE endpoint_id = $1 AND hour >= $2 AND hour < $3 ORDER BY hour`;

/** $1 endpoint. Void rows do not count. */
const BACKLOG = `
  SELECT lanes.failing_since,
         (SELECT count(*)::int FROM (
            SELECT FROM webhook_queue AS queue
            WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation
            LIMIT ${MAX_PENDING + 1}) AS queued) AS pending,
         (SELECT queue.due_at FROM webhook_queue AS queue
          WHERE queue.endpoint_id = lanes.endpoint_id AND queue.generation = lanes.generation
            AND queue.claim_id IS NULL
          ORDER BY queue.due_at LIMIT 1) AS oldest_pending_at
  FROM webhook_lanes AS lanes WHERE lanes.endpoint_id = $1`;

/** Statistics of an endpoint. */
@Injectable()
export class WebhookStatsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly clock: Clock,
  ) {}

  /**
   * The hours of `from` and `to` are counted in full.
   *
   * @throws ValidationError if the period is empty or too long; NotFoundError; InsufficientRoleError
   */
  async get(caller: Caller, endpointId: string, query: WebhookStatsQuery): Promise<WebhookStatsOut> {
    const { from, to } = spanOf(query, this.clock.now());
    await this.finder.manageableUnlocked(this.dataSource.manager, caller, endpointId);
    const hours = await many<HourRow>(this.dataSource, HOURS, [endpointId, from, to]);
    const backlog = await maybe<BacklogRow>(this.dataSource, BACKLOG, [endpointId]);
    return toStats(from, to, hours, backlog);
  }
}

/** @returns whole hours */
function spanOf(query: WebhookStatsQuery, now: Date): { from: Date; to: Date } {
  const requestedTo = (query.to === undefined ? undefined : parseInstant(query.to)) ?? now;
  const to = requestedTo < now ? requestedTo : now;
  const from = (query.from === undefined ? undefined : parseInstant(query.from)) ?? new Date(to.getTime() - DEFAULT_MS);
  if (from >= to) throw fault('Must be in the past and earlier than to.');
  if (to.getTime() - from.getTime() > MAX_MS) throw fault('Must be at most 31 days before to.');
  return {
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
  };
}

function fault(msg: string): ValidationError {
  return new ValidationError([{ loc: ['query', 'from'], msg, type: 'value_error' }]);
}
