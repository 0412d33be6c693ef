import type { ClientBase, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { currentRequestId } from '../../src/database/deadline';
import { createTestApp, TestApp } from '../support/app';
import { BUNDLE_CHILDREN, fillBundle, mentionsOf, rowsOfBundle } from '../support/bundles';
import { eventually } from '../support/eventually';
import { Cast, createBundle, createCast } from '../support/factories';

/** What can happen to a statement in transit. */
const FAULTS = {
  'is refused by the database': 500,
  'never arrives, since the connection is lost': 503,
  'is done, but its answer is lost with the connection': 503,
} as const;
type Fault = keyof typeof FAULTS;

/** The arguments of a connection's query. */
type Call = [statement: string | { text: string }, parameters?: unknown[]];

/** The statements of a deletion; the first SELECT locks the bundle, the second one reads it. */
const STATEMENTS = ['START', 'SELECT', 'SELECT', 'DELETE', 'INSERT', 'COMMIT'];

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const CHILDREN = 5;

async function filledBundle(): Promise<string> {
  const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
  await fillBundle(test.dataSource, id, CHILDREN);
  return id;
}

async function deletions(bundleId: string): Promise<number> {
  const rows = await test.dataSource.query<object[]>(
    `SELECT 1 FROM events WHERE type = 'bundle.deleted' AND data->>'bundle_id' = $1`,
    [bundleId],
  );
  return rows.length;
}

/**
 * Runs `work` while the statement with that number, among those sent in a transaction, fails.
 *
 * @returns the first words of the statements that were sent
 */
async function withFault(fault: Fault, number: number, work: () => Promise<unknown>): Promise<string[]> {
  const dataSource = test.app.get(DataSource);
  const create = dataSource.createQueryRunner.bind(dataSource);
  const sent: string[] = [];
  dataSource.createQueryRunner = (...mode) => {
    const runner = create(...mode);
    // Of a job that runs beside the request.
    if (currentRequestId() === undefined) return runner;
    const connect = runner.connect.bind(runner) as () => Promise<ClientBase>;
    // Prepared statements and all others come together here.
    runner.connect = async () => {
      const client = await connect();
      const query = client.query.bind(client) as (...call: Call) => Promise<QueryResult<{ pid: number }>>;
      const faulty = async (...call: Call) => {
        const [statement] = call;
        const word = (typeof statement === 'string' ? statement : statement.text).trim().split(/\s/)[0] ?? '';
        if (word !== 'ROLLBACK') sent.push(word);
        if (word === 'ROLLBACK' || sent.length !== number) return query(...call);
        if (fault === 'is refused by the database') return query('SELECT 1 / 0');
        const [{ pid } = { pid: 0 }] = (await query('SELECT pg_backend_pid() AS pid')).rows;
        const isDone = fault.startsWith('is done');
        if (isDone) await query(...call);
        await cut(pid);
        return isDone ? query('SELECT 1') : query(...call);
      };
      return Object.assign(Object.create(client) as ClientBase, { query: faulty });
    };
    return runner;
  };
  try {
    await work();
  } finally {
    dataSource.createQueryRunner = create;
  }
  return sent;
}

/** Ends a connection from the server side, and returns when it has ended. */
async function cut(pid: number): Promise<void> {
  await test.dataSource.query(`SELECT pg_terminate_backend($1)`, [pid]);
  const ask = () => test.dataSource.query<object[]>(`SELECT 1 FROM pg_stat_activity WHERE pid = $1`, [pid]);
  await eventually(ask, (rows) => rows.length === 0, 5_000);
}

describe('Deleting a bundle when something goes wrong', () => {
  it.each(
    Object.keys(FAULTS).flatMap((fault) => STATEMENTS.map((word, index) => [word, fault as Fault, index + 1] as const)),
  )('deletes everything or nothing if its %s %s (statement %i)', async (word, fault, number) => {
    const id = await filledBundle();
    const before = await rowsOfBundle(test.dataSource, id);
    const sent = await withFault(fault, number, () => cast.owner.delete(`/v1/bundles/${id}`, FAULTS[fault]));
    expect(sent.at(-1)).toBe(word);
    expect(sent).toEqual(STATEMENTS.slice(0, number));
    const after = await rowsOfBundle(test.dataSource, id);
    const isDone = word === 'COMMIT' && fault.startsWith('is done');
    expect(after).toEqual(isDone ? Object.fromEntries(Object.keys(before).map((name) => [name, 0])) : before);
    expect(await deletions(id)).toBe(isDone ? 1 : 0);
    // A retry succeeds, once.
    await cast.owner.delete(`/v1/bundles/${id}`, isDone ? 404 : 204);
    await cast.owner.delete(`/v1/bundles/${id}`, 404);
    expect(await mentionsOf(test.dataSource, id)).toEqual(['events']);
    expect(await deletions(id)).toBe(1);
  });

  it.each(['bundles', ...BUNDLE_CHILDREN])('deletes nothing if a row of %s cannot be deleted', async (table) => {
    const id = await filledBundle();
    const before = await rowsOfBundle(test.dataSource, id);
    // The last row, when most are deleted already.
    await test.dataSource.query(`CREATE SEQUENCE tries`);
    await test.dataSource.query(`
      CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('tries') >= ${before[table]} THEN RAISE EXCEPTION 'not this one'; END IF; RETURN OLD; END $$`);
    await test.dataSource.query(
      `CREATE TRIGGER refuse_row BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_row()`,
    );
    try {
      await cast.owner.delete(`/v1/bundles/${id}`, 500);
      expect(await rowsOfBundle(test.dataSource, id)).toEqual(before);
      expect(await deletions(id)).toBe(0);
    } finally {
      await test.dataSource.query(`DROP FUNCTION refuse_row CASCADE`);
      await test.dataSource.query(`DROP SEQUENCE tries`);
    }
    await cast.owner.delete(`/v1/bundles/${id}`);
    expect(await mentionsOf(test.dataSource, id)).toEqual(['events']);
  });

  it('deletes the tokens on the second attempt, after the first one failed', async () => {
    const id = await filledBundle();
    const { token } = (await cast.owner.post(`/v1/bundles/${id}/access-tokens`, { name: 'CI' })).body;
    const headers = { Authorization: `Bearer ${token}` };
    await withFault('is refused by the database', 4, () => cast.owner.delete(`/v1/bundles/${id}`, 500));
    await test.anonymous.get(`/v1/bundles/${id}`, 200, headers);
    await cast.owner.delete(`/v1/bundles/${id}`);
    await test.anonymous.get(`/v1/bundles/${id}`, 401, headers);
  });
});
