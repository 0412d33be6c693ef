import { Metrics } from '../../src/metrics/metrics';
import { MetricsServer } from '../../src/operations/metrics-server';
import { Replicas } from '../../src/operations/replicas.service';
import { createTestApp, TestApp } from '../support/app';

/** Every field that a line of the log may have (docs/operating/observing.md). */
const FIELDS = new Set([
  ...['time', 'level', 'msg', 'context', 'err', 'request_id', 'trace_id', 'route', 'method', 'status', 'duration_ms'],
  ...['user_id', 'org_id', 'client_id', 'error.code'],
]);

describe('What operators see', () => {
  let test: TestApp;
  let replica: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    replica = await createTestApp({ database: test.database, dataDir: test.dataDir });
  });
  afterAll(async () => {
    await replica.close();
    await test.close();
  });

  const series = async ({ app }: TestApp, name: string) =>
    (await app.get(Metrics).text()).split('\n').filter((line) => line.startsWith(name));

  it('has the duration of every request by route, method and status, and no id in any label', async () => {
    const ada = await test.as('ada');
    const { body } = await ada.post('/v1/organisations', { name: 'Seen' });
    await ada.get(`/v1/organisations/${body.id}`);
    await test.anonymous.raw('get', `/v1/organisations/${body.id}`);
    await test.anonymous.raw('get', '/v1/nothing-like-that');
    const counts = await series(test, 'http_server_request_duration_seconds_count');
    const route = 'http_route="/v1/organisations/{org_id}",http_request_method="GET"';
    expect(counts).toEqual(
      expect.arrayContaining([
        `http_server_request_duration_seconds_count{${route},http_response_status_code="200"} 1`,
        `http_server_request_duration_seconds_count{${route},http_response_status_code="401"} 1`,
        'http_server_request_duration_seconds_count{http_route="",http_request_method="GET",http_response_status_code="404"} 1',
      ]),
    );
    expect((await series(test, '')).join('\n')).not.toContain(body.id);
  });

  it('counts the live processes, and one that ends at once no more', async () => {
    const counts = async () => [await series(test, 'toolyard_replicas'), await series(replica, 'toolyard_replicas')];
    const another = await createTestApp({ database: test.database, dataDir: test.dataDir, env: { RUN: 'api' } });
    try {
      for (const { app } of [another, replica, test]) await app.get(Replicas).join();
      expect((await counts())[0]).toEqual(['toolyard_replicas_api 3', 'toolyard_replicas_worker 1']);
    } finally {
      await another.close();
    }
    await replica.app.get(Replicas).join();
    expect((await counts())[1]).toEqual(['toolyard_replicas_api 2', 'toolyard_replicas_worker 1']);
    await test.dataSource.query(`UPDATE replicas SET seen_at = now() - interval '31 seconds'`);
    await replica.app.get(Replicas).join();
    expect((await counts())[1]).toEqual(['toolyard_replicas_api 1', 'toolyard_replicas_worker 1']);
  });

  it('is on a port of its own, where there is nothing else', async () => {
    const server = test.app.get(MetricsServer);
    const url = await server.listen('127.0.0.1', 0);
    try {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('version=0.0.4'),
      ]);
      const text = await answer.text();
      for (const name of [
        'nodejs_eventloop_lag_seconds',
        'process_resident_memory_bytes',
        'toolyard_database_connections',
      ])
        expect(text).toContain(name);
      expect((await fetch(url, { method: 'POST' })).status).toBe(405);
      expect((await fetch(new URL('/v1/mcp/categories', url))).status).toBe(404);
      expect((await fetch(`${test.url}/metrics`)).status).toBe(404);
    } finally {
      await server.close();
    }
  });

  it('logs lines of one form, with who and what and never the path or the query', async () => {
    const ada = await test.as('ada');
    const { body } = await ada.post('/v1/organisations', { name: 'Logged' });
    const answer = await fetch(`${test.url}/v1/organisations/${body.id}?secret=s3cret`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${ada.token}`, 'X-Request-Id': 'the-line', 'Content-Type': 'application/json' },
      body: '{"name":""}',
    });
    expect(answer.status).toBe(422);
    const lines = test.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.flatMap((line) => Object.keys(line).filter((field) => !FIELDS.has(field)))).toEqual([]);
    const mine = lines.find((line) => line.request_id === 'the-line');
    expect(mine).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      level: 'info',
      msg: 'answered',
      request_id: 'the-line',
      route: '/v1/organisations/{org_id}',
      method: 'PATCH',
      status: 422,
      duration_ms: expect.any(Number) as number,
      user_id: expect.any(String) as string,
      org_id: body.id,
      client_id: 'toolyard',
      'error.code': 'validation_failed',
    });
    expect(test.log.join('\n')).not.toContain('s3cret');
  });
});
