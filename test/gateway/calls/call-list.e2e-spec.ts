import { newId } from '../../../src/database/id';
import { CallStore } from '../../../src/gateway/calls/call-store';
import type { CallRow } from '../../../src/gateway/calls/call-writes.sql';
import { createTestApp, type TestApp } from '../../support/app';
import { type Cast, createBundle, createCast } from '../../support/factories';
import { faultsOf } from '../../support/faults';
import { allPages } from '../../support/pages';
import { statementsOf } from '../../support/statements';
import type { Query } from '../../support/typed-paths';

const OUTCOMES = ['OK', 'OK', 'OK', 'TOOL_ERROR', 'TIMEOUT', 'STARTED'] as const;

let test: TestApp;
let cast: Cast;
let bundleId: string;
let rows: CallRow[];

const [entryA, entryB, ada, bob] = [newId(), newId(), newId(), newId()];

/** Deterministic, and different in every column that is counted. */
function sample(bundle_id: string, count: number): CallRow[] {
  return Array.from({ length: count }, (_, n) => {
    const outcome = OUTCOMES[n % OUTCOMES.length] ?? 'OK';
    const hasEnded = outcome !== 'STARTED';
    return {
      ...{ bundle_id, id: newId(), deployment_id: null, bundle_version: 1, method: 'tools/call', era: 'modern' },
      entry_id: n % 3 === 0 ? entryB : entryA,
      name: `tool-${n % 4}`,
      exposed_name: n % 3 === 0 ? `b__tool-${n % 4}` : `a__tool-${n % 4}`,
      definition_digest: Buffer.alloc(32, 7),
      principal_type: n % 5 === 0 ? 'token' : 'person',
      principal_id: n % 5 === 0 ? bob : ada,
      ...{ client_name: 'test', client_version: null, outcome, error_code: null },
      duration_us: hasEnded ? ((n * 7919) % 997) * 1_000 + 500 : null,
      upstream_us: hasEnded ? 250 : null,
      bytes_in: 100 + n,
      bytes_out: hasEnded ? 1_000 + n : null,
      ...{ request_id: `request-${n}`, trace_id: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736', argument_keys: ['a'] },
      argument_digest: null,
    };
  });
}

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
  bundleId = (await createBundle(cast.owner, { org_id: cast.orgId })).id;
  rows = sample(bundleId, 240);
  const store = test.app.get(CallStore);
  await store.write(rows);
  await store.write(sample((await createBundle(cast.owner)).id, 50));
});

afterAll(() => test.close());

const listOf = () => `/v1/bundles/${bundleId}/calls` as const;
const statisticsOf = () => `/v1/bundles/${bundleId}/calls/statistics` as const;
const statistics = async (query: Query) => (await cast.owner.get(`${statisticsOf()}${query}`)).body;

