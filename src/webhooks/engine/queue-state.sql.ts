import type { PreparedStatement } from '../../database/prepared';

/** Rows are counted up to this number, which then means as many or more. */
export const COUNTED_UP_TO = 10_000;

/** Tenants and endpoints of each that are looked at: those that have waited longest. */
const MAX_TENANTS = 200;
const MAX_LANES = 20;

/**
 * What waits, at $1, now. Reads indexes from one end, and no more than the bounds above, however long the queue is:
 * with 1,000,000 rows for 2,000 endpoints 14 to 24 ms (`webhook-queue-state.slow-spec.ts`).
 *
 * `due` are deliveries to endpoints that work and that have to be looked at now; one that waits because of the rate limit
 * or the bound of its endpoint is not the fault of the service. `queued` is the estimate of PostgreSQL, with retries and
 * what is in flight.
 */
export const QUEUE_STATE: PreparedStatement = {
  name: 'webhook_queue_state',
  sql: `
  WITH lane AS MATERIALIZED (
    SELECT lane.endpoint_id, lane.generation
    FROM (SELECT tenant_id FROM webhook_tenants WHERE is_doubtful = false AND wake_at <= $1
          ORDER BY wake_at LIMIT ${MAX_TENANTS}) AS tenant
    CROSS JOIN LATERAL (
      SELECT endpoint_id, generation FROM webhook_lanes
      WHERE webhook_lanes.tenant_id = tenant.tenant_id AND is_proven AND failing_since IS NULL AND wake_at <= $1
      ORDER BY wake_at LIMIT ${MAX_LANES}) AS lane
  )
  SELECT
    (SELECT count(*)::int FROM (SELECT FROM webhook_new_events LIMIT ${COUNTED_UP_TO}) AS new) AS events,
    (SELECT noticed_at FROM webhook_new_events ORDER BY event_id LIMIT 1) AS first_event,
    (SELECT count(*)::int FROM (
       SELECT FROM lane CROSS JOIN LATERAL (
         SELECT FROM webhook_queue AS queue
         WHERE queue.endpoint_id = lane.endpoint_id AND queue.generation = lane.generation AND queue.due_at <= $1
         LIMIT ${COUNTED_UP_TO}) AS due LIMIT ${COUNTED_UP_TO}) AS due) AS due,
    (SELECT min(first.due_at) FROM lane CROSS JOIN LATERAL (
       SELECT due_at FROM webhook_queue AS queue
       WHERE queue.endpoint_id = lane.endpoint_id AND queue.generation = lane.generation AND queue.due_at <= $1
       ORDER BY due_at LIMIT 1) AS first) AS first_due,
    pg_stat_get_live_tuples('webhook_queue'::regclass)::int AS queued,
    (SELECT delivery_id FROM webhook_queue ORDER BY delivery_id LIMIT 1) AS first_queued`,
};
