import type { DataSource, EntityManager } from 'typeorm';
import { DECLARED } from '../../src/app.module';
import type { EventType } from '../../src/events/event-types';
import { eventually } from './eventually';

/** The environment of a test app that sends webhooks to receivers on the loopback. */
export const SENDING = {
  RUN: 'api,worker',
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
};

/** A delivery and its place in the queue. */
export interface DeliveryState {
  id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  response_status: number | null;
  error: string | null;
  /** Null: not queued. */
  due_at: Date | null;
  step: number | null;
  is_claimed: boolean | null;
}

/** In the order in which they were made. */
export async function deliveriesOf(dataSource: DataSource, endpointId: string): Promise<DeliveryState[]> {
  return dataSource.query<DeliveryState[]>(
    `SELECT deliveries.id, deliveries.event_id, status, attempt_count, response_status, error,
            queue.due_at, queue.step, queue.claim_id IS NOT NULL AS is_claimed
     FROM webhook_deliveries AS deliveries LEFT JOIN webhook_queue AS queue ON queue.delivery_id = deliveries.id
     WHERE deliveries.endpoint_id = $1 ORDER BY deliveries.id`,
    [endpointId],
  );
}

/** Waits until the deliveries of an endpoint are as they should be. */
export function deliveriesWhen(
  dataSource: DataSource,
  endpointId: string,
  isGood: (deliveries: DeliveryState[]) => boolean,
  within = 10_000,
): Promise<DeliveryState[]> {
  return eventually(() => deliveriesOf(dataSource, endpointId), isGood, within);
}

/** Records events of an organisation as a change does, one transaction for all of them. Their data is the example's. */
export async function recordEvents(
  dataSource: DataSource | EntityManager,
  orgId: string,
  count = 1,
  type: EventType = 'bundle.created',
): Promise<string[]> {
  const data = DECLARED.events.all.find(({ event_type }) => event_type === type)?.example.data;
  const rows = await dataSource.query<{ id: string }[]>(
    `INSERT INTO events (id, type, org_id, data) SELECT uuid_v7(), $1, $2, $3 FROM generate_series(1, $4) RETURNING id`,
    [type, orgId, JSON.stringify(data), count],
  );
  return rows.map(({ id }) => id);
}

/** Makes every worker look whether something is due, without waiting for its next look. */
export async function nudge(dataSource: DataSource): Promise<void> {
  await dataSource.query(`SELECT pg_notify('webhook_deliveries', '')`);
}
