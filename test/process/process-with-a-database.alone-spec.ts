import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { Client } from 'pg';
import { MIGRATIONS } from '../../src/schema';
import { send } from '../support/answers';
import type { Category, Organisation } from '../support/api-types';
import { createDatabase, TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';
import { freePort, killToolyards, runToken, startToolyard, ToolyardProcess } from '../support/toolyard-process';

const ENDED = { code: 0, signal: null };
const FAILED = { code: 1, signal: null };
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
/** A line of a stack trace, which means nothing to an operator. */
const STACK = /^\s+at .*:\d+/m;

afterAll(async () => {
  await killToolyards();
  removeFolders();
});

describe('A process that is asked to stop', () => {
  let database: TestDatabase;
  let service: ToolyardProcess;
  let other: Client;
  let token: string;
  let orgId: string;

  beforeEach(async () => {
    database = await createDatabase();
    const env = { ...SENDING, DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: newFolder() };
    service = await (await startToolyard(env)).ready();
    token = (await runToken(service.env, '--email', 'alice@example.com')).stdout.trim();
    const created = await ask<Organisation>('POST', '/v1/organisations', { name: 'Before' });
    orgId = created.body.id;
    other = new Client({ connectionString: database.url });
    await other.connect();
  });

  afterEach(async () => {
    await other.end();
    await killToolyards();
    await database.drop();
  });

  function ask<Body>(method: string, path: string, body: object) {
    return send<Body>(service.url + path, { method, headers: headers(), body: JSON.stringify(body) });
  }

  const headers = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

  /** Starts a change of the organisation while another transaction locks its row; returns once it waits. */
  async function inFlight<T>(begin: () => T): Promise<{ answer: T }> {
    await other.query('BEGIN');
    await other.query(`SELECT FROM organisations FOR UPDATE`);
    const answer = begin();
    const waiting = () =>
      database.dataSource.query<object[]>(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
    await eventually(waiting, (rows) => rows.length === 1, 5_000);
    return { answer };
  }

  function rename() {
    const answer = ask('PATCH', `/v1/organisations/${orgId}`, { name: 'After' });
    // An aborted request is not an unhandled failure if nothing awaits it yet.
    answer.catch(() => undefined);
    return answer;
  }

  /** @returns an open connection */
  async function open(): Promise<Socket> {
    const socket = connect(Number(service.env.PORT), '127.0.0.1');
    await once(socket, 'connect');
    return socket.on('error', () => undefined);
  }

  const isRefused = () =>
    open().then(
      (socket) => void socket.destroy(),
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    );

  it('by SIGTERM finishes requests in flight, accepts no new ones and ends, even with open connections', async () => {
    const [kept, silent] = await Promise.all([open(), open()]);
    kept.write('GET /healthz HTTP/1.1\r\nHost: toolyard\r\n\r\n');
    await once(kept, 'data');
    expect(silent.bytesRead).toBe(0);
    const { answer } = await inFlight(rename);
    service.signal('SIGTERM');
    await eventually(isRefused, Boolean, 5_000);
    await eventually(() => kept.closed && silent.closed, Boolean, 2_000);
    expect(service.hasEnded).toBe(false);
    await other.query('COMMIT');
    expect(await answer).toMatchObject({ status: 200, body: { name: 'After' } });
    expect(await service.ended(2_000)).toEqual(ENDED);
    expect(service.log.at(-1)?.msg).toBe('Stopped.');
    expect(service.log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level))).toEqual([]);
  });

  it('by a Ctrl-C that npm delivers twice does the same, and closes connections after their last answer', async () => {
    const busy = await open();
    let answers = '';
    busy.on('data', (data) => (answers += data.toString()));
    const body = JSON.stringify({ name: 'After' });
    const fields = Object.entries({ ...headers(), Host: 'toolyard', 'Content-Length': body.length });
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    await inFlight(() => busy.write(`PATCH /v1/organisations/${orgId} HTTP/1.1\r\n${lines}\r\n${body}`));
    service.signal('SIGINT');
    await eventually(isRefused, Boolean, 1_800); // a later signal would be the impatient one
    service.signal('SIGINT');
    busy.write('GET /healthz HTTP/1.1\r\nHost: toolyard\r\n\r\n');
    await other.query('COMMIT');
    await eventually(() => busy.closed, Boolean, 2_000);
    const [renamed, healthy] = answers.split(/(?=HTTP\/1\.1 )/);
    expect(renamed).toMatch(/^HTTP\/1\.1 200 .*"name":"After"/s);
    expect(healthy).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*\{"status":"ok"\}$/s);
    expect(await service.ended(2_000)).toEqual(ENDED);
  });

  /** An endpoint whose receiver gets a webhook, and answers only on request. */
  async function delivering(): Promise<{ receiver: Receiver; answer: () => void }> {
    const waiting: (() => void)[] = [];
    const receiver = await Receiver.start((_, response) => void waiting.push(() => response.writeHead(204).end()));
    await ask('POST', '/v1/webhooks', {
      org_id: orgId,
      target_url: receiver.url,
      event_types: ['organisation.updated'],
    });
    await rename();
    await eventually(
      () => waiting.length,
      (count) => count === 1,
      5_000,
    );
    return { receiver, answer: () => waiting.forEach((one) => one()) };
  }

  const deliveries = () => database.dataSource.query<object[]>(`SELECT status, attempt_count FROM webhook_deliveries`);

  it('by SIGTERM accepts no requests while it waits for a webhook receiver, and records its answer', async () => {
    const { receiver, answer } = await delivering();
    service.signal('SIGTERM');
    await eventually(isRefused, Boolean, 2_000);
    expect(service.hasEnded).toBe(false);
    answer();
    expect(await service.ended(2_000)).toEqual(ENDED);
    expect(await deliveries()).toEqual([{ status: 'SUCCEEDED', attempt_count: 1 }]);
    await receiver.close();
  });

  it('by a second Ctrl-C does not wait for a webhook receiver; another worker retries the delivery', async () => {
    const { receiver } = await delivering();
    service.signal('SIGINT');
    const first = Date.now();
    await eventually(Date.now, (now) => now > first + 2_100, 4_000);
    expect(service.hasEnded).toBe(false);
    service.signal('SIGINT');
    expect(await service.ended(2_000)).toEqual(ENDED);
    expect(await deliveries()).toEqual([{ status: 'PENDING', attempt_count: 0 }]);
    await receiver.close();
  });

  it('by a second Ctrl-C, a while after the first, aborts requests in flight', async () => {
    const { answer } = await inFlight(rename);
    service.signal('SIGINT');
    const first = Date.now();
    await eventually(Date.now, (now) => now > first + 2_100, 4_000);
    expect(service.hasEnded).toBe(false);
    service.signal('SIGINT');
    expect(await service.ended(2_000)).toEqual(ENDED);
    await expect(answer).rejects.toThrow('fetch failed');
    await other.query('COMMIT');
    expect(await database.dataSource.query(`SELECT name FROM organisations`)).toEqual([{ name: 'Before' }]);
  });
});

