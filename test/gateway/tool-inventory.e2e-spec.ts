import { newId } from '../../src/database/id';
import { digestedText, definitionDigest } from '../../src/gateway/protocol/definition-digest';
import { ToolInventory } from '../../src/gateway/administration/tool-inventory';
import { FORGET_GONE, REMOVE_GONE, REMOVE_UNUSED_DEFINITIONS } from '../../src/gateway/rules/tool-inventory.sql';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { newsOf, relist, toolEvents } from './support/bundle-tools';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

let stage: Stage;
let ada: Person;
const started: TestUpstream[] = [];

beforeAll(async () => {
  // Without a worker: what is noticed, and when, is up to the test.
  stage = await createStage(2, { env: { RUN: 'api' } });
  ada = await stage.person(unique('ada'));
});

afterAll(async () => {
  await stage.close();
  for (const upstream of started) await upstream.close();
});

const sql = <Row>(text: string, values: unknown[] = []) => stage.test.dataSource.query<Row[]>(text, values);
/** All processes at once, as workers do. */
const notice = () => Promise.all([stage.test, ...stage.others].map(({ app }) => app.get(ToolInventory).notice()));

async function served(tools: Json[]) {
  const upstream = await TestUpstream.start();
  started.push(upstream);
  upstream.tools = tools;
  const endpoint = await ada.endpoint([upstream.url]);
  await (await ada.modern(endpoint)).all('tools/list', 'tools');
  await eventually(
    () => sql(`SELECT FROM endpoint_upstreams WHERE bundle_id = $1`, [endpoint.bundleId]),
    (rows) => rows.length === 1,
    2_000,
  );
  await notice();
  const [entry] = (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/entries`)).body;
  return { upstream, endpoint, entryId: entry?.id ?? '' };
}

const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => toolOf(`tool_${String(from + index).padStart(4, '0')}`));
const namesOf = async ({ bundleId }: Endpoint) =>
  (
    await sql<{ name: string }>(
      `SELECT name FROM bundle_tools WHERE bundle_id = $1 AND kind = 'tool' AND is_listed ORDER BY name`,
      [bundleId],
    )
  ).map(({ name }) => name);

describe('What is noticed of the tools of a bundle', () => {
  it('is no news the first time, and one event for each sort of change after that, however many tools', async () => {
    const { upstream, endpoint } = await served(many(0, 300));
    expect(await namesOf(endpoint)).toHaveLength(300);
    expect(await newsOf(stage, endpoint)).toEqual([]);
    upstream.tools = [...many(150, 300).map((tool) => ({ ...tool, description: 'Other.' })), ...many(300, 320)];
    await relist(stage, upstream);
    for (let n = 0; n < 3; n++) await notice();
    const events = await toolEvents(stage, endpoint);
    expect(events.map(({ type, data }) => [type, data.tool_count, data.tool_names.length])).toEqual([
      ['tool.added', 20, 20],
      ['tool.definition_changed', 150, 100],
      ['tool.removed', 150, 100],
    ]);
    expect(events[0]).toMatchObject({
      org_id: null,
      data: { kind: 'tool', pinning: 'WARN', tool_names: many(300, 320).map(({ name }) => name) },
    });
  });

  it('is told once, whoever looks at the same time', async () => {
    const { upstream, endpoint } = await served([toolOf('echo')]);
    for (let round = 0; round < 5; round++) {
      upstream.tools = [toolOf('echo', { description: `Version ${round}.` })];
      await relist(stage, upstream);
      await Promise.all([notice(), notice(), ada.api.get(`/v1/bundles/${endpoint.bundleId}/tools`), notice()]);
    }
    expect(await newsOf(stage, endpoint)).toEqual(Array.from({ length: 5 }, () => 'changed echo'));
  });

  it('is no event where nobody wants to know, or the entry is disabled', async () => {
    const { upstream, endpoint, entryId } = await served([toolOf('echo')]);
    const entry = `/v1/bundles/${endpoint.bundleId}/entries/${entryId}` as const;
    await ada.api.patch(entry, { pinning: 'OFF' });
    upstream.tools = [toolOf('log')];
    await relist(stage, upstream);
    await notice();
    await ada.api.patch(entry, { pinning: 'WARN', is_enabled: false });
    upstream.tools = [toolOf('fail')];
    await relist(stage, upstream);
    await notice();
    expect(await newsOf(stage, endpoint)).toEqual([]);
    await ada.api.patch(entry, { is_enabled: true });
    await notice();
    expect((await newsOf(stage, endpoint)).sort()).toEqual(['added fail', 'removed log']);
  });

  it('does not wait for an editor who changes the bundle, and nobody waits for it', async () => {
    const { upstream, endpoint } = await served([toolOf('echo')]);
    upstream.tools = [toolOf('log')];
    await relist(stage, upstream);
    await stage.test.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT FROM bundles WHERE id = $1 FOR UPDATE`, [endpoint.bundleId]);
      await notice();
      expect(await newsOf(stage, endpoint)).toEqual([]);
    });
    await notice();
    expect((await newsOf(stage, endpoint)).sort()).toEqual(['added log', 'removed echo']);
  });

  it('is forgotten some time after it is gone, unless the bundle says something of it', async () => {
    const { endpoint, entryId } = await served([toolOf('echo')]);
    const gone = async (name: string, age: string) => {
      await sql(
        `INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, is_listed, changed_at)
         VALUES ($1, $2, $3, 'tool', $4, 'x', false, now() - $5::interval)`,
        [newId(), endpoint.bundleId, entryId, name, age],
      );
    };
    for (const name of ['old', 'kept']) await gone(name, '91 days');
    await gone('fresh', '89 days');
    await sql(
      `INSERT INTO tool_overrides (bundle_id, entry_id, kind, name, from_version, is_enabled) VALUES ($1, $2, 'tool', 'kept', 1, false)`,
      [endpoint.bundleId, entryId],
    );
    await sql(REMOVE_GONE, [new Date(), 1_000]);
    const left = await sql<{ name: string }>(
      `SELECT name FROM bundle_tools WHERE bundle_id = $1 AND kind = 'tool' AND NOT is_listed ORDER BY name`,
      [endpoint.bundleId],
    );
    expect(left.map(({ name }) => name)).toEqual(['fresh', 'kept']);
    await sql(
      `INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, is_listed, changed_at)
       SELECT uuid_v7(), $1, $2, 'tool', 'gone ' || n, 'x', false, now() - n * interval '1 second' FROM generate_series(1, 2100) AS n`,
      [endpoint.bundleId, entryId],
    );
    await sql(FORGET_GONE, [endpoint.bundleId, entryId]);
    const [{ count }] = (await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM bundle_tools WHERE bundle_id = $1 AND NOT is_listed`,
      [endpoint.bundleId],
    )) as [{ count: number }];
    expect(count).toBe(2_001);
  });

  it('is gone with the entry, whatever the bundle said of it, and comes back with it', async () => {
    const { endpoint, entryId } = await served(many(0, 3));
    await sql(
      `INSERT INTO tool_overrides (bundle_id, entry_id, kind, name, from_version, is_enabled) VALUES ($1, $2, 'tool', 'tool_0000', 1, false)`,
      [endpoint.bundleId, entryId],
    );
    await ada.api.delete(`/v1/bundles/${endpoint.bundleId}/entries/${entryId}`);
    expect(await namesOf(endpoint)).toEqual([]);
    const left = () =>
      sql(`SELECT FROM bundle_tools WHERE bundle_id = $1 AND kind = 'tool'`, [endpoint.bundleId]).then(
        ({ length }) => length,
      );
    await sql(REMOVE_GONE, [new Date(), 10_000]);
    expect(await left()).toBe(3);
    await ada.api.post(`/v1/bundles/${endpoint.bundleId}/versions/2/restore`, {}, 200);
    await (await ada.modern(endpoint)).all('tools/list', 'tools');
    await sql(`UPDATE endpoint_upstreams SET is_tools_due = true WHERE bundle_id = $1`, [endpoint.bundleId]);
    await notice();
    expect(await namesOf(endpoint)).toHaveLength(3);
    await ada.api.delete(`/v1/bundles/${endpoint.bundleId}/entries/${entryId}`);
    await sql(REMOVE_GONE, [new Date(Date.now() + 91 * 86_400_000), 10_000]);
    expect(await left()).toBe(0);
  });
});

describe('An approved definition', () => {
  const definition = (n: number) => ({ name: 'echo', description: `Version ${n}.` });
  const approve = (bundleId: string, entryId: string, n: number, from: number, until: number | null) =>
    sql(
      `INSERT INTO tool_approvals (bundle_id, entry_id, kind, name, digest, from_version, until_version, approved_at)
       VALUES ($1, $2, 'tool', 'echo', $3, $4, $5, now())`,
      [bundleId, entryId, definitionDigest(definition(n)), from, until],
    );
  const keep = (bundleId: string, n: number, unused: string | null) =>
    sql(
      `INSERT INTO approved_definitions (bundle_id, digest, body, unused_since) VALUES ($1, $2, $3, now() - $4::interval)`,
      [bundleId, definitionDigest(definition(n)), digestedText(definition(n)), unused],
    );

  it('is exactly what its digest is of', async () => {
    const { endpoint } = await served([toolOf('echo')]);
    const other = sql(`INSERT INTO approved_definitions (bundle_id, digest, body) VALUES ($1, $2, $3)`, [
      endpoint.bundleId,
      definitionDigest(definition(1)),
      digestedText(definition(2)),
    ]);
    await expect(other).rejects.toThrow('approved_definitions_digest_check');
  });

  it('is kept as long as it is approved, or a deployment serves a version that has approved it', async () => {
    const { endpoint, entryId } = await served([toolOf('echo')]);
    const { bundleId } = endpoint;
    const { version } = (await ada.api.get(`/v1/bundles/${bundleId}`)).body;
    await ada.api.post(`/v1/bundles/${bundleId}/deployments`, {
      ...{ name: 'Desk', environment: 'test', kind: 'ENDPOINT', bundle_version: version },
    });
    await approve(bundleId, entryId, 1, version, null);
    await approve(bundleId, entryId, 2, version, version + 1);
    await approve(bundleId, entryId, 3, version + 1, version + 2);
    await keep(bundleId, 1, null);
    for (const n of [2, 3]) await keep(bundleId, n, '91 days');
    await keep(bundleId, 4, '89 days');
    await sql(REMOVE_UNUSED_DEFINITIONS, [new Date(), 1_000]);
    const left = await sql<{ body: string }>(
      `SELECT body FROM approved_definitions WHERE bundle_id = $1 ORDER BY body`,
      [bundleId],
    );
    expect(left.map(({ body }) => body)).toEqual([1, 2, 4].map((n) => digestedText(definition(n))));
  });
});
