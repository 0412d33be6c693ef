import type { DataSource } from 'typeorm';
import { withDatabaseTimeAtLeast, withinDatabaseDeadline } from '../../database/deadline';
import { prepared } from '../../database/prepared';

/** $1 rows as JSON. Those of a group that was written without the program learning of it may come again. */
export const INSERT_LOG_ENTRIES = {
  name: 'scim log',
  sql: `
  INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, resource_type, resource_id,
                        body, scim_type, error, ignored, notes, bulk_entry_id, bulk_index)
  SELECT id, org_id, token_id, request_id, method, path, status, duration_ms, resource_type, resource_id,
         body, scim_type, error, ignored, notes, bulk_entry_id, bulk_index
  FROM jsonb_to_recordset($1::jsonb) AS given (
    id uuid, org_id uuid, token_id uuid, request_id text, method text, path text, status integer, duration_ms integer,
    resource_type text, resource_id text, body jsonb, scim_type text, error text, ignored text[], notes text[],
    bulk_entry_id uuid, bulk_index integer)
  ON CONFLICT ON CONSTRAINT scim_log_pkey DO NOTHING`,
};

/** A row except for the ids, with column names. */
export type LogRow = Record<string, unknown>;

/** Rows per statement: few enough that building them, with up to 16 KiB each, does not block the event loop. */
export const CHUNK = 25;

/**
 * Milliseconds that a request gets for its log row after its own deadline: to wait for its group, and again for each
 * statement. Under load that happens when many wait for one organisation, which is exactly when the log matters; an
 * unresponsive database delays the response by as much: three times at most, which with the four seconds of the request
 * itself is less than five.
 */
const ROW_MS = 250;

interface Group {
  /** As JSON. */
  rows: string[];
  /** Whether its own statement was begun. */
  isSent: boolean;
  written: Promise<void>;
}

/**
 * Writes rows of the provisioning log in groups: those of requests that end while the previous group is being written
 * share a statement. No row waits for others to come, and none counts as written before it is.
 */
export class LogGroups {
  private next: Group | undefined;
  /** Settled when all groups so far have ended. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly dataSource: DataSource) {}

  /** @throws what the database throws for this row alone */
  async write(row: LogRow): Promise<void> {
    const json = JSON.stringify(row);
    const group = this.join(json);
    const isFirst = group.rows.length === 1;
    try {
      // The group has the time of the request that began it, which may be longer than that of another.
      await (isFirst ? group.written : withDatabaseTimeAtLeast(ROW_MS, () => withinDatabaseDeadline(group.written)));
    } catch (error) {
      // The row of another request, its deadline, or a slow group before may be the reason. The group may also have been
      // written after all.
      if (group.isSent && group.rows.length === 1) throw error;
      await withDatabaseTimeAtLeast(ROW_MS, () => this.insert([json]));
    }
  }

  private join(row: string): Group {
    if (this.next && this.next.rows.length < CHUNK) {
      this.next.rows.push(row);
      return this.next;
    }
    const group: Group = { rows: [row], isSent: false, written: Promise.resolve() };
    const previous = this.last;
    this.next = group;
    group.written = withDatabaseTimeAtLeast(ROW_MS, () => this.writeAfter(previous, group));
    // Even if this group gives up waiting, the next one must still wait for the one before.
    this.last = Promise.allSettled([previous, group.written]);
    return group;
  }

  /** In the time of the request that began the group. */
  private async writeAfter(previous: Promise<unknown>, group: Group): Promise<void> {
    try {
      await withinDatabaseDeadline(previous);
    } finally {
      if (this.next === group) this.next = undefined;
    }
    group.isSent = true;
    await withDatabaseTimeAtLeast(ROW_MS, () => this.insert(group.rows));
  }

  private async insert(rows: readonly string[]): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await prepared(runner.manager, INSERT_LOG_ENTRIES, [`[${rows.join(',')}]`]);
    } finally {
      await runner.release();
    }
  }
}
