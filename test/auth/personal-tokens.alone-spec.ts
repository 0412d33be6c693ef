import { Notifications } from '../../src/database/notifications';
import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createDatabase, TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { DatabaseProxy } from '../support/proxy';

const ME = '/v1/users/me';
const TOKENS = '/v1/users/me/access-tokens';
/** How soon a replica notices a connection that died silently (`database/notifications.ts`), and some more. */
const SILENCE_MS = 6_000;

describe('A replica that hears of no revocation', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  /** Without the proxy: here people create and revoke their tokens. */
  let test: TestApp;
  let cutOff: TestApp;
  let owner: Api;

  beforeEach(async () => {
    database = await createDatabase();
    proxy = await DatabaseProxy.before(database.url);
    test = await createTestApp({ database, env: { RUN: 'api' } });
    cutOff = await createTestApp({ database: { ...database, url: proxy.url }, env: { RUN: 'api' } });
    owner = await test.as(unique('owner'));
    await eventually(connected, (is) => is, SILENCE_MS);
  });

  afterEach(async () => {
    await proxy.close();
    await cutOff.close();
    await test.close();
    await database.drop();
  });

  const connected = () => cutOff.app.get(Notifications).connected;
  const newToken = async () => (await owner.post(TOKENS, { name: 'Laptop', scopes: ['organisations:read'] })).body;
  const call = (token: string) => new Api(cutOff.url, cutOff.document, token).call('get', ME, undefined);
  const listeners = () =>
    database.dataSource.query<{ pid: number }[]>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'toolyard listener' AND datname = current_database()`,
    );

  it('because its connection was killed accepts none that was revoked meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await newToken();
      expect((await call(token)).status).toBe(200);
      // All listeners, of both replicas.
      for (const { pid } of await listeners()) {
        await database.dataSource.query(`SELECT pg_terminate_backend($1)`, [pid]);
      }
      await owner.delete(`${TOKENS}/${id}`);
      await eventually(
        () => call(token),
        ({ status }) => status === 401,
        1_000,
      );
      await eventually(connected, (is) => is, SILENCE_MS);
      expect((await call(token)).status).toBe(401);
    }
  });

  it('because its connection died silently notices that, and accepts none afterwards', async () => {
    const { id, token } = await newToken();
    expect((await call(token)).status).toBe(200);
    expect(proxy.silence('listeners')).toBe(1);
    await owner.delete(`${TOKENS}/${id}`);
    await eventually(
      () => call(token),
      ({ status }) => status === 401,
      SILENCE_MS,
    );
  });

  it('and cannot reach the database either answers 503, and lets nobody in from memory', async () => {
    const { token } = await newToken();
    expect((await call(token)).status).toBe(200);
    await proxy.close();
    const { status, body, headers } = await eventually(
      () => call(token),
      (answer) => answer.status !== 200,
      SILENCE_MS,
    );
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});
