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
 * Milliseconds that a request gets for its log row after its own deadline. Under load that happens when many wait for
 * one organisation, which is exactly when the log matters; an unresponsive database delays the response by as much.
 */
const ROW_MS = 500;

interface Group {
  /** As JSON. */
  rows: string[];
  written: Promise<void>;
}

/**
 * Writes rows of the provisioning log in groups: those of requests that end while the previous group is being written
 * share a statement. No row waits for others to come, and none counts as written before it is.
 */
export class LogGroups {
  private next: Group | undefined;
  private current: Promise<unknown> = Promise.resolve();

  constructor(private readonly dataSource: DataSource) {}

  /** @throws what the database throws for this row alone */
  async write(row: LogRow): Promise<void> {
    const json = JSON.stringify(row);
    const group = this.join(json);
    try {
      await group.written;
    } catch (error) {
      // The row of another request, or its deadline, may be the reason. The group may also have been written after all.
      if (group.rows.length === 1) throw error;
      await withDatabaseTimeAtLeast(ROW_MS, () => this.insert([json]));
    }
  }

  private join(row: string): Group {
    if (this.next && this.next.rows.length < CHUNK) {
      this.next.rows.push(row);
      return this.next;
    }
    const group: Group = { rows: [row], written: Promise.resolve() };
    this.next = group;
    group.written = withDatabaseTimeAtLeast(ROW_MS, () => this.writeNext(group));
    return group;
  }

  /** In the time of the request that began the group, which is the earliest. */
  private async writeNext(group: Group): Promise<void> {
    try {
      await withinDatabaseDeadline(this.current);
    } finally {
      if (this.next === group) this.next = undefined;
    }
    const inserted = this.insert(group.rows);
    this.current = inserted.catch(() => undefined);
    await inserted;
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
