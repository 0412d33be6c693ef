import { GREATEST_ID, MIN_ID } from '../../database/id';
import { idsWithin } from '../../database/keyset';
import type { PageRequest } from '../../http/requests/page';
import { RESPONSE_CLASSES, type ResponseClass } from './delivery.dto';
import { DELIVERY_STATUSES } from './delivery-status';

/** The filter of a list, as contained in its cursors. */
export interface DeliveryFilter extends Record<string, string | undefined> {
  status?: string;
  event_type?: string;
  response_class?: string;
  /** Inclusive; an instant. */
  from?: string;
  /** Exclusive. */
  to?: string;
}

/**
 * The columns of a delivery of endpoint $1 that clients see. The queue's due time applies only while nobody is sending
 * the delivery and its queue row is not void; see `DeliveryOut.next_attempt_at`.
 */
const SHOWN = `
  deliveries.id, deliveries.event_id, deliveries.event_type, deliveries.status, deliveries.attempt_count,
  deliveries.response_status, deliveries.error, deliveries.last_attempt_at,
  CASE WHEN deliveries.status = 'PENDING' THEN (
    SELECT queue.due_at FROM webhook_queue AS queue
    WHERE queue.delivery_id = deliveries.id AND queue.claim_id IS NULL
      AND queue.generation = (SELECT lanes.generation FROM webhook_lanes AS lanes WHERE lanes.endpoint_id = $1)
  ) END AS next_attempt_at`;

/** $1 endpoint, $2 delivery. */
export const FIND = `
  SELECT ${SHOWN} FROM webhook_deliveries AS deliveries WHERE deliveries.endpoint_id = $1 AND deliveries.id = $2`;

/*
 * The lists below must not depend on planner estimates. Statistics may be a day old and miss a status or an endpoint
 * that has a million deliveries by now; depending on what looks rare or frequent, the planner would choose another
 * index and filter or sort that million. So a list starts at a position in one index and reads some rows from there,
 * written so that no other index qualifies:
 *
 * - In the filter index, event type and id are compared as a row and ordered by both, because only this index has that
 *   order. With `event_type = … ORDER BY id`, the primary key would qualify too.
 * - The endpoint is a subquery, so that the planner uses averages instead of the statistics of this endpoint.
 * - The older end of a period is cut off after the limit: PostgreSQL before version 18 does not stop where the second
 *   column of a row comparison is out of bounds.
 */

const ENDPOINT = '(SELECT $1::uuid)';

/** The deliveries whose ids are in `page`. */
const PAGE = `
  SELECT ${SHOWN} FROM page CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries WHERE (endpoint_id, id) >= (${ENDPOINT}, page.id)
    ORDER BY endpoint_id, id LIMIT 1) AS deliveries
  ORDER BY deliveries.id DESC`;

/** $1 endpoint, $2 and $3 ids from (inclusive) and until (exclusive), $4 maximum number of rows; newest first. */
const LIST = `
  WITH page AS MATERIALIZED (
    SELECT newest.id FROM (
      SELECT id FROM webhook_deliveries WHERE endpoint_id = ${ENDPOINT} AND id < (SELECT $3::uuid)
      ORDER BY id DESC LIMIT $4) AS newest
    WHERE newest.id >= $2
  ) ${PAGE}`;

/** The first event type after `eventType` with the status and class of `kind`. */
function nextType(kind: string, eventType: string): string {
  return `
    SELECT ${kind}.status, ${kind}.response_class, next.event_type FROM ${kind} CROSS JOIN LATERAL (
      SELECT event_type FROM webhook_deliveries
      WHERE endpoint_id = ${ENDPOINT} AND status = ${kind}.status AND response_class = ${kind}.response_class
        AND (event_type, id) >= (${eventType}, '${GREATEST_ID}')
      ORDER BY event_type, id LIMIT 1) AS next`;
}

/** The newest ids of `kind`. */
function newestOf(kind: string, count: string): string {
  return `
      SELECT newest.id FROM (
        SELECT id FROM webhook_deliveries
        WHERE endpoint_id = ${ENDPOINT} AND status = ${kind}.status AND response_class = ${kind}.response_class
          AND (event_type, id) >= (${kind}.event_type, '${MIN_ID}') AND (event_type, id) < (${kind}.event_type, $3)
        ORDER BY event_type DESC, id DESC LIMIT ${count}) AS newest
      WHERE newest.id >= $2`;
}

/** The number of ids of each kind that are read first. */
const FEW = `($4 / 8 + 1)`;

/**
 * The list with filters: $5 statuses, $6 classes, and $7 an event type, if there is one in the filter. A kind is a
 * combination of status, class and event type. There are at most a few hundred, found by jumping from one to the next
 * in the index. The page is merged from the newest ids of every kind: first a few ids of each, then more only of kinds
 * that may have more for this page. So the cost depends on the number of kinds and the page size, not on how many
 * deliveries there are or how rare the matching ones are.
 *
 * @param ofOneType whether the filter has an event type
 */
function listFiltered(ofOneType: boolean): string {
  const oneType = `SELECT chosen.status, chosen.response_class, $7::text FROM chosen`;
  const allTypes = `${nextType('chosen', `''`)} UNION ALL ${nextType('kinds', 'kinds.event_type')}`;
  return `
  WITH RECURSIVE chosen (status, response_class) AS MATERIALIZED (
    SELECT status, response_class FROM unnest($5::text[]) AS status CROSS JOIN unnest($6::smallint[]) AS response_class
  ),
  kinds (status, response_class, event_type) AS (${ofOneType ? oneType : allTypes}
  ),
  head AS MATERIALIZED (
    SELECT kinds.*, ARRAY(${newestOf('kinds', FEW)}
      ORDER BY newest.id DESC) AS ids FROM kinds
  ),
  -- Nothing older than this is on the page.
  bound AS MATERIALIZED (
    SELECT id FROM head CROSS JOIN unnest(ids) AS id ORDER BY id DESC OFFSET $4 - 1 LIMIT 1
  ),
  page AS MATERIALIZED (
    SELECT id FROM head CROSS JOIN unnest(ids) AS id
    UNION
    SELECT more.id FROM head CROSS JOIN LATERAL (${newestOf('head', '$4')}) AS more
    WHERE cardinality(head.ids) = ${FEW} AND COALESCE(head.ids[${FEW}] > (SELECT id FROM bound), true)
    ORDER BY id DESC LIMIT $4
  ) ${PAGE}`;
}

/** Every possible first digit of a status. */
const ALL_CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** @returns the statement for one page of the list of an endpoint, and its parameters */
export function listDeliveries(
  endpointId: string,
  { filter, after, take }: PageRequest<DeliveryFilter>,
): [sql: string, parameters: unknown[]] {
  const { status, event_type, response_class } = filter;
  const parameters = [endpointId, ...idsWithin(filter, after), take];
  if (status === undefined && event_type === undefined && response_class === undefined) return [LIST, parameters];
  const statuses = status === undefined ? DELIVERY_STATUSES : [status];
  const classes =
    response_class === undefined ? ALL_CLASSES : [RESPONSE_CLASSES.indexOf(response_class as ResponseClass)];
  const types = event_type === undefined ? [] : [event_type];
  return [listFiltered(event_type !== undefined), [...parameters, statuses, classes, ...types]];
}
