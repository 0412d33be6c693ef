import type { Response } from 'supertest';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint, unique } from '../support/factories';
import { eventually } from '../support/eventually';
import { type ReceivedWebhook, Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';

const DEADLINE_SECONDS = 2;

let test: TestApp;
let cast: Cast;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start((webhook, response) => {
    if (webhook.path.startsWith('/hang')) return;
    const [, status = '204'] = /status=(\d+)/.exec(webhook.path) ?? [];
    response
      .writeHead(Number(status), { location: 'http://127.0.0.1:1/' })
      .end(status === '204' ? undefined : 'Heard.');
  });
  test = await createTestApp({ env: { ...SENDING, WEBHOOKS_DEADLINE_SECONDS: String(DEADLINE_SECONDS) } });
  cast = await createCast(test);
});

afterAll(async () => {
  await test.close();
  await receiver.close();
});

const at = (path: string) =>
  createEndpoint(cast.owner, { org_id: cast.orgId, target_url: receiver.url + path, event_types: [] });

const ping = async (id: string, api: Api = cast.admin) =>
  (await api.post(`/v1/webhooks/${id}/ping`, undefined, 200)).body;

const came = (path: string): ReceivedWebhook[] => receiver.requests.filter((request) => request.path === path);

describe('Pinging a webhook endpoint', () => {
  it('sends webhook.ping, signed and with the endpoint’s headers, and returns the result', async () => {
    const path = `/${unique('in')}`;
    const { id, secret } = await createEndpoint(cast.owner, {
      org_id: cast.orgId,
      target_url: receiver.url + path,
      headers: { Authorization: 'Bearer 7c1d', 'X-Team': 'the  pagers' },
    });
    const answer = await ping(id);
    expect(answer).toEqual({
      webhook_id: answer.webhook_id,
      status: 'SUCCEEDED',
      response_status: 204,
      duration_ms: answer.duration_ms,
      error: null,
      error_message: null,
      response_body: '',
    });
    expect(answer.duration_ms).toBeLessThan(DEADLINE_SECONDS * 1_000);
    const [request, ...others] = came(path);
    expect(others).toEqual([]);
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer 7c1d',
      'x-team': 'the  pagers',
      'content-type': 'application/json',
      'webhook-id': answer.webhook_id,
    });
    const text = request?.body.toString('utf8') ?? '';
    expect(new Webhook(secret).verify(text, request?.headers as Record<string, string>)).toEqual({
      type: 'webhook.ping',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      data: { endpoint_id: id, org_id: cast.orgId, message: 'Hello from Toolyard.' },
    });
    expect((await ping(id)).webhook_id).not.toBe(answer.webhook_id);
  });

  it('sends every accepted header exactly as stored', async () => {
    const path = `/${unique('in')}`;
    const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, n) => String.fromCharCode(0x21 + n)).join('');
    const headers = { 'X-Visible': visible, "!#$%&'*+-.^`|~": 'a\tb', Cookie: 'a=b', 'X-Long': 'v'.repeat(1_024) };
    const target_url = receiver.url + path;
    const { id } = await createEndpoint(cast.owner, { target_url, headers });
    expect(await ping(id, cast.owner)).toMatchObject({ status: 'SUCCEEDED' });
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(came(path)[0]?.headers).toMatchObject(lower);
    const { data } = JSON.parse(came(path)[0]?.body.toString('utf8') ?? '') as { data: object };
    expect(data).toMatchObject({ org_id: null });
  });

  it.each([
    [200, 'SUCCEEDED', null],
    [302, 'FAILED', 'redirect'],
    [410, 'FAILED', 'http_status'],
    [500, 'FAILED', 'http_status'],
  ])('reports an answer with %i', async (status, outcome, error) => {
    const { id } = await at(`/in?status=${status}`);
    expect(await ping(id)).toMatchObject({ status: outcome, response_status: status, error, response_body: 'Heard.' });
    // It is not counted.
    expect((await cast.admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ is_active: true, disabled_reason: null });
  });

  it('reports a refused connection, an unknown name and a target that is no longer allowed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    for (const [target_url, error] of [
      [`http://127.0.0.1:${port}/`, 'connection_failed'],
      ['https://hooks.example.com/in', 'dns_failed'],
      ['https://10.0.0.1/', 'address_refused'],
    ]) {
      const { id } = await at('/in');
      // Some of them can no longer be saved.
      await test.dataSource.query(`UPDATE webhook_endpoints SET target_url = $2 WHERE id = $1`, [id, target_url]);
      const answer = await ping(id);
      expect(answer).toMatchObject({ status: 'FAILED', response_status: null, error, response_body: null });
      expect(answer.error_message).toMatch(/\.$/);
    }
  });

  it('reaches a disabled endpoint, and stores nothing but when it was', async () => {
    const path = `/${unique('in')}?status=500`;
    const { id } = await at(path);
    await cast.admin.patch(`/v1/webhooks/${id}`, { is_active: false });
    const traces = () =>
      test.dataSource.query<object[]>(
        `SELECT to_jsonb(endpoints) - 'pings' AS endpoint, lanes.*, hours.*, deliveries.id AS delivery_id FROM webhook_endpoints AS endpoints
         JOIN webhook_lanes AS lanes ON lanes.endpoint_id = endpoints.id
         LEFT JOIN webhook_hours AS hours ON hours.endpoint_id = endpoints.id
         LEFT JOIN webhook_deliveries AS deliveries ON deliveries.endpoint_id = endpoints.id
         WHERE endpoints.id = $1`,
        [id],
      );
    const before = await traces();
    expect(before).toHaveLength(1);
    expect(await ping(id)).toMatchObject({ status: 'FAILED' });
    expect(came(path)).toHaveLength(1);
    expect(await traces()).toEqual(before);
  });

  it('is done one at a time per endpoint, with Retry-After for the next', async () => {
    const path = `/hang/${unique('in')}`;
    const { id } = await at(path);
    const other = await at(`/hang/${unique('in')}`);
    const first = ping(id);
    const elsewhere = ping(other.id);
    await eventually(
      () => came(path).length,
      (count) => count === 1,
      5_000,
    );
    const refused = await cast.owner.post(`/v1/webhooks/${id}/ping`, undefined, 429);
    expect(refused.body).toMatchObject({ code: 'rate_limited' });
    const { 'retry-after': retryAfter } = refused.headers;
    expect(retryAfter).toMatch(/^[12]$/);
    // Users who cannot ping it do not learn about pings in progress.
    await cast.member.post(`/v1/webhooks/${id}/ping`, undefined, 403);
    await cast.outsider.post(`/v1/webhooks/${id}/ping`, undefined, 404);
    for (const answer of await Promise.all([first, elsewhere])) {
      expect(answer).toMatchObject({ status: 'FAILED', error: 'timeout', response_status: null });
    }
    expect(came(path)).toHaveLength(1);
    await test.dataSource.query(`UPDATE webhook_endpoints SET target_url = $2 WHERE id = $1`, [
      id,
      `${receiver.url}/in`,
    ]);
    expect(await ping(id)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('holds no database connection while it waits', async () => {
    const path = `/hang/${unique('in')}`;
    // More than the pool has.
    const endpoints = await Promise.all(Array.from({ length: 11 }, () => at(path)));
    const pings = endpoints.map(({ id }) => ping(id));
    await eventually(
      () => came(path).length,
      (count) => count === endpoints.length,
      DEADLINE_SECONDS * 1_000,
    );
    await cast.admin.get('/v1/webhooks');
    expect((await Promise.all(pings)).map(({ error }) => error)).toEqual(endpoints.map(() => 'timeout'));
  });

  it('is refused while twelve pings of the same owner are in progress; other owners are not affected', async () => {
    const path = `/hang/${unique('in')}`;
    const endpoints = await Promise.all(Array.from({ length: 13 }, () => at(path)));
    const last = endpoints.pop()?.id ?? '';
    const pings = endpoints.map(({ id }) => ping(id));
    await eventually(
      () => came(path).length,
      (count) => count === endpoints.length,
      DEADLINE_SECONDS * 1_000,
    );
    const refused = await cast.admin.post(`/v1/webhooks/${last}/ping`, undefined, 429);
    expect(refused.body).toEqual({
      code: 'rate_limited',
      detail: '12 pings to webhook endpoints of this owner are in flight. Try again shortly.',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const person = await test.as('pinging-person');
    const own = await createEndpoint(person, { target_url: `${receiver.url}/in`, event_types: [] });
    expect(await ping(own.id, person)).toMatchObject({ status: 'SUCCEEDED' });
    await Promise.all(pings);
    expect(await ping(last)).toMatchObject({ error: 'timeout' });
  });

  it('is possible again after it failed inside the service', async () => {
    const { id } = await at('/in');
    await test.dataSource.query(`UPDATE webhook_endpoints SET encrypted_secret = $2 WHERE id = $1`, [
      id,
      Buffer.alloc(80),
    ]);
    const path = `/v1/webhooks/${id}/ping` as const;
    for (let n = 0; n < 2; n++) await cast.admin.post(path, undefined, 500);
    await cast.admin.post(`/v1/webhooks/${newId()}/ping`, undefined, 404);
  });

  it('is limited for each endpoint, over all processes, by what was sent in the last minute', async () => {
    const { database } = test;
    const env = { ...SENDING, RUN: 'api', LIMIT_PINGS_PER_MINUTE: '3' };
    const [one, other] = [await createTestApp({ database, env }), await createTestApp({ database, env })];
    const callers = [await one.as('ping-owner'), await other.as('ping-owner')] as const;
    const { id } = await createEndpoint(callers[0], { target_url: `${receiver.url}/in` });
    const answers: Response[] = [];
    for (let n = 0; n < 8; n++)
      answers.push(await callers[n % 2 === 0 ? 0 : 1].call('post', `/v1/webhooks/${id}/ping`, undefined));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    const last = answers.at(-1);
    expect(last?.body).toEqual({
      code: 'rate_limited',
      detail: expect.stringMatching(/at most 3 times in a minute/) as string,
    });
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(50);
    expect(last?.headers['ratelimit-policy']).toBe('"pings";q=3;w=60');
    // Another endpoint has a count of its own, and a minute later this one may again.
    const { id: another } = await createEndpoint(callers[0], { target_url: `${receiver.url}/in` });
    await callers[1].post(`/v1/webhooks/${another}/ping`, undefined, 200);
    await test.dataSource.query(
      `UPDATE webhook_endpoints SET pings = ARRAY(SELECT ping - interval '1 minute' FROM unnest(pings) AS ping) WHERE id = $1`,
      [id],
    );
    await callers[1].post(`/v1/webhooks/${id}/ping`, undefined, 200);
    await Promise.all([one.close(), other.close()]);
  });
});
