import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createDirectory, newUser } from '../support/scim';

/** A lock that is held for long must block only its own organisation. */
describe('Concurrent changes of one organisation', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { DATABASE_POOL_SIZE: '3', RUN: 'api' } });
  });

  afterAll(() => test.close());

  it('wait for their turn without a connection, so that other organisations are served', async () => {
    const [busy, other] = [await createDirectory(test), await createDirectory(test)];
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [busy.orgId]);
      const waiting = Array.from({ length: 12 }, () =>
        busy.provider.api.call('post', `${busy.provider.base}/Users`, undefined, newUser()),
      );
      await eventually(
        () =>
          test.dataSource.query<object[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        (blocked) => blocked.length > 0,
        10_000,
      );
      await other.provider.api.get(`${other.provider.base}/Users`);
      await other.provider.api.post(`${other.provider.base}/Users`, newUser());
      await busy.provider.api.get(`${busy.provider.base}/Users`);
      await test.anonymous.get('/readyz');
      await runner.commitTransaction();
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(12).fill(201));
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('are refused with a retry if too many wait to be served in time', async () => {
    const busy = await createDirectory(test);
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [busy.orgId]);
      const calls = Array.from({ length: 230 }, () =>
        busy.provider.api.call('post', `${busy.provider.base}/Users`, undefined, newUser()),
      );
      const refused = await Promise.race(calls);
      expect(refused.status).toBe(503);
      expect(refused.headers['retry-after']).toMatch(/^\d+$/);
      await runner.commitTransaction();
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([201, 503]));
      expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(200);
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('are refused if the organisation is deleted meanwhile', async () => {
    const { orgId, provider } = await createDirectory(test);
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`SELECT 1 FROM organisations WHERE id = $1 FOR UPDATE`, [orgId]);
      const push = provider.api
        .raw('post', `${provider.base}/Users`)
        .send(newUser())
        .then((response) => response);
      await eventually(
        () =>
          test.dataSource.query<object[]>(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        (blocked) => blocked.length > 0,
        10_000,
      );
      await runner.query(`DELETE FROM organisations WHERE id = $1`, [orgId]);
      await runner.commitTransaction();
      expect((await push).status).toBe(404);
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  });
});
