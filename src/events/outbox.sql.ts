import type { EventType } from './event-types';

/** SQL expressions over the rows that an event is recorded for. */
interface RecordedRows {
  /** An id of version 7; a new one for each row if absent. */
  id?: string;
  /** Of which type each event is. Every value must be an `EventType`. */
  type: `'${EventType}'` | 'action';
  orgId: string;
  /** A jsonb object in the shape that the type declares. */
  data: string;
  /** What follows FROM. */
  from: string;
}

/**
 * `record()` for a statement that changes thousands of rows: a part of that statement writes one event of a tenant for
 * each of them, and no row has to travel to the program and back. TypeScript cannot check `data` here; the tests
 * hold every event that is recorded against the schema of its type.
 */
export function recordRows({ id = 'uuid_v7()', type, orgId, data, from }: RecordedRows): string {
  return `INSERT INTO events (id, type, org_id, data) SELECT ${id}, ${type}, ${orgId}, ${data} FROM ${from}`;
}

/**
 * `recordAll()` as a part of the statement that makes the change, which saves a round trip.
 *
 * @param rows the parameter with `eventRows()`
 */
export function recordGiven(rows: string): string {
  return `
  INSERT INTO events (id, type, org_id, owner_id, data)
  SELECT id, type, org_id, owner_id, data
  FROM jsonb_to_recordset(${rows}::jsonb) AS given(id uuid, type text, org_id uuid, owner_id uuid, data jsonb) ORDER BY id`;
}
