import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { requireRate } from '../../src/scim/roles/sync/call-rate';
import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { Cast, createCast } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';

const PER_MINUTE = 4;
const PREVIEWS = 6;
/** Locks what a preview reads, and nothing that its request reads before. */
const LOCK_MAPPINGS = `LOCK TABLE scim_role_mappings IN ACCESS EXCLUSIVE MODE`;

describe('Role syncs of one organisation', () => {
  let test: TestApp;
  let replica: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    const env = { RUN: 'api', LIMIT_SYNCS_PER_MINUTE: `${PER_MINUTE}`, LIMIT_PREVIEWS_PER_MINUTE: `${PREVIEWS}` };
    test = await createTestApp({ env });
    replica = await createTestApp({ env, database: test.database });
  });

  afterAll(async () => {
    await replica.close();
    await test.close();
  });

  beforeEach(async () => {
    cast = await createCast(test);
  });

  const path = (part = '') => `/v1/organisations/${cast.orgId}/scim/sync${part}` as const;
  const sync = () => cast.admin.call('post', path(), undefined);
  const preview = (api: Api, orgId = cast.orgId) =>
    api.call('post', `/v1/organisations/${orgId}/scim/sync/preview`, undefined, { settings: { default_role: null } });
  const runs = async () => (await cast.admin.get(`/v1/organisations/${cast.orgId}/scim/sync-runs`)).body.length;
  const statusesOf = (answers: Response[]) => answers.map(({ status }) => status);
  /** As if that much time had passed. */
  const age = (seconds: number) =>
    test.dataSource.query(
      `UPDATE organisation_calls SET calls = ARRAY(SELECT call - make_interval(secs => $2) FROM unnest(calls) AS call)
       WHERE org_id = $1`,
      [cast.orgId, seconds],
    );

  function expectLimited({ status, body, headers }: Response, number: number): number {
    expect(status).toBe(429);
    expect(body).toEqual({ code: 'rate_limited', detail: expect.stringMatching(`at most ${number} `) as string });
    expect(headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
    return Number(headers['retry-after']);
  }

  it('are limited per 60 seconds, with Retry-After; refused ones do not count', async () => {
    for (let n = 0; n < PER_MINUTE; n++) {
      expect((await sync()).status).toBe(200);
      await age(10);
    }
    // The first one was 40 s ago.
    const wait = expectLimited(await sync(), PER_MINUTE);
    expect(wait).toBeGreaterThan(10);
    expect(wait).toBeLessThanOrEqual(20);
    expect(await runs()).toBe(PER_MINUTE);
    await age(wait);
    expect((await sync()).status).toBe(200);
    expectLimited(await sync(), PER_MINUTE);
    // The refused one was not counted.
    await age(60);
    expect((await sync()).status).toBe(200);
    const [kept] = await test.dataSource.query<{ calls: Date[] }[]>(
      `SELECT calls FROM organisation_calls WHERE org_id = $1 AND operation = 'scim_sync'`,
      [cast.orgId],
    );
    expect(kept?.calls).toHaveLength(1);
  });

  it('do not limit those of another organisation', async () => {
    const other = await createCast(test);
    for (let n = 0; n < PER_MINUTE; n++) await sync();
    expectLimited(await sync(), PER_MINUTE);
    await other.admin.post(`/v1/organisations/${other.orgId}/scim/sync`, undefined, 200);
  });

  it('run one at a time: a second one is refused while the first waits or runs, in any process', async () => {
    const lock = `SELECT 1 FROM organisations WHERE id = '${cast.orgId}' FOR NO KEY UPDATE`;
    const elsewhere = new Api(replica.url, replica.document, cast.admin.token);
    await holding(test.dataSource, lock, async (release) => {
      const first = sync();
      await untilBlocked(test.dataSource, 1);
      for (const api of [cast.admin, elsewhere]) {
        const refused = await api.call('post', path(), undefined);
        expect([refused.status, refused.body]).toEqual([
          429,
          { code: 'rate_limited', detail: 'A sync of this organisation is running. Try again when it has finished.' },
        ]);
        expect(refused.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      }
      await release();
      expect((await first).status).toBe(200);
    });
    expect(await runs()).toBe(1);
    expect((await sync()).status).toBe(200);
  });

  it('are previewed one at a time: a second preview is refused while the first runs, in any process', async () => {
    const elsewhere = new Api(replica.url, replica.document, cast.admin.token);
    await holding(test.dataSource, LOCK_MAPPINGS, async (release) => {
      const first = preview(cast.admin);
      await untilBlocked(test.dataSource, 1);
      for (const api of [cast.admin, elsewhere]) {
        const refused = await preview(api);
        expect([refused.status, refused.body]).toEqual([
          429,
          {
            code: 'rate_limited',
            detail: 'A preview for this organisation is running. Try again when it has finished.',
          },
        ]);
        expect(refused.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
      }
      await release();
      expect((await first).status).toBe(200);
    });
    expect((await preview(cast.admin)).status).toBe(200);
  });

  it('and of many others leave most connections to other requests', async () => {
    const small = await createTestApp({
      env: { RUN: 'api', DATABASE_POOL_SIZE: '4' },
      database: test.database,
    });
    try {
      const casts = await Promise.all(Array.from({ length: 6 }, () => createCast(test)));
      await holding(test.dataSource, LOCK_MAPPINGS, async (release) => {
        const previews = casts.map(({ admin, orgId }) =>
          preview(new Api(small.url, small.document, admin.token), orgId),
        );
        await eventually(
          () =>
            test.dataSource.query<object[]>(`SELECT FROM organisation_calls WHERE org_id = ANY ($1)`, [
              casts.map(({ orgId }) => orgId),
            ]),
          (counted) => counted.length === casts.length,
          5_000,
        );
        await untilBlocked(test.dataSource, 1);
        const [blocked] = await test.dataSource.query<{ count: number }[]>(
          `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(blocked?.count).toBe(1);
        expect((await fetch(`${small.url}/readyz`)).status).toBe(200);
        await release();
        expect(statusesOf(await Promise.all(previews))).toEqual(Array(casts.length).fill(200));
      });
    } finally {
      await small.close();
    }
  });

  it('are counted exactly across processes', async () => {
    const rate = { orgId: cast.orgId, operation: 'scim_sync_preview', perMinute: PREVIEWS, noun: 'previews' } as const;
    const calls = Array.from({ length: 20 }, (_, n) =>
      requireRate((n % 2 === 0 ? test : replica).app.get(DataSource).manager, rate),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(PREVIEWS);
    expectLimited(await preview(cast.admin), PREVIEWS);
  });

  it('count even if they fail, since they cost as much', async () => {
    await test.dataSource.query(`UPDATE scim_settings SET last_owner_policy = 'refuse' WHERE org_id = $1`, [
      cast.orgId,
    ]);
    await test.dataSource.query(
      `INSERT INTO scim_users (id, org_id, user_id, user_name, active)
       SELECT uuid_v7(), org_id, user_id, 'owner@example.com', false FROM memberships WHERE org_id = $1 AND role = 'OWNER'`,
      [cast.orgId],
    );
    for (let n = 0; n < PER_MINUTE; n++) expect((await sync()).status).toBe(409);
    expectLimited(await sync(), PER_MINUTE);
  });
});
