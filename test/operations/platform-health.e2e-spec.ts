import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { createEndpoint } from '../support/factories';

const HEALTH = '/v1/platform/health';

describe('The health of the platform', () => {
  let test: TestApp;
  let root: Api;

  beforeAll(async () => {
    // Nothing works here but what a test does itself.
    test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'root@example.com' } });
    root = await test.as('root');
  });

  afterAll(() => test.close());

  const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<unknown>(sql, parameters);
  const read = async () => (await root.get(HEALTH)).body;
  const beat = (fields: { parts: string[]; version?: string; ago?: number }) =>
    query(`INSERT INTO replicas (id, parts, version, seen_at) VALUES ($1, $2, $3, now() - make_interval(secs => $4))`, [
      newId(),
      fields.parts,
      fields.version ?? null,
      fields.ago ?? 0,
    ]);

  it('says which versions run, that all migrations have, and whose keys are in use, without a secret', async () => {
    const health = await read();
    expect(health.versions).toMatchObject({
      node: process.versions.node,
      service: expect.stringMatching(/^\d+\.\d+/) as string,
    });
    expect(health.versions.postgresql).toMatch(/^\d+/);
    expect(health.migrations).toEqual({
      state: 'OK',
      applied: test.dataSource.migrations.length,
      pending: [],
      unknown: [],
    });
    expect(health.keys.map(({ purpose, use, state }) => [purpose, use, state])).toEqual([
      ['SIGNING', 'CURRENT', 'OK'],
      ['ENCRYPTION', 'CURRENT', 'OK'],
    ]);
    expect(Object.keys(health.keys[0] ?? {}).sort()).toEqual(['id', 'purpose', 'since', 'state', 'use']);
    expect(Date.now() - Date.parse(health.read_at)).toBeLessThan(60_000);
  });

  it('knows the processes that live, those that ended without a word, and their releases', async () => {
    expect((await read()).replicas).toMatchObject({ state: 'BAD', api: 0, worker: 0, replicas: [] });
    await beat({ parts: ['api', 'worker'], version: '0.1.0' });
    await beat({ parts: ['api'], version: '0.1.0' });
    expect(await read()).toMatchObject({
      replicas: { state: 'OK', api: 2, worker: 1 },
      versions: { state: 'OK', releases: ['0.1.0'] },
    });
    await beat({ parts: ['worker'], version: '0.2.0' });
    await beat({ parts: ['worker'], version: '0.0.1', ago: 60 });
    const health = await read();
    expect(health).toMatchObject({
      replicas: { state: 'WARN', api: 2, worker: 2 },
      versions: { state: 'WARN', releases: ['0.1.0', '0.2.0'] },
    });
    expect(health.replicas.replicas.map(({ version, is_alive }) => [version, is_alive])).toContainEqual([
      '0.0.1',
      false,
    ]);
    await query(`DELETE FROM replicas`);
  });

  it('knows when the counts were refreshed', async () => {
    expect((await read()).category_counts).toEqual({ state: 'WARN', refreshed_at: null });
    await query(`UPDATE category_count_refresh SET refreshed_at = now() - interval '2 days'`);
    expect((await read()).category_counts.state).toBe('BAD');
    await query(`UPDATE category_count_refresh SET refreshed_at = now()`);
    expect((await read()).category_counts.state).toBe('OK');
  });

  it('counts what waits, since when, and no more than it must', async () => {
    const person = await test.as('hook');
    await createEndpoint(person, {});
    await query(`DELETE FROM webhook_new_events`);
    const before = (await read()).queues;
    expect(before.map(({ name, depth, oldest_at, state }) => [name, depth, oldest_at, state])).toEqual(
      ['WEBHOOK_EVENTS', 'WEBHOOK_DELIVERIES', 'MAILS'].map((name) => [name, 0, null, 'OK']),
    );
    await query(
      `INSERT INTO webhook_new_events (event_id, tenant_id, noticed_at)
       SELECT gen_random_uuid(), gen_random_uuid(), now() - interval '2 minutes' FROM generate_series(1, 10010)`,
    );
    await query(
      `INSERT INTO mails (id, kind, recipient, sealed, status, attempt_count, next_attempt_at, expires_at, created_at)
       VALUES ($1, 'PASSWORD_RESET', '\\x00', '\\x00', 'PENDING', 0, now() - interval '11 minutes', now() + interval '1 day', now())`,
      [newId()],
    );
    const waiting = (await read()).queues;
    expect(waiting.map(({ name, depth, state }) => [name, depth, state])).toEqual([
      ['WEBHOOK_EVENTS', 10_000, 'WARN'],
      ['WEBHOOK_DELIVERIES', 0, 'OK'],
      ['MAILS', 1, 'BAD'],
    ]);
    await query(`DELETE FROM webhook_new_events`);
    await query(`DELETE FROM mails`);
  });

  it('knows how the last import went, and what came into quarantine', async () => {
    expect((await read()).imports).toMatchObject({ state: 'OK', from: null, last: null, quarantined: 0 });
    const source = 'https://registry.example.com';
    await query(`INSERT INTO import_sources (address) VALUES ($1)`, [source]);
    await query(
      `INSERT INTO import_runs (id, source, mode, status, started_at, updated_at, finished_at, error)
       VALUES ($1, $3, 'whole', 'finished', now(), now(), now(), NULL),
              ($2, $3, 'incremental', 'failed', now(), now(), now(), 'It did not answer.')`,
      [newId(), newId(), source],
    );
    await query(
      `INSERT INTO import_quarantine (source, digest, reasons, document, created_at)
       VALUES ($1, '\\x01', '[]', '{}', now()), ($1, '\\x02', '[]', '{}', now() - interval '2 days')`,
      [source],
    );
    expect((await read()).imports).toMatchObject({
      state: 'WARN',
      last: { source, status: 'failed', error: 'It did not answer.' },
      finished_at: expect.any(String) as string,
      quarantined: 2,
      quarantined_today: 1,
      counted_up_to: 1_000,
    });
    await query(`UPDATE import_quarantine SET state = 'DISMISSED', decided_at = now() WHERE digest = '\\x01'`);
    expect((await read()).imports).toMatchObject({ quarantined: 1, quarantined_today: 0 });
  });

  it('says what another process needs to read the secrets, and which migrations are missing', async () => {
    await query(`INSERT INTO secrets_keys (id) VALUES ('lost')`);
    await query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`);
    const [gone] = await test.dataSource.query<{ name: string }[]>(
      `DELETE FROM migrations WHERE id = (SELECT min(id) FROM migrations) RETURNING name, timestamp, id`,
    );
    const health = await read();
    expect(health.keys.find(({ id }) => id === 'lost')).toMatchObject({ use: 'UNKNOWN', state: 'BAD' });
    expect(health.migrations).toMatchObject({ state: 'BAD', unknown: ['Later1'] });
    expect(health.migrations.pending).toHaveLength(1);
    expect(health.state).toBe('BAD');
    expect(gone).toBeDefined();
  });

  it('is for platform administrators alone', async () => {
    await (await test.as('ada')).get(HEALTH, 403);
    await test.anonymous.get(HEALTH, 401);
  });
});
