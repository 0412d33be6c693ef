import type { EntityManager } from 'typeorm';
import { currentTrace } from '../database/deadline';
import { newId } from '../database/id';
import { prepared, type PreparedStatement } from '../database/prepared';
import { execute } from '../database/statements';
import { formatTraceparent } from '../tracing/trace-context';
import type { EventType, EventTypes } from './event-types';
import { recordGiven } from './outbox.sql';

/**
 * Something that happened, to be sent to the endpoints of the owner. The `*.events.ts` of each module declares the data
 * of its types.
 */
export interface DomainEvent<T extends EventType> {
  type: T;
  /** The tenant that owns the thing; null or absent for a personal thing. */
  orgId?: string | null;
  /** The owner of a personal thing. A thing of the platform itself has neither. */
  ownerId?: string | null;
  data: EventTypes[T];
  /** `causingTrace()` of the request that caused it, if that is not the current one. */
  traceparent?: string | null;
}

const RECORD: PreparedStatement = {
  name: 'event_record',
  sql: `INSERT INTO events (id, type, org_id, owner_id, data, traceparent) VALUES ($1, $2, $3, $4, $5, $6)`,
};

/**
 * Records an event in the transaction of the change that causes it, so that neither exists without the other.
 *
 * @param manager of that transaction
 */
export async function record<T extends EventType>(
  manager: EntityManager,
  { type, orgId, ownerId, data, traceparent = causingTrace() }: DomainEvent<T>,
): Promise<void> {
  if (!manager.queryRunner?.isTransactionActive) throw new Error(`${type} was recorded outside a transaction.`);
  await prepared(manager, RECORD, [
    newId(),
    type,
    orgId ?? null,
    orgId ? null : (ownerId ?? null),
    JSON.stringify(data),
    traceparent,
  ]);
}

/** Any event, with data that matches its type. */
export type AnyDomainEvent = { [T in EventType]: DomainEvent<T> }[EventType];

/**
 * The same for many events of one change, in one statement, in order.
 *
 * @param manager of the transaction of the change
 */
export async function recordAll(manager: EntityManager, events: readonly AnyDomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  if (!manager.queryRunner?.isTransactionActive)
    throw new Error(`${events[0]?.type} was recorded outside a transaction.`);
  await execute(manager, recordGiven('$1'), [eventRows(events)]);
}

/**
 * The trace of the change, which the deliveries of its events link to; for statements with `recordRows`.
 *
 * @returns a `traceparent`, or null if the change belongs to no trace
 */
export function causingTrace(): string | null {
  const trace = currentTrace();
  return trace ? formatTraceparent(trace) : null;
}

/** @returns the parameter of `recordGiven` */
export function eventRows(events: readonly AnyDomainEvent[]): string {
  const current = causingTrace();
  const rows = events.map(({ type, orgId, ownerId, data, traceparent = current }) => ({
    id: newId(),
    type,
    org_id: orgId ?? null,
    owner_id: orgId ? null : (ownerId ?? null),
    data,
    traceparent,
  }));
  return JSON.stringify(rows);
}
