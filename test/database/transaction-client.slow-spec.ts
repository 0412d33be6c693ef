import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { prepared } from '../../src/database/prepared';
import { commitTogether, inTransaction } from '../../src/database/transaction';
import type { TransactionClient } from '../../src/database/transaction-client';
import { execute, many, one } from '../../src/database/statements';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';

const ADD = { name: 'test_add', sql: `INSERT INTO things (id) VALUES ($1)` };
const COUNT = { name: 'test_count', sql: `SELECT count(*)::int AS count FROM things WHERE id > $1` };
const DIVIDE = { name: 'test_divide', sql: `SELECT 1 / $1::int AS quotient` };
const LOCK = { name: 'test_lock', sql: `SELECT FROM things WHERE id = $1 FOR UPDATE` };
const TRANSACTION = { name: 'test_transaction', sql: `SELECT pg_current_xact_id()::text AS id WHERE $1` };

interface Count {
  count: number;
}

describe.each([true, false])('A transaction on one connection, statements prepared: %s', (preparesStatements) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let other: Client;

  beforeAll(async () => {
    database = await createDatabase();
    dataSource = createDataSource({ url: database.url, poolSize: 1, preparesStatements, entities: [], migrations: [] });
    await dataSource.initialize();
    other = new Client({ connectionString: database.url });
    await other.connect();
    await other.query(`CREATE TABLE things (id integer PRIMARY KEY)`);
    await other.query(`CREATE TABLE parts (thing_id integer REFERENCES things DEFERRABLE INITIALLY DEFERRED)`);
  });

  afterAll(async () => {
    await other.end();
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(async () => {
    await other.query(`TRUNCATE things, parts`);
  });

  const things = async () =>
    (await other.query<{ id: number }>(`SELECT id FROM things ORDER BY id`)).rows.map((r) => r.id);

  it('contains all of its statements, issued one by one or together', async () => {
    const ids = await inTransaction(dataSource, async (manager) => {
      const before = await prepared<{ id: string }>(manager, TRANSACTION, [true]);
      await Promise.all([1, 2, 3].map((id) => prepared(manager, ADD, [id])));
      await execute(manager, `INSERT INTO things VALUES (4)`);
      const [[row], after] = await Promise.all([
        prepared<Count>(manager, COUNT, [0]),
        prepared<{ id: string }>(manager, TRANSACTION, [true]),
      ]);
      expect(row?.count).toBe(4);
      expect(await things()).toEqual([]);
      return [...before, ...after].map(({ id }) => id);
    });
    expect(new Set(ids).size).toBe(1);
    expect(await things()).toEqual([1, 2, 3, 4]);
  });

  it('is rolled back when its work fails, and nothing of it stays on the connection', async () => {
    const failing = inTransaction(dataSource, async (manager) => {
      await prepared(manager, ADD, [1]);
      throw new Error('of the work');
    });
    await expect(failing).rejects.toThrow('of the work');
    expect(await things()).toEqual([]);
    await execute(dataSource, ADD, [2]);
    expect(await things()).toEqual([2]);
  });

  it('is nothing for the database without statements', async () => {
    expect(await inTransaction(dataSource, () => Promise.resolve('result'))).toBe('result');
    await expect(inTransaction(dataSource, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await execute(dataSource, ADD, [1]);
    expect(await things()).toEqual([1]);
  });

  it.each([0, 1, 2])('fails with its statement %d of three, and executes none after it', async (place) => {
    const failing = inTransaction(dataSource, async (manager) => {
      const divisors = [1, 1, 1].with(place, 0);
      const ended = await Promise.allSettled(divisors.map((divisor) => prepared(manager, DIVIDE, [divisor])));
      expect(ended.map(({ status }) => status)).toEqual(
        divisors.map((_, index) => (index < place ? 'fulfilled' : 'rejected')),
      );
      await prepared(manager, ADD, [1]);
    });
    await expect(failing).rejects.toMatchObject({ code: '25P02' });
    expect(await things()).toEqual([]);
    // What was skipped is prepared as soon as it is needed.
    await inTransaction(dataSource, (manager) => prepared(manager, ADD, [7]));
    expect(await things()).toEqual([7]);
  });

  it('prepares a statement again of which a value could not be sent', async () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    const add = (id: unknown) => inTransaction(dataSource, (manager) => prepared(manager, ADD, [id]));
    await add(1);
    await expect(add(circular)).rejects.toThrow('circular structure');
    await add(2);
    expect(await things()).toEqual([1, 2]);
  });

  it('survives a value that cannot be sent, and a statement that cannot be parsed', async () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    const bad: [sql: string, value: unknown][] = [
      [`SELECT $1::json AS unsent`, circular],
      [`SELECT nonsense FROM nowhere WHERE $1`, true],
    ];
    for (const [sql, value] of bad) {
      const name = `test_${sql.slice(7, 15)}`;
      const failing = inTransaction(dataSource, async (manager) => {
        await Promise.all([
          prepared(manager, ADD, [1]),
          prepared(manager, { name, sql }, [value]),
          prepared(manager, LOCK, [1]),
        ]);
      });
      await expect(failing).rejects.toThrow();
      expect(await things()).toEqual([]);
    }
    await inTransaction(dataSource, (manager) =>
      Promise.all([prepared(manager, ADD, [1]), prepared(manager, LOCK, [1])]),
    );
    expect(await things()).toEqual([1]);
  });

  it('is committed with its last statement', async () => {
    const seen = await inTransaction(dataSource, async (manager) => {
      await Promise.all([prepared(manager, ADD, [1]), prepared(manager, ADD, [2]), commitTogether(manager)]);
      return things();
    });
    expect(seen).toEqual([1, 2]);
    await execute(dataSource, ADD, [3]);
    expect(await things()).toEqual([1, 2, 3]);
  });

  it('takes no statement after the last one, and rolls nothing back', async () => {
    const late = inTransaction(dataSource, async (manager) => {
      await Promise.all([prepared(manager, ADD, [1]), commitTogether(manager)]);
      await prepared(manager, ADD, [2]);
    });
    await expect(late).rejects.toThrow('after the end of its transaction');
    expect(await things()).toEqual([1]);
  });

  it('commits nothing if the last statement fails, or the commit', async () => {
    const failing = inTransaction(dataSource, async (manager) => {
      await prepared(manager, ADD, [1]);
      await Promise.all([prepared(manager, DIVIDE, [0]), commitTogether(manager)]);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const orphan = { name: 'test_orphan', sql: `INSERT INTO parts (thing_id) VALUES ($1)` };
    const unfounded = inTransaction(dataSource, async (manager) => {
      await prepared(manager, ADD, [1]);
      await Promise.all([prepared(manager, orphan, [99]), commitTogether(manager)]);
    });
    await expect(unfounded).rejects.toMatchObject({ code: '23503' });
    expect(await things()).toEqual([]);
    await inTransaction(dataSource, (manager) => prepared(manager, ADD, [5]));
    expect(await things()).toEqual([5]);
  });

  describe.each(['before', 'after'])('with a statement that is sent alone, issued %s the commit with it', (when) => {
    const adding = (id: number) =>
      inTransaction(dataSource, async (manager) => {
        const client = (await manager.queryRunner?.connect()) as TransactionClient;
        const add = client.query(ADD.sql, [1]);
        const alone = () => client.query(`INSERT INTO things VALUES (${id})`);
        const commit = () => client.commitTogether();
        await Promise.all([add, ...(when === 'before' ? [alone(), commit()] : [commit(), alone()])]);
      });

    it('contains that one, too', async () => {
      await adding(2);
      expect(await things()).toEqual([1, 2]);
    });

    it('commits nothing if that one fails', async () => {
      await expect(adding(1)).rejects.toMatchObject({ code: '23505' });
      expect(await things()).toEqual([]);
      await dataSource.query(`INSERT INTO things VALUES (7)`);
      expect(await things()).toEqual([7]);
    });
  });

  it('sees with each statement what others committed while the one before waited', async () => {
    await other.query(`INSERT INTO things VALUES (1)`);
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT FROM things WHERE id = 1 FOR UPDATE; INSERT INTO things VALUES (2)`);
    const waiting = inTransaction(dataSource, (manager) =>
      Promise.all([prepared(manager, LOCK, [1]), prepared<Count>(manager, COUNT, [0])]),
    );
    const waits = async () =>
      (
        await other.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rowCount;
    await eventually(waits, (count) => count === 1, 2_000);
    await holder.query(`COMMIT`);
    await holder.end();
    expect((await waiting)[1]).toEqual([{ count: 2 }]);
  });

  it('keeps savepoints: the last statement of an inner transaction does not commit the outer one', async () => {
    const failing = inTransaction(dataSource, async (manager) => {
      await prepared(manager, ADD, [1]);
      const inner = manager.transaction((nested) => prepared(nested, DIVIDE, [0]));
      await expect(inner).rejects.toMatchObject({ code: '22012' });
      await manager.transaction((nested) => Promise.all([prepared(nested, ADD, [2]), commitTogether(nested)]));
      expect(await one<Count>(manager, COUNT, [0])).toEqual({ count: 2 });
      throw new Error('of the outer work');
    });
    await expect(failing).rejects.toThrow('of the outer work');
    expect(await things()).toEqual([]);
  });

  it('has the isolation level that it asks for', async () => {
    const [level] = await dataSource.transaction('REPEATABLE READ', (manager) =>
      many<{ level: string }>(manager, `SELECT current_setting('transaction_isolation') AS level WHERE $1`, [true]),
    );
    expect(level).toEqual({ level: 'repeatable read' });
  });

  it('fails as a whole if its connection is lost, and another one is used then', async () => {
    const lost = inTransaction(dataSource, async (manager) => {
      const { pid } = await one<{ pid: number }>(manager, `SELECT pg_backend_pid() AS pid WHERE $1`, [true]);
      await other.query(`SELECT pg_terminate_backend($1, 5000)`, [pid]);
      await Promise.all([prepared(manager, ADD, [1]), prepared(manager, ADD, [2]), commitTogether(manager)]);
    });
    await expect(lost).rejects.toThrow();
    expect(await things()).toEqual([]);
    await inTransaction(dataSource, (manager) => prepared(manager, ADD, [3]));
    expect(await things()).toEqual([3]);
  });
});