describe('The record of a bundle', () => {
  it('is read newest first, page by page, by everyone who may edit the bundle', async () => {
    const found = await allPages(cast.admin, `${listOf()}?limit=100`);
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).reverse());
    expect(found.at(-1)).toEqual({
      id: rows[0]?.id,
      created_at: found.at(-1)?.created_at,
      deployment_id: null,
      bundle_version: 1,
      entry_id: entryB,
      entry_key: null,
      method: 'tools/call',
      name: 'tool-0',
      tool: 'b__tool-0',
      definition_digest: '07'.repeat(32),
      principal: { type: 'token', id: bob, name: null },
      client: { name: 'test', version: null },
      era: 'modern',
      outcome: 'OK',
      error_code: null,
      duration_ms: 0.5,
      upstream_ms: 0.25,
      bytes_in: 100,
      bytes_out: 1_000,
      request_id: 'request-0',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      argument_keys: ['a'],
      argument_digest: null,
    });
    await cast.member.get(listOf(), 403);
    await cast.outsider.get(listOf(), 404);
  });

  it.each<[string, (row: CallRow) => boolean]>([
    [`entry_id=${entryB.toUpperCase()}`, ({ entry_id }) => entry_id === entryB],
    ['tool=a__tool-1', ({ exposed_name }) => exposed_name === 'a__tool-1'],
    [`principal_id=${bob}`, ({ principal_id }) => principal_id === bob],
    ['outcome=TIMEOUT', ({ outcome }) => outcome === 'TIMEOUT'],
    [
      `entry_id=${entryA}&tool=a__tool-1&principal_id=${ada}&outcome=OK`,
      (row) => row.exposed_name === 'a__tool-1' && row.principal_id === ada && row.outcome === 'OK',
    ],
  ])('is narrowed by %s', async (query, isWanted) => {
    const wanted = rows.filter(isWanted).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(2);
    const found = await allPages(cast.owner, `${listOf()}?limit=7&${query}`);
    expect(found.map(({ id }) => id)).toEqual(wanted.reverse());
  });

  it('is narrowed to a time, of which its last moment is not part', async () => {
    const all = await allPages(cast.owner, `${listOf()}?limit=100`);
    const times = all.map(({ created_at }) => String(created_at));
    const [first, last] = [times.at(-1) ?? '', times[0] ?? ''];
    const count = async (query: string) => (await allPages(cast.owner, `${listOf()}?limit=100&${query}`)).length;
    expect(await count(`from=${first}`)).toBe(rows.length);
    expect(await count(`from=${first}&to=${last}`)).toBe(times.filter((time) => time < last).length);
    expect(await count(`to=${first}`)).toBe(0);
    expect(await count('to=2026-01-01T00:00:00Z')).toBe(0);
  });

  it('is of 31 days at once, in all of its pages', async () => {
    const old = '2026-01-01T00:00:00Z';
    for (const query of [`from=${old}`, `from=${old}&to=2026-02-02T00:00:00Z`, `from=2099-01-01T00:00:00Z`])
      expect(faultsOf(await cast.owner.get(`${listOf()}?${query}`, 422))).toEqual(['query.from value_error']);
    const [page] = await statementsOf(test, () => cast.owner.get(`${listOf()}?limit=1`)).then((all) =>
      all.filter(({ sql }) => sql.includes('endpoint_calls')),
    );
    const since = parseInt(String(page?.parameters[1]).replace('-', '').slice(0, 12), 16);
    expect(Date.now() - since).toBeLessThan(31 * 24 * 3_600_000 + 60_000);
  });

  it('refuses what is no filter, and a cursor of another bundle', async () => {
    for (const [query, fault] of [
      ['outcome=GOOD', 'query.outcome enum'],
      ['entry_id=1', 'query.entry_id uuid_parsing'],
      ['from=yesterday', 'query.from datetime_from_date_parsing'],
    ] as const) {
      const [found] = faultsOf(await cast.owner.get(`${listOf()}?${query}`, 422));
      expect(found?.split(' ')[0]).toBe(fault.split(' ')[0]);
    }
    const page = await cast.owner.get(`${listOf()}?limit=1`);
    const cursor = /cursor=([^>&]+)/.exec(String(page.headers.link))?.[1] ?? '';
    const other = (await createBundle(cast.owner)).id;
    await cast.owner.get(`/v1/bundles/${other}/calls?cursor=${cursor}`, 422);
  });
});

