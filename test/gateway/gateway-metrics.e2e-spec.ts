import { Metrics } from '../../src/metrics/metrics';
import { UpstreamListeners } from '../../src/gateway/upstreams/upstream-listeners';
import { UpstreamRefresher } from '../../src/gateway/upstreams/upstream-refresher';
import { eventually } from '../support/eventually';
import { growth, scrape } from '../support/metrics';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { MessageStream, type ModernClient } from './support/mcp-client';
import { TestUpstream } from './support/test-upstream';

const METHODS = ['mcp_server_operation_duration_seconds_count'];
const CALLS = ['toolyard_gateway_upstream_calls_total'];
const REFRESHES = ['toolyard_gateway_refreshes_total'];

const counted = (method: string, era: string, outcome: string) =>
  `mcp_server_operation_duration_seconds_count{mcp_method_name="${method}",era="${era}",outcome="${outcome}"}`;
const calls = (outcome: string) => `toolyard_gateway_upstream_calls_total{outcome="${outcome}"}`;

let stage: Stage;
let upstream: TestUpstream;
let person: Person;
let endpoint: Endpoint;
let modern: ModernClient;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api,worker' } });
  upstream = await TestUpstream.start();
  person = await stage.person();
  endpoint = await person.endpoint([upstream.url], { naming: 'PLAIN' });
  modern = await person.modern(endpoint);
  await modern.all('tools/list', 'tools');
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

const gauge = async (name: string) => (await scrape(stage.test)).get(name);

describe('Metrics of endpoints', () => {
  it('have each method by era and outcome, and each call to a server by what became of it', async () => {
    const legacy = await person.legacy(endpoint);
    const work = async () => {
      await modern.result('tools/call', { name: 'echo', arguments: {} });
      await modern.result('tools/call', { name: 'fail', arguments: {} });
      await modern.error('tools/call', { name: 'none', arguments: {} });
      await legacy.result('tools/call', { name: 'echo', arguments: {} });
      await legacy.result('tools/list');
      await legacy.result('ping');
    };
    expect(await growth(stage.test, METHODS, work)).toEqual({
      [counted('tools/call', 'modern', 'ok')]: 1,
      [counted('tools/call', 'modern', 'tool_error')]: 1,
      [counted('tools/call', 'modern', 'error')]: 1,
      [counted('tools/call', 'legacy', 'ok')]: 1,
      [counted('tools/list', 'legacy', 'ok')]: 1,
      [counted('ping', 'legacy', 'ok')]: 1,
    });
    // What a tool says of itself is no failure of its server, and an unknown tool has none.
    expect(await growth(stage.test, CALLS, work)).toEqual({ [calls('ok')]: 3 });
  });

  it('count calls that a server fails, and those that the client cancels', async () => {
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call') return false;
      response.writeHead(500).end();
      return true;
    };
    const fails = () => modern.result('tools/call', { name: 'echo', arguments: {} });
    expect(await growth(stage.test, CALLS, fails)).toEqual({ [calls('upstream_error')]: 1 });
    upstream.fault = () => false;
    const cancels = async () => {
      const before = upstream.calls.begun.length;
      const controller = new AbortController();
      const call = modern
        .send('tools/call', { name: 'slow', arguments: {} }, { signal: controller.signal })
        .catch((error: unknown) => error);
      await eventually(
        () => upstream.calls.begun.length,
        (begun) => begun > before,
        2_000,
      );
      controller.abort();
      await call;
      await eventually(
        () => gauge(calls('cancelled')),
        (cancelled = 0) => cancelled > 0,
        2_000,
      );
    };
    const isCancelled = [calls('cancelled'), counted('tools/call', 'modern', 'cancelled')];
    expect(await growth(stage.test, isCancelled, cancels)).toEqual({
      [calls('cancelled')]: 1,
      [counted('tools/call', 'modern', 'cancelled')]: 1,
    });
  });

  it('count lists that were read, and those of a server that is down', async () => {
    const refresh = async (): Promise<void> => {
      const rows = await stage.test.dataSource.query<{ id: string }[]>(`SELECT id FROM upstreams`);
      await stage.test.app.get(UpstreamRefresher).refresh(rows.map(({ id }) => id));
    };
    const result = (what: string) => `toolyard_gateway_refreshes_total{result="${what}"}`;
    expect(await growth(stage.test, REFRESHES, refresh)).toHaveProperty([result('read')]);
    const gone = await TestUpstream.start();
    const { url } = gone;
    await gone.close();
    const other = await person.endpoint([url]);
    await (await person.modern(other)).result('tools/list');
    const grown = await growth(stage.test, REFRESHES, refresh);
    expect(grown).toHaveProperty([result('down')]);
    // Claimed, so that the worker does not read it now.
    await stage.test.dataSource.query(
      `UPDATE upstreams SET down_since = now() - interval '2 minutes', due_at = now() - interval '1 hour',
         claimed_until = now() + interval '1 minute' WHERE url = $1`,
      [url],
    );
    // Both are read once in ten seconds, so this is the first scrape of another process.
    const { database, dataDir } = stage.test;
    const another = await createStage(1, { database, dataDir, env: { RUN: 'api' } });
    try {
      const series = await scrape(another.test);
      expect(series.get('toolyard_gateway_upstreams_down')).toBe(1);
      expect(series.get('toolyard_gateway_lists_overdue_seconds')).toBeGreaterThan(3_500);
    } finally {
      await another.close();
    }
  });

  it('show streams while they are open, and the memory of compiled bundles', async () => {
    expect(await gauge('toolyard_gateway_compiled_bytes')).toBeGreaterThan(1_000);
    const before = (await gauge('toolyard_gateway_streams_open')) ?? 0;
    const filter = { notifications: { toolsListChanged: true, resourceSubscriptions: ['memo://one'] } };
    const stream = new MessageStream(await modern.send('subscriptions/listen', filter));
    await stream.nextOf('notifications/subscriptions/acknowledged');
    expect(await gauge('toolyard_gateway_streams_open')).toBe(before + 1);
    expect(await gauge('toolyard_gateway_subscriptions_open')).toBe(1);
    await stream.close();
    for (const name of ['toolyard_gateway_streams_open', 'toolyard_gateway_subscriptions_open'])
      await eventually(
        () => gauge(name),
        (count) => count === (name.includes('streams') ? before : 0),
        2_000,
      );
    await stage.test.app.get(UpstreamListeners).look();
    expect(await gauge('toolyard_gateway_upstreams_listening')).toBe(1);
  });

  it('have no id, no address and no name of a tool in any label', async () => {
    const text = await stage.test.app.get(Metrics).text();
    for (const secret of [endpoint.bundleId, upstream.url, String(upstream.port), 'echo', person.name])
      expect(text).not.toContain(`"${secret}"`);
  });
});
