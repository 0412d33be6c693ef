import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import { CategoryCountsScheduler } from '../../src/catalog/categories/category-counts.scheduler';
import { newId } from '../../src/database/id';
import { Dispatcher } from '../../src/webhooks/engine/dispatcher';
import { createTestApp, TestApp } from '../support/app';
import { createDelivery, createEvent, queueDelivery } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { type Cast, createBundle, createCast, createEndpoint } from '../support/factories';
import { createLocalAccount, PASSWORD } from '../support/local-accounts';
import { growth, scrape } from '../support/metrics';
import { PageBrowser } from '../support/page-browser';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';

const MINUTE_MS = 60_000;
/** After the last retry of the schedule. */
const LAST_STEP = 100;

describe('Counts of what a process did', () => {
  let test: TestApp;
  let receiver: Receiver;
  let cast: Cast;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'toolyard-counters-'));
    receiver = await Receiver.start((webhook, response) =>
      response.writeHead(webhook.path === '/broken' ? 500 : 204).end(),
    );
    // Nothing is sent unless the test wakes the dispatcher.
    test = await createTestApp({ env: { ...SENDING, RUN: 'api' } });
    cast = await createCast(test);
  });

  afterAll(async () => {
    await test.app.get(Dispatcher).stop();
    await test.close();
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  const endpoint = async (path: string) => {
    const { id } = await createEndpoint(cast.admin, { target_url: receiver.url + path, org_id: cast.orgId });
    await test.dataSource.query(`UPDATE webhook_lanes SET is_proven = true WHERE endpoint_id = $1`, [id]);
    return id;
  };
  const queue = async (endpointId: string, fields: Parameters<typeof queueDelivery>[3] = {}) => {
    const eventId = await createEvent(test.dataSource, { orgId: cast.orgId });
    const at = fields.dueAt;
    await queueDelivery(
      test.dataSource,
      endpointId,
      await createDelivery(test.dataSource, endpointId, { eventId, status: 'PENDING', at }),
      fields,
    );
    await test.dataSource.query(`TRUNCATE webhook_new_events`); // It has its delivery.
    await test.dataSource.query(`UPDATE webhook_lanes SET wake_at = now() WHERE endpoint_id = $1`, [endpointId]);
  };

  it('shows what waits, then the deliveries, with those of a dead sender and the failed ones', async () => {
    const [works, fails] = [await endpoint('/works'), await endpoint('/broken')];
    await queue(works, { dueAt: new Date(Date.now() - 2 * MINUTE_MS), claimId: newId(), attempt: 1 });
    await queue(works, { dueAt: new Date(Date.now() + 60 * MINUTE_MS), claimId: newId(), attempt: 1 });
    await queue(fails, { step: LAST_STEP });
    await createBundle(cast.admin, { org_id: cast.orgId });
    const waiting = await scrape(test);
    expect(waiting.get('toolyard_webhook_events_waiting')).toBe(1);
    expect(waiting.get('toolyard_webhook_events_oldest_age_seconds')).toBeLessThan(60);
    expect(waiting.get('toolyard_webhook_deliveries_due')).toBe(2);
    expect(waiting.get('toolyard_webhook_deliveries_due_oldest_age_seconds')).toBeGreaterThanOrEqual(119);
    expect(waiting.get('toolyard_webhook_deliveries_queued')).toEqual(expect.any(Number));
    expect(waiting.get('toolyard_webhook_deliveries_queued_oldest_age_seconds')).toBeGreaterThanOrEqual(119);

    const sent = growth(test, ['toolyard_webhook_'], async () => {
      await test.app.get(Dispatcher).createDeliveries();
      test.app.get(Dispatcher).wake();
      await eventually(
        async () => (await scrape(test)).get('toolyard_webhook_deliveries_total{result="succeeded"}'),
        (count) => count === 2,
        10_000,
      );
      await eventually(
        async () => (await scrape(test)).get('toolyard_webhook_attempts_total{result="http_status"}'),
        (count) => count === 2,
        10_000,
      );
    });
    expect(await sent).toEqual({
      'toolyard_webhook_attempts_total{result="succeeded"}': 2,
      'toolyard_webhook_attempts_total{result="http_status"}': 2,
      'toolyard_webhook_deliveries_total{result="succeeded"}': 2,
      // The delivery of the bundle is tried again later.
      'toolyard_webhook_deliveries_total{result="failed"}': 1,
      toolyard_webhook_takeovers_total: 1,
    });
    const cancelled = growth(test, ['toolyard_webhook_deliveries_total'], () =>
      cast.admin.patch(`/v1/webhooks/${fails}`, { is_active: false }),
    );
    expect(await cancelled).toEqual({ 'toolyard_webhook_deliveries_total{result="cancelled"}': 1 });
  });

  it('counts role syncs, and those that were refused', async () => {
    const syncs = ['toolyard_scim_syncs_total'];
    const path = `/v1/organisations/${cast.orgId}/scim/sync` as const;
    expect(await growth(test, syncs, () => cast.admin.post(path, undefined, 200))).toEqual({
      'toolyard_scim_syncs_total{result="succeeded"}': 1,
    });
    const limited = await createTestApp({
      database: test.database,
      dataDir: test.dataDir,
      env: { RUN: 'api', LIMIT_SYNCS_PER_MINUTE: '1' },
    });
    try {
      const admin = await limited.as(`admin-of-${(await cast.admin.get(`/v1/organisations/${cast.orgId}`)).body.slug}`);
      expect(await growth(limited, syncs, () => admin.post(path, undefined, 429))).toEqual({
        'toolyard_scim_syncs_total{result="refused"}': 1,
      });
    } finally {
      await limited.close();
    }
  });

  it('counts imports that finished, failed and were interrupted', async () => {
    const from = join(folder, 'servers.json');
    const run = (signal?: AbortSignal) => test.app.get(Import).run({ from, map: NO_MAP, signal });
    const imports = ['toolyard_imports_total'];
    const server = { name: 'io.a/map', description: 'A tool server.', version: '1.0.0' };
    writeFileSync(from, JSON.stringify({ servers: [{ server, _meta: {} }] }));
    expect(await growth(test, imports, () => run(AbortSignal.abort()))).toEqual({
      'toolyard_imports_total{result="interrupted"}': 1,
    });
    expect(await growth(test, imports, run)).toEqual({ 'toolyard_imports_total{result="finished"}': 1 });
    const map = { ...NO_MAP, assignments: new Map([['io.a/map', 'nowhere']]) };
    const failing = () => test.app.get(Import).run({ from, map });
    expect(await growth(test, imports, failing)).toEqual({ 'toolyard_imports_total{result="failed"}': 1 });
  });

  it('counts sign-ins with passwords by their result', async () => {
    await createLocalAccount(test, 'counted@example.com');
    const signIn = (password: string) =>
      new PageBrowser(test.url).submit('/sign-in', { email: 'counted@example.com', password });
    const tries = ['toolyard_sign_ins_total'];
    expect(await growth(test, tries, () => signIn(PASSWORD))).toEqual({
      'toolyard_sign_ins_total{way="password",result="succeeded"}': 1,
    });
    const wrong = async () => {
      for (let n = 1; n <= 7; n++) await signIn('wrong');
    };
    const { 'toolyard_sign_ins_total{way="password",result="limited"}': limited = 0, ...others } = await growth(
      test,
      tries,
      wrong,
    );
    expect(limited).toBeGreaterThan(0);
    expect(others).toEqual({ 'toolyard_sign_ins_total{way="password",result="failed"}': 7 - limited });
  });

  it('counts tokens by kind', async () => {
    const tokens = ['toolyard_tokens_issued_total'];
    const { id } = await createBundle(cast.admin, { org_id: cast.orgId });
    const create = async () => {
      await cast.admin.post('/v1/users/me/access-tokens', { name: 'CI', scopes: ['catalog:read'] });
      await cast.admin.post(`/v1/bundles/${id}/access-tokens`, { name: 'CI' });
      await cast.admin.post(`/v1/organisations/${cast.orgId}/scim/tokens`, { name: 'IdP' });
      await cast.member.post(`/v1/organisations/${cast.orgId}/scim/tokens`, { name: 'IdP' }, 403);
    };
    expect(await growth(test, tokens, create)).toEqual({
      'toolyard_tokens_issued_total{kind="personal"}': 1,
      'toolyard_tokens_issued_total{kind="bundle"}': 1,
      'toolyard_tokens_issued_total{kind="scim"}': 1,
    });
  });

  it('shows the age of the counts, of the signing key, and fewer than 2,000 series in the worst case', async () => {
    // A process without a worker has not refreshed them, and the value was read less than ten seconds ago.
    const worker = await createTestApp({ database: test.database, dataDir: test.dataDir });
    try {
      await worker.app.get(CategoryCountsScheduler).refresh();
      const series = await scrape(worker);
      expect(series.get('toolyard_category_counts_age_seconds')).toBeLessThan(60);
      expect(series.get('toolyard_signing_key_age_seconds')).toEqual(expect.any(Number));
      const isDuration = /^(?:http_server_request|mcp_server_operation)_duration_seconds/;
      const others = [...series.keys()].filter((name) => !isDuration.test(name));
      // Each of 150 combinations of requests, 29 of methods, and "others" has six buckets, +Inf, sum and count.
      expect(others.length + (151 + 30) * 9).toBeLessThan(2_000);
    } finally {
      await worker.close();
    }
  });
});
