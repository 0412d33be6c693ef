import { firstIdAt } from '../../database/id';

const DAY_MS = 24 * 3_600_000;
const PREFIX = 'endpoint_calls_';

/** The table of a day. Names have no other origin than this class, since they are part of statements. */
export class CallDay {
  private constructor(
    readonly table: string,
    private readonly start: number,
  ) {}

  /** The day (UTC) of an instant. @param ahead how many days later */
  static of(instant: Date, ahead = 0): CallDay {
    const start = (Math.floor(instant.getTime() / DAY_MS) + ahead) * DAY_MS;
    return new CallDay(PREFIX + new Date(start).toISOString().slice(0, 10).replaceAll('-', ''), start);
  }

  /** @returns undefined if that is not the table of a day */
  static named(table: string): CallDay | undefined {
    const [, year, month, day] = /^endpoint_calls_(\d{4})(\d\d)(\d\d)$/.exec(table) ?? [];
    if (year === undefined) return undefined;
    const instant = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
    const made = Number.isNaN(instant) ? undefined : CallDay.of(new Date(instant));
    return made?.table === table ? made : undefined;
  }

  /** The first id of the day. */
  get from(): string {
    return firstIdAt(new Date(this.start));
  }

  /** The first id after it. */
  get until(): string {
    return firstIdAt(new Date(this.start + DAY_MS));
  }

  /** @returns whether everything in it is older */
  isOver(days: number, now: Date): boolean {
    return this.start + DAY_MS <= now.getTime() - days * DAY_MS;
  }
}

/** One process at a time. Released with the transaction. */
export const ALONE = `SELECT pg_try_advisory_xact_lock(hashtext('days of the record of calls')) AS alone`;

/**
 * Both wait for those who read the table or its default partition, and everyone else then waits for them, so not for long: the
 * next run tries again.
 */
export const SOON_OR_NEVER = `SELECT set_config('lock_timeout', '1s', true)`;

export const DAYS = `
  SELECT partitions.relname::text AS name
  FROM pg_inherits JOIN pg_class AS partitions ON partitions.oid = inhrelid
  WHERE inhparent = 'endpoint_calls'::regclass AND partitions.relname LIKE 'endpoint\\_calls\\_2%'
  ORDER BY partitions.relname`;

/** $1 and $2 the first ids of a day and after it. Then these rows stay where they are, and so does their day. */
export const IS_BY_DEFAULT = `
  SELECT EXISTS (SELECT FROM endpoint_calls_default WHERE id >= $1 AND id < $2) AS is_by_default`;

/** A table of its own at first: attaching it keeps no one from writing to the others, as creating it in place would. */
export function createDay({ table }: CallDay): string {
  return `CREATE TABLE ${table} (LIKE endpoint_calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`;
}

/** Its indexes are made with it. */
export function attachDay({ table, from, until }: CallDay): string {
  return `ALTER TABLE endpoint_calls ATTACH PARTITION ${table} FOR VALUES FROM ('${from}') TO ('${until}')`;
}

export function dropDay({ table }: CallDay): string {
  return `DROP TABLE ${table}`;
}

/**
 * $1 the first id to keep, $2 how many at most. Rows of days without a partition, whether by an accident or because the job
 * did not run.
 */
export const REMOVE_BY_DEFAULT = `
  DELETE FROM endpoint_calls_default WHERE id IN (
    SELECT id FROM endpoint_calls_default WHERE id < $1 ORDER BY id LIMIT $2)`;