/** As the specification of `percentile_disc` says: the first value whose place is at least that share of all. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)];
  return value === undefined ? null : value / 1_000;
}

function figures(of: readonly CallRow[]) {
  const durations = of.flatMap(({ duration_us }) => duration_us ?? []);
  const sum = (all: readonly (number | null)[]) => all.reduce<number>((total, value) => total + (value ?? 0), 0);
  return {
    calls: of.length,
    errors: of.filter(({ outcome }) => outcome !== 'OK' && outcome !== 'STARTED').length,
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    p99_ms: percentile(durations, 0.99),
    bytes_in: sum(of.map(({ bytes_in }) => bytes_in)),
    bytes_out: sum(of.map(({ bytes_out }) => bytes_out)),
  };
}

describe('The statistics of a bundle', () => {
  it.each<[string, (row: CallRow) => object]>([
    ['tool', ({ exposed_name }) => ({ tool: exposed_name })],
    ['entry', ({ entry_id }) => ({ entry_id })],
    ['principal', ({ principal_type: type, principal_id: id }) => ({ principal: { type, id, name: null } })],
    ['outcome', ({ outcome }) => ({ outcome })],
  ])('by %s are exact', async (by, groupOf) => {
    const keys = [...new Set(rows.map((row) => JSON.stringify(groupOf(row))))];
    const expected = keys.map((key) => ({
      ...{ tool: null, entry_id: null, entry_key: null, principal: null, outcome: null, begins_at: null },
      ...(JSON.parse(key) as object),
      ...figures(rows.filter((row) => JSON.stringify(groupOf(row)) === key)),
    }));
    const found = await statistics(`?by=${by}`);
    expect(found).toMatchObject({ is_complete: true, total: figures(rows), group_count: keys.length });
    expect(found.groups).toHaveLength(expected.length);
    expect(found.groups).toEqual(expect.arrayContaining(expected));
    const counts = found.groups.map(({ calls }: { calls: number }) => calls);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  });

  it('by time are of equal parts, the oldest first', async () => {
    const found = await statistics('?by=time');
    expect(found.part_seconds).toBe(3_600);
    const begins = found.groups.map(({ begins_at }) => begins_at ?? '');
    expect(begins).toEqual([...begins].sort());
    expect(begins.every((at) => at.endsWith(':00:00.000Z'))).toBe(true);
    expect(found.groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(rows.length);
    const hour = `?by=time&from=${new Date(Date.now() - 3_000_000).toISOString()}` as const;
    expect((await statistics(hour)).part_seconds).toBe(60);
    expect((await statistics('?by=tool')).part_seconds).toBeNull();
  });

  it('name people of the organisation, tokens of the bundle, and no stranger', async () => {
    const bundle = (await createBundle(cast.owner, { org_id: cast.orgId })).id;
    const [row] = sample(bundle, 1);
    if (!row) throw new Error('There is no row.');
    const wish = { name: 'CI', scopes: ['read' as const] };
    const token = (await cast.owner.post(`/v1/bundles/${bundle}/access-tokens`, wish)).body.id;
    const member = (await cast.member.get('/v1/users/me')).body;
    const outsider = (await cast.outsider.get('/v1/users/me')).body;
    const called = [
      ['token', token, 'CI'],
      ['person', member.id, 'Someone'],
      ['person', outsider.id, null],
    ] as const;
    await test.dataSource.query(`UPDATE users SET name = 'Someone' WHERE id = ANY ($1)`, [[member.id, outsider.id]]);
    await test.app
      .get(CallStore)
      .write(called.map(([principal_type, principal_id]) => ({ ...row, id: newId(), principal_type, principal_id })));
    const { body: calls } = await cast.owner.get(`/v1/bundles/${bundle}/calls`);
    expect(calls.map(({ principal }) => principal).reverse()).toEqual(
      called.map(([type, id, name]) => ({ type, id, name })),
    );
    const { groups } = (await cast.owner.get(`/v1/bundles/${bundle}/calls/statistics?by=principal`)).body;
    expect(groups.find(({ principal }) => principal?.id === token)?.principal?.name).toBe('CI');
    expect(groups.find(({ principal }) => principal?.id === outsider.id)?.principal?.name).toBeNull();
  });

  it('are of what is asked for only', async () => {
    const wanted = rows.filter(({ entry_id, outcome }) => entry_id === entryA && outcome === 'OK');
    const found = await statistics(`?by=principal&entry_id=${entryA}&outcome=OK`);
    expect(found.total).toEqual(figures(wanted));
    expect((await statistics('?to=2026-01-01T00:00:00Z')).total).toMatchObject({ calls: 0, p50_ms: null });
  });

  it('are of a bounded time, for those who may edit the bundle', async () => {
    for (const query of [
      '?from=2026-01-01T00:00:00Z&to=2026-02-02T00:00:00Z',
      '?from=2099-01-01T00:00:00Z',
      '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    ] as const)
      expect(faultsOf(await cast.owner.get(`${statisticsOf()}${query}`, 422))).toEqual(['query.from value_error']);
    await cast.member.get(statisticsOf(), 403);
    await cast.outsider.get(statisticsOf(), 404);
  });
});
