import { DataSource } from 'typeorm';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { type RawAnswer, send } from '../support/answers';
import { createTestApp, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { createBundle } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { DatabaseProxy } from '../support/proxy';
import { createDirectory, newUser } from '../support/scim';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Nothing here unfreezes the database or releases a lock before the answers arrive: only a deadline can. */
describe('A request that waits for the database', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let test: TestApp;
  let alice: Api;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.before(database.url);
    test = await createTestApp({
      database: { ...database, url: proxy.url },
      env: { DATABASE_DEADLINE_SECONDS: '1', DATABASE_POOL_SIZE: '3', RUN: 'api' },
    });
    alice = await test.as('alice');
    await alice.get('/v1/users/me');
  });

  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  const post = (path: string, body: object, token = alice.token) =>
    send(test.url + path, { method: 'POST', token, headers: JSON_TYPE, body: JSON.stringify(body) });
  const expectUnavailable = ({ status, headers, body }: RawAnswer) => {
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  };
  const processes = async (): Promise<number[]> => {
    const rows = await database.dataSource.query<{ pid: number }[]>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'toolyard'
       AND pid <> ALL ($1)`,
      [await ownProcesses()],
    );
    return rows.map(({ pid }) => pid);
  };
  /** Of the test's own pool, which has the same name. */
  const ownProcesses = async (): Promise<number[]> => {
    const runners = Array.from({ length: 10 }, () => database.dataSource.createQueryRunner());
    const rows = await Promise.all(
      runners.map((runner) => runner.query(`SELECT pg_backend_pid() AS pid`) as Promise<{ pid: number }[]>),
    );
    await Promise.all(runners.map((runner) => runner.release()));
    return rows.flatMap((ofServer) => ofServer.map(({ pid }) => pid));
  };

  describe('while it is frozen', () => {
    it('gets 503 on old, new and queued connections, none of which is used again', async () => {
      await Promise.all(Array.from({ length: 6 }, () => alice.get('/v1/bundles')));
      const before = await processes();
      expect(before.length).toBeGreaterThan(0);
      const { provider } = await createDirectory(test);
      const stranger = await test.token('stranger');
      proxy.freeze();
      const answers = await Promise.all([
        ...Array.from({ length: 20 }, () => send(`${test.url}/v1/bundles`, { token: alice.token })),
        ...Array.from({ length: 20 }, () => post('/v1/bundles', { name: 'Frozen' })),
        send(`${test.url}/readyz`),
        send(`${test.url}/v1/users/me`, { token: stranger }),
        post('/v1/organisations', { name: 'Frozen' }),
      ]);
      answers.forEach(expectUnavailable);
      const scim = await provider.api.raw('post', `${provider.base}/Users`).send(newUser());
      expect(scim.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '503',
      });
      expect((await send(`${test.url}/healthz`)).status).toBe(200);
      proxy.thaw();
      await eventually(
        () => send(`${test.url}/readyz`),
        ({ status }) => status === 200,
        10_000,
      );
      const after = await processes();
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    });

    it('changes nothing when it is executed afterwards, with the COMMIT that was sent with it', async () => {
      const connections = () => Promise.all(Array.from({ length: 12 }, () => createBundle(alice)));
      // Each of them learns the time of the server.
      await connections();
      await connections();
      proxy.freeze();
      const answers = await Promise.all(Array.from({ length: 3 }, () => post('/v1/bundles', { name: 'Frozen' })));
      answers.forEach(expectUnavailable);
      proxy.thaw();
    });

    it('has changed nothing if it was answered with an error', async () => {
      await eventually(
        () => send(`${test.url}/v1/bundles`, { token: alice.token }),
        ({ status }) => status === 200,
        10_000,
      );
      const counts = await database.dataSource.query<object[]>(
        `SELECT (SELECT count(*) FROM bundles WHERE name = 'Frozen')::int AS bundles,
                (SELECT count(*) FROM organisations WHERE name = 'Frozen')::int AS organisations`,
      );
      expect(counts).toEqual([{ bundles: 0, organisations: 0 }]);
    });
  });

  describe('while another transaction holds a lock', () => {
    it('gets 503, and its change is not applied after the lock is released', async () => {
      const { id } = await createBundle(alice);
      await holding(database.dataSource, `SELECT FROM bundles WHERE id = '${id}' FOR UPDATE`, async () => {
        const headers = JSON_TYPE;
        const body = JSON.stringify({ name: 'Too late' });
        expectUnavailable(
          await send(`${test.url}/v1/bundles/${id}`, { method: 'PATCH', token: alice.token, headers, body }),
        );
        // The server was asked to cancel the statement: it no longer waits.
        await eventually(
          () =>
            database.dataSource.query<object[]>(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            ),
          (blocked) => blocked.length === 0,
          5_000,
        );
      });
      expect((await alice.get(`/v1/bundles/${id}`)).body).not.toMatchObject({ name: 'Too late' });
    });

    it('gets 503 also if it waits behind other changes of its organisation', async () => {
      const { orgId, provider } = await createDirectory(test);
      await holding(
        database.dataSource,
        `SELECT FROM organisations WHERE id = '${orgId}' FOR NO KEY UPDATE`,
        async () => {
          // One after the other they would take twice as long as a test may.
          const pushes = Array.from({ length: 60 }, () =>
            provider.api.raw('post', `${provider.base}/Users`).send(newUser()),
          );
          expect((await Promise.all(pushes)).map(({ status }) => status)).toEqual(Array(60).fill(503));
        },
      );
      // The answer to the provider is in its log, although no time was left for it.
      const log = await database.dataSource.query<object[]>(`SELECT FROM scim_log WHERE org_id = $1 AND status = 503`, [
        orgId,
      ]);
      expect(log).toHaveLength(60);
      await provider.api.post(`${provider.base}/Users`, newUser());
      const rows = await database.dataSource.query<object[]>(`SELECT FROM scim_users WHERE org_id = $1`, [orgId]);
      expect(rows).toHaveLength(1);
    });

    it('gets an answer from SCIM bulk, with 503 for the operations that had to wait', async () => {
      const { orgId, provider } = await createDirectory(test);
      await holding(
        database.dataSource,
        `SELECT FROM organisations WHERE id = '${orgId}' FOR NO KEY UPDATE`,
        async () => {
          const operation = () => ({ method: 'POST', path: '/Users', bulkId: newId(), data: newUser() });
          const bulk = await provider.api.raw('post', `${provider.base}/Bulk`).send({
            schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
            Operations: [operation(), operation()],
          });
          expect(bulk.status).toBe(200);
          expect(bulk.body).toMatchObject({ Operations: [{ status: '503' }, { status: '503' }] });
        },
      );
      const log = await database.dataSource.query<object[]>(
        `SELECT FROM scim_log WHERE org_id = $1 AND bulk_index IS NOT NULL AND status = 503`,
        [orgId],
      );
      expect(log).toHaveLength(2);
    });

    it('may wait longer if it is a role sync, which can take long', async () => {
      const { orgId, owner, provider } = await createDirectory(test);
      const lock = `SELECT FROM organisations WHERE id = '${orgId}' FOR NO KEY UPDATE`;
      const sync = await holding(database.dataSource, lock, async (release) => {
        const running = owner.post(`/v1/organisations/${orgId}/scim/sync`, undefined, 200);
        await untilBlocked(database.dataSource, 1);
        // Both started later and have reached their deadline, so the sync is past it.
        const push = await provider.api.raw('post', `${provider.base}/Users`).send(newUser());
        expect(push.status).toBe(503);
        await release();
        return running;
      });
      expect(sync.body).toEqual({});
    });
  });

  it('is the only kind with a deadline: worker, imports and migrations take the time they need', async () => {
    const id = newId();
    const dataSource = test.app.get(DataSource);
    await holding(database.dataSource, `LOCK TABLE categories`, async (release) => {
      const waiting = dataSource.query<object[]>(`SELECT $1::uuid AS id FROM categories LIMIT 0`, [id]);
      await untilBlocked(database.dataSource, 1);
      // A request for the same table reaches its deadline meanwhile.
      expectUnavailable(await send(`${test.url}/v1/mcp/listings`, { token: alice.token }));
      await release();
      expect(await waiting).toEqual([]);
    });
  });
});