describe('Replicas started at the same time on an empty database', () => {
  let database: TestDatabase;
  let api: ToolyardProcess;
  let worker: ToolyardProcess;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const env = { DATABASE_URL: database.url, SECRETS_KEY, SAMPLE_CATALOGUE: 'true', DATABASE_POOL_SIZE: '1' };
    [api, worker] = await Promise.all([
      startToolyard({ ...env, DATA_DIR: newFolder(), RUN: 'api' }),
      startToolyard({ ...env, DATA_DIR: newFolder(), RUN: 'worker' }),
    ]);
    await Promise.all([api.ready(), worker.ready()]);
  });

  afterAll(async () => {
    await killToolyards();
    await database.drop();
  });

  const logged = (service: ToolyardProcess, text: string) => service.log.filter(({ msg }) => msg.includes(text)).length;
  const count = async (table: string) => {
    const [row] = await database.dataSource.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${table}`);
    return row?.count;
  };

  it('run every migration once and load the sample catalogue once', async () => {
    const ran = `Ran ${MIGRATIONS.length} migrations.`;
    await eventually(
      () => logged(api, ran) + logged(worker, ran),
      (times) => times === 1,
      2_000,
    );
    expect(await count('migrations')).toBe(MIGRATIONS.length);
    expect(logged(api, 'Loaded the sample catalogue') + logged(worker, 'Loaded the sample catalogue')).toBe(1);
    expect(await count('(SELECT slug FROM categories GROUP BY slug HAVING count(*) > 1) AS twice')).toBe(0);
  });

  it('count the listings of categories only in the worker', async () => {
    await eventually(
      () => logged(worker, 'Category counts refreshed.'),
      (times) => times === 1,
      2_000,
    );
    expect(logged(api, 'counts')).toBe(0);
    const { stdout } = await runToken(api.env, '--sub', 'bob');
    const { body } = await send<Category[]>(`${api.url}/v1/mcp/categories`, { token: stdout.trim() });
    expect(Math.min(...body.map(({ mcp_count }) => mcp_count))).toBeGreaterThan(0);
  });

  it('serve only /healthz and /readyz as a worker, and log that', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await send(worker.url + path)).status).toBe(200);
    const others = ['/v1/mcp/categories', '/docs', '/docs/openapi.json', '/.well-known/oauth-protected-resource', '/'];
    for (const path of others) {
      const { status, body } = await send(worker.url + path);
      expect({ path, status, body }).toMatchObject({ path, status: 404, body: { code: 'not_found' } });
    }
    expect(worker.stderr).toContain('without the API (see RUN)');
    expect(worker.stderr).not.toContain('/docs');
  });

  it.each([
    ['a migration of the release', `DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`],
    ['its migrations table', `DROP TABLE migrations`],
  ])('are not ready while the database lacks %s', async (_, sql) => {
    expect((await send(`${api.url}/readyz`)).status).toBe(200);
    await database.dataSource.query(`CREATE TABLE aside AS SELECT * FROM migrations; ${sql}`);
    for (const { url } of [api, worker]) {
      const { status, headers, body } = await send(`${url}/readyz`);
      expect(status).toBe(503);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(body).toMatchObject({
        code: 'service_unavailable',
        detail: expect.stringContaining('migrations') as string,
      });
      expect((await send(`${url}/healthz`)).status).toBe(200);
    }
    await database.dataSource.query(
      `CREATE TABLE IF NOT EXISTS migrations AS SELECT * FROM aside LIMIT 0;
       INSERT INTO migrations SELECT * FROM aside EXCEPT SELECT * FROM migrations; DROP TABLE aside`,
    );
    expect((await send(`${api.url}/readyz`)).status).toBe(200);
  });
});

describe('A process that cannot start', () => {
  /** @returns what it prints for the operator */
  async function fault(env: Record<string, string>): Promise<string> {
    const service = await startToolyard(env);
    expect(await service.exit).toEqual(FAILED);
    expect(service.stdout).toBe('');
    expect(service.stderr).not.toMatch(STACK);
    return service.stderr;
  }

  it('reports all errors of its configuration at once', async () => {
    const said = await fault({ PORT: '99999', LOG_LEVEL: 'loud', RUN: 'api,cron', PUBLIC_URL: 'tools.example.com' });
    for (const name of ['PORT', 'LOG_LEVEL', 'RUN', 'PUBLIC_URL']) {
      expect(said).toMatch(new RegExp(`^ {2}- ${name} .*\\. Example: .+$`, 'm'));
    }
  });

  it.each([
    ['the password is wrong', { password: 'wrong-0815' }, /^DATABASE_URL: .*password authentication failed for user/],
    ['the database does not exist', { pathname: '/nowhere' }, /^DATABASE_URL: .*database "nowhere" does not exist/],
  ])('reports an error of DATABASE_URL at once: %s', async (_, change, expected) => {
    const url = Object.assign(new URL(process.env.TEST_POSTGRES_URL ?? ''), change);
    const said = await fault({ DATABASE_URL: url.href, SECRETS_KEY, DATA_DIR: newFolder() });
    expect(said).toMatch(expected);
    expect(said).not.toContain(url.password);
  });

  it('names the release to run if the schema needs a newer one', async () => {
    const database = await createDatabase();
    await database.dataSource.query(
      `INSERT INTO schema_requirements VALUES ('Removed1999999999999', 'Added1999999999999', '0.10.0')`,
    );
    const said = await fault({ DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: newFolder() });
    expect(said).toMatch(/^DATABASE_URL: The schema is newer than this release: run Toolyard 0\.10\.0 or newer/);
    await database.drop();
  });

  it('retries a database that does not answer, and ends when asked to', async () => {
    const DATABASE_URL = `postgres://toolyard:secret-0815@127.0.0.1:${await freePort()}/toolyard`;
    const service = await startToolyard({ DATABASE_URL, SECRETS_KEY, DATA_DIR: newFolder() });
    const tries = () => service.log.filter(({ msg }) => /does not answer yet \(.*ECONNREFUSED.*trying again/.test(msg));
    await eventually(tries, ({ length }) => length >= 2, 10_000);
    expect(await service.stop(2_000)).toEqual(ENDED);
    expect(service.stdout + service.stderr).not.toContain('secret-0815');
  });
});
