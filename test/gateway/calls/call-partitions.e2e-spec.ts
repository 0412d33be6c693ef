import { firstIdAt, newId } from '../../../src/database/id';
import { RowRetention } from '../../../src/database/row-retention';
import { CallPartitions } from '../../../src/gateway/calls/call-partitions';
import { CallDay } from '../../../src/gateway/calls/call-partitions.sql';
import { CallStore } from '../../../src/gateway/calls/call-store';
import type { CallRow } from '../../../src/gateway/calls/call-writes.sql';
import { createTestApp, type TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';

const DAY_MS = 24 * 3_600_000;
const DAYS = 90;

let test: TestApp;
let partitions: CallPartitions;
let store: CallStore;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  partitions = test.app.get(CallPartitions);
  store = test.app.get(CallStore);
});

afterAll(() => test.close());

beforeEach(async () => {
  for (const name of await days()) await test.dataSource.query(`DROP TABLE ${name}`);
  await test.dataSource.query(`DELETE FROM endpoint_calls`);
});

async function days(): Promise<string[]> {
  const rows = await test.dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'endpoint_calls'::regclass AND relname <> 'endpoint_calls_default' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const BUNDLE = newId();

function rowAt(instant: Date): CallRow {
  const id = firstIdAt(instant).slice(0, 14) + '7' + newId().slice(15);
  return {
    ...{ bundle_id: BUNDLE, id, deployment_id: null, bundle_version: 1, entry_id: null, method: 'tools/call' },
    ...{ name: 'echo', exposed_name: 'echo', definition_digest: null, principal_type: 'person', principal_id: newId() },
    ...{ client_name: null, client_version: null, era: 'modern', outcome: 'OK', error_code: null, duration_us: 1 },
    ...{ upstream_us: 1, bytes_in: 1, bytes_out: 1, request_id: 'r', trace_id: null, argument_keys: null },
    argument_digest: null,
  };
}

async function placeOf(row: CallRow): Promise<string | undefined> {
  const rows = await test.dataSource.query<{ place: string }[]>(
    `SELECT tableoid::regclass::text AS place FROM endpoint_calls WHERE bundle_id = $1 AND id = $2`,
    [BUNDLE, row.id],
  );
  return rows[0]?.place;
}

describe('The days of the record', () => {
  it('are made ahead, once, however many do that', async () => {
    await Promise.all(Array.from({ length: 4 }, () => partitions.makeAhead()));
    await partitions.makeAhead();
    expect(await days()).toEqual([0, 1, 2, 3].map((ahead) => CallDay.of(new Date(), ahead).table));
  });

  it('have the indexes of the table, and take its rows', async () => {
    await partitions.makeAhead();
    const now = new Date();
    const row = rowAt(now);
    await store.write([row]);
    const { table } = CallDay.of(now);
    expect(await placeOf(row)).toBe(table);
    const [{ count } = { count: 0 }] = await test.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM pg_index WHERE indrelid = $1::regclass`,
      [table],
    );
    expect(count).toBe(5);
  });

  it('lose no row that belongs to none of them, and leave a day alone that has begun without one', async () => {
    const now = new Date();
    const [today, late] = [rowAt(now), rowAt(new Date(now.getTime() + 30 * DAY_MS))];
    await store.write([today, late]);
    expect([await placeOf(today), await placeOf(late)]).toEqual(['endpoint_calls_default', 'endpoint_calls_default']);
    await partitions.makeAhead();
    expect(await days()).toEqual([1, 2, 3].map((ahead) => CallDay.of(now, ahead).table));
    const tomorrow = rowAt(new Date(now.getTime() + DAY_MS));
    await store.write([tomorrow]);
    expect(await placeOf(tomorrow)).toBe(CallDay.of(now, 1).table);
  });

  it('are dropped as a whole when all of them is too old, and not before', async () => {
    const now = new Date();
    const start = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
    const at = (daysAgo: number) => CallDay.of(new Date(now.getTime() - daysAgo * DAY_MS));
    for (const day of [at(DAYS + 2), at(DAYS + 1), at(DAYS), at(1)])
      await test.dataSource.query(
        `CREATE TABLE ${day.table} PARTITION OF endpoint_calls FOR VALUES FROM ('${day.from}') TO ('${day.until}')`,
      );
    const kept = rowAt(new Date(start.getTime() - DAYS * DAY_MS));
    await store.write([kept, rowAt(new Date(start.getTime() - (DAYS + 2) * DAY_MS + 5_000))]);
    let dropped = 0;
    while (await partitions.dropOldest(now)) dropped += 1;
    expect(dropped).toBe(2);
    expect(await days()).toEqual([at(DAYS).table, at(1).table]);
    expect(await placeOf(kept)).toBe(at(DAYS).table);
  });

  it('are dropped by the retention of rows, which deletes old rows that belong to none of them, too', async () => {
    const worker = await createTestApp({ database: test.database, dataDir: test.dataDir, env: { RUN: 'worker' } });
    try {
      const now = Date.now();
      const old = CallDay.of(new Date(now - 200 * DAY_MS));
      await test.dataSource.query(
        `CREATE TABLE ${old.table} PARTITION OF endpoint_calls FOR VALUES FROM ('${old.from}') TO ('${old.until}')`,
      );
      const [gone, kept] = [rowAt(new Date(now - 95 * DAY_MS)), rowAt(new Date(now - 80 * DAY_MS))];
      await store.write([gone, kept]);
      // One process at a time sees to the days, and the worker is still making those ahead.
      const daysLeft = () => worker.app.get(RowRetention).run().then(days);
      await eventually(daysLeft, (left) => !left.includes(old.table), 5_000);
      expect([await placeOf(gone), await placeOf(kept)]).toEqual([undefined, 'endpoint_calls_default']);
    } finally {
      await worker.close();
    }
  });

  it('keep nobody waiting who reads for long: the job tries again later', async () => {
    const now = new Date();
    const old = CallDay.of(new Date(now.getTime() - 200 * DAY_MS));
    await test.dataSource.query(
      `CREATE TABLE ${old.table} PARTITION OF endpoint_calls FOR VALUES FROM ('${old.from}') TO ('${old.until}')`,
    );
    const reader = test.dataSource.createQueryRunner();
    await reader.startTransaction();
    try {
      await reader.query(`SELECT count(*) FROM endpoint_calls`);
      await expect(partitions.dropOldest(now)).rejects.toMatchObject({ code: '55P03' });
      // Writers never wait for readers.
      await store.write([rowAt(now)]);
    } finally {
      await reader.rollbackTransaction();
      await reader.release();
    }
    expect(await partitions.dropOldest(now)).toBe(true);
  });

  it('may be named only as days are', () => {
    for (const name of [
      'endpoint_calls_default',
      'endpoint_calls_20261332',
      'endpoint_calls_2026112',
      'x; DROP TABLE users',
    ])
      expect(CallDay.named(name)).toBeUndefined();
    const day = CallDay.named('endpoint_calls_20240229');
    expect([day?.from, day?.until]).toEqual([
      firstIdAt(new Date('2024-02-29T00:00:00Z')),
      firstIdAt(new Date('2024-03-01T00:00:00Z')),
    ]);
  });
});
