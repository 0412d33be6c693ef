import type { EventType } from './event-types';

/** SQL expressions over the rows that an event is recorded for. */
interface RecordedRows {
  /** An id of version 7; a new one for each row if absent. */
  id?: string;
  /** The expression gives the type of each event. Every value must be an `EventType`. */
  type: `'${EventType}'` | 'action';
  orgId: string;
  /** Null where `orgId` is not; absent if no event has one. */
  ownerId?: string;
  /** A jsonb object in the shape that the type declares. */
  data: string;
  /** The parameter with `causingTrace()`. */
  trace: `$${number}` | 'traceparent';
  /** What follows FROM. */
  from: string;
}

/**
 * `record()` as a part of the statement that changes the rows: it writes one event for each of them. For statements that
 * change thousands, so that no row has to travel to the program and back, and for those that save a round trip.
 * TypeScript cannot check `data` here; the tests hold every event that is recorded against the schema of its type.
 */
export function recordRows({
  id = 'uuid_v7()',
  type,
  orgId,
  ownerId = 'NULL::uuid',
  data,
  trace,
  from,
}: RecordedRows): string {
  return `INSERT INTO events (id, type, org_id, owner_id, data, traceparent) SELECT ${id}, ${type}, ${orgId}, ${ownerId}, ${data}, ${trace}::text FROM ${from}`;
}

/**
 * `recordAll()` as a part of the statement that makes the change, which saves a round trip.
 *
 * @param rows the parameter with `eventRows()`
 */
export function recordGiven(rows: string): string {
  return `
  INSERT INTO events (id, type, org_id, owner_id, data, traceparent)
  SELECT id, type, org_id, owner_id, data, traceparent
  FROM jsonb_to_recordset(${rows}::jsonb)
    AS given(id uuid, type text, org_id uuid, owner_id uuid, data jsonb, traceparent text) ORDER BY id`;
}
