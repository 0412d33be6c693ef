import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NO_MAP, readCategoryMap } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import { SampleCatalogue } from '../../src/catalog/sample/sample-catalogue';
import sample from '../../src/catalog/sample/sample-catalogue.json';
import type { Api } from '../support/api';
import type { ServerRemote } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { exportReport } from '../support/bundles';
import { createBundle, idOf } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { expectRegistryList } from '../support/registry-schema';

const REAL = resolve(__dirname, '../../../shared/data/official-registry-2025-12-12.json.gz');

interface Entry {
  server: { name: string; description: string; version: string };
}

const folder = mkdtempSync(join(tmpdir(), 'toolyard-sample-'));
afterAll(() => rmSync(folder, { recursive: true }));

let test: TestApp;
let chief: Api;
let reader: Api;

beforeEach(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief', PUBLIC_LISTINGS: 'verified' } });
  await test.app.get(SampleCatalogue).loadIfEmpty();
  [chief, reader] = await Promise.all([test.as('chief'), test.as('reader')]);
});

afterEach(() => test.close());

const [first, second] = sample.listings.map(({ server }) => server.name) as [string, string];

async function load(entries: object[], map = NO_MAP) {
  const path = join(folder, 'servers.json');
  writeFileSync(path, JSON.stringify({ servers: entries }));
  return test.app.get(Import).run({ from: path, map });
}

const real = (name: string, version = '7.0.0'): Entry => ({ server: { name, description: 'The real one.', version } });
const listing = async (name: string) => {
  const rows = await test.dataSource.query<{ id: string; is_sample: boolean; status: string; description: string }[]>(
    `SELECT id, is_sample, status, description FROM listings WHERE name = $1`,
    [name],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as (typeof rows)[0];
};
const versions = async (name: string) =>
  expectRegistryList((await test.anonymous.get(`/v0.1/servers/${encodeURIComponent(name)}/versions`)).body).servers.map(
    ({ server }) => server,
  );

/** A bundle of some listings, each pinned if a version is passed, with a function that reads its entries. */
async function bundleOf(
  api: Api,
  ...listings: (string | { listing_id: string; version: string })[]
): Promise<{ id: string; entries: () => Promise<object[]> }> {
  const { id } = await createBundle(api);
  for (const one of listings) {
    await api.post(`/v1/bundles/${id}/entries`, typeof one === 'string' ? { listing_id: one } : one);
  }
  return { id, entries: async () => (await api.get(`/v1/bundles/${id}/entries`)).body };
}

const exported = (api: Api, bundleId: string, query = '') => exportReport(api, bundleId, `client=vscode${query}`);

/** The newest version of a listing. */
const newest = async (id: string) => (await reader.get(`/v1/mcp/listings/${id}`)).body.version;

describe('A listing of the sample catalogue', () => {
  it('is replaced by the first import of its name, and bundle entries follow', async () => {
    const { id } = await listing(first);
    const bundle = await bundleOf(reader, id);
    const map = readCategoryMap({ categories: [{ slug: 'real', name: 'Real' }], assignments: { [first]: 'real' } });
    expect(await load([real(first), real(first, '6.0.0'), real('io.real/other')], map)).toMatchObject({
      created: 3,
      quarantined: 0,
    });
    expect(await listing(first)).toMatchObject({ id, is_sample: false, description: 'The real one.' });
    expect((await versions(first)).map(({ version }) => version).sort()).toEqual(['6.0.0', '7.0.0']);
    expect((await reader.get(`/v1/mcp/listings/${id}`)).body).toMatchObject({ category: 'real', version: '7.0.0' });
    expect(await bundle.entries()).toMatchObject([{ listing_id: id, is_available: true }]);
    expect(await load([real(first)], map)).toMatchObject({ created: 0, unchanged: 1, quarantined: 0 });
    expect((await listing(second)).is_sample).toBe(true);
  });

  it('stays if no document of its name can be imported', async () => {
    const large = { server: { ...real(first).server, notes: 'x'.repeat(131_072) } };
    const broken = { server: { ...real(first).server, description: '' } };
    expect(await load([large, broken])).toMatchObject({ created: 0, quarantined: 2 });
    expect(await listing(first)).toMatchObject({ is_sample: true, status: 'PUBLISHED' });
    expect(await versions(first)).toHaveLength(1);
  });

  it('stays archived after its adoption if a person archived it', async () => {
    const { id } = await listing(first);
    await chief.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
    expect(await load([real(first)])).toMatchObject({ created: 1 });
    expect(await listing(first)).toMatchObject({ id, status: 'ARCHIVED', description: 'The real one.' });
  });

  it('is replaced by the first publication of its name, and bundle entries follow', async () => {
    const sampled = await listing(first);
    const publisher = await test.as('publisher');
    const holder = { method: 'grant' as const, user_id: await idOf(publisher) };
    await chief.post('/v1/mcp/namespaces', { namespace: String(first.split('/')[0]), ...holder });
    const remotes: ServerRemote[] = [{ type: 'streamable-http', url: 'https://real.example/mcp' }];
    const server = { ...real(first).server, name: first.toUpperCase(), remotes };
    const body = { server, category: String(sample.listings[0]?.category), visibility: 'PUBLIC' } as const;
    const { id } = (await publisher.post('/v1/mcp/listings', body)).body;
    const follower = await bundleOf(reader, sampled.id, (await listing(second)).id);
    const both = await bundleOf(publisher, sampled.id, id);
    // A draft replaces nothing.
    expect(await listing(first)).toMatchObject({ is_sample: true });

    await publisher.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
    expect(await test.dataSource.query(`SELECT 1 FROM listings WHERE id = $1`, [sampled.id])).toEqual([]);
    expect(await follower.entries()).toMatchObject([
      { listing_id: id, listing_name: first.toUpperCase(), is_available: true },
      { listing_name: second, is_available: true },
    ]);
    expect(await both.entries()).toMatchObject([
      { listing_id: null, is_available: false },
      { listing_id: id, is_available: true },
    ]);
    expect(await versions(first)).toMatchObject([{ name: first.toUpperCase(), version: '7.0.0' }]);
    const { servers, skipped } = await exported(reader, follower.id);
    expect(servers).toMatchObject([{ listing_version: '7.0.0' }, { listing_name: second }]);
    expect(skipped).toEqual([]);
    // The version recorded in the bundle was removed with the sample; the next one records the replacement.
    expect((await exported(reader, follower.id, '&version=3')).skipped).toMatchObject([{ reason: 'unavailable' }]);
    const recorded = await reader.post(`/v1/bundles/${follower.id}/versions`, undefined, 200);
    expect(recorded.body).toMatchObject({
      number: 4,
      changes: { updated: 1 },
      entries: [{ listing_id: id, is_available: true }, { listing_name: second }],
    });
    const compared = await reader.get(`/v1/bundles/${follower.id}/versions/3/compare`);
    expect(compared.body).toMatchObject({ updated: [{ after: { listing_id: id } }], added: [], removed: [] });
  });

  it('releases the pins to its versions when replaced, and deployments no longer export it', async () => {
    const [adopted, left] = [await listing(first), await listing(second)];
    const pinned = await Promise.all(
      [adopted, left].map(async ({ id }) => ({ listing_id: id, version: await newest(id) })),
    );
    const bundle = await bundleOf(reader, ...pinned);
    const deployment = { name: 'Desk', environment: 'production' };
    const { bundle_version } = (await reader.post(`/v1/bundles/${bundle.id}/deployments`, deployment)).body;
    const spelt = first.toUpperCase();
    const remotes: ServerRemote[] = [{ type: 'streamable-http', url: 'https://real.example/mcp' }];
    const server = { ...real(spelt).server, remotes };
    expect(await load([{ server }])).toMatchObject({ created: 1, quarantined: 0 });
    await chief.post(`/v1/mcp/listings/${left.id}/versions`, { server: { ...real(second).server, remotes } });
    expect(await bundle.entries()).toMatchObject([
      { listing_id: adopted.id, listing_name: spelt, version: null, listing_version: '7.0.0', is_available: true },
      { listing_id: left.id, listing_name: second, version: null, listing_version: '7.0.0', is_available: true },
    ]);
    expect((await exported(reader, bundle.id)).skipped).toEqual([]);
    const deployed = await exported(reader, bundle.id, `&version=${bundle_version}`);
    expect(deployed.servers).toEqual([]);
    expect(deployed.skipped).toMatchObject(
      pinned.map(({ version }) => ({ listing_version: version, reason: 'unavailable' })),
    );
  });

  it('keeps a pin to a version that the real server has too', async () => {
    const { id } = await listing(first);
    const version = await newest(id);
    const bundle = await bundleOf(reader, { listing_id: id, version });
    await load([real(first, '99.0.0'), real(first, version)]);
    expect(await bundle.entries()).toMatchObject([{ version, listing_version: version, is_available: true }]);
  });

  it('is replaced by only one of those who publish its name at the same moment', async () => {
    const bundle = await bundleOf(reader, (await listing(first)).id);
    const category = String(sample.listings[0]?.category);
    const people = await Promise.all(['chief', 'chief-two'].map((name) => test.as(name)));
    const drafts = await Promise.all(
      people.map(async (api) => {
        const body = { server: real(first).server, category, visibility: 'PUBLIC' } as const;
        const { id } = (await api.post('/v1/mcp/listings', body)).body;
        await chief.raw('post', '/v1/mcp/namespaces').send({
          namespace: first.split('/')[0],
          method: 'grant',
          user_id: await idOf(api),
        });
        return id;
      }),
    );
    const publishing = await holding(
      test.dataSource,
      `SELECT FROM listings WHERE is_sample FOR UPDATE`,
      async (release) => {
        const calls = people.map((api, n) => api.raw('post', `/v1/mcp/listings/${drafts[n]}/publish`));
        const all = Promise.all(calls.map((call) => call.then(({ status }) => status)));
        await untilBlocked(test.dataSource, 2);
        await release();
        return all;
      },
    );
    expect(publishing.sort()).toEqual([200, 409]);
    expect(await bundle.entries()).toMatchObject([{ listing_name: first, is_available: true }]);
  });

  it('keeps none of its own versions once a platform administrator adds one', async () => {
    const { id } = await listing(first);
    await chief.post(`/v1/mcp/listings/${id}/versions`, { server: real(first, '0.0.1').server });
    expect(await versions(first)).toEqual([real(first, '0.0.1').server]);
    expect(await listing(first)).toMatchObject({ id, is_sample: false, description: 'The real one.' });
  });

  it('is removed at start with SAMPLE_CATALOGUE=false, unless adopted; bundle entries become unavailable', async () => {
    const [adopted, left] = [await listing(first), await listing(second)];
    await load([real(first)]);
    const bundle = await bundleOf(reader, adopted.id, left.id);
    await test.app.get(SampleCatalogue).remove();
    const names = await test.dataSource.query<object[]>(`SELECT name FROM listings`);
    expect(names).toEqual([{ name: first }]);
    expect(await bundle.entries()).toMatchObject([
      { listing_id: adopted.id, is_available: true },
      { listing_id: null, listing_name: second, is_available: false },
    ]);
    await test.app.get(SampleCatalogue).remove();
    await test.app.get(SampleCatalogue).loadIfEmpty();
    expect(await test.dataSource.query(`SELECT name FROM listings`)).toEqual(names);
  });
});

(existsSync(REAL) ? describe : describe.skip)(
  'The real registry, imported over the sample catalogue (shared/data)',
  () => {
    it('is served completely, each document unchanged, except for the 11 invalid ones', async () => {
      const all = (JSON.parse(gunzipSync(readFileSync(REAL)).toString()) as { servers: Entry[] }).servers;
      const keyOf = ({ server: { name, version } }: Entry) => `${name} ${version}`;
      const came = new Map(all.map((entry) => [keyOf(entry), entry]));
      const squatted = new Set(all.map(({ server }) => server.name));
      const collisions = sample.listings.filter(({ server }) => squatted.has(server.name)).length;
      expect([all.length, came.size, collisions]).toEqual([2_628, 2_628, 57]);

      const run = await test.app.get(Import).run({ from: REAL, map: NO_MAP });
      expect(run).toMatchObject({ seen: 2_628, created: 2_617, quarantined: 11 });
      const served: Entry[] = [];
      let cursor: string | undefined;
      do {
        const path = cursor === undefined ? '/v0.1/servers?limit=100' : `/v0.1/servers?limit=100&cursor=${cursor}`;
        const page = expectRegistryList((await test.anonymous.get(path)).body);
        served.push(...page.servers);
        cursor = page.metadata.nextCursor;
      } while (cursor !== undefined);
      const found = served.filter((entry) => came.has(keyOf(entry)));
      expect(found).toHaveLength(2_617);
      expect(served).toHaveLength(2_617 + sample.listings.length - collisions);
      // As text, to compare the order of fields too.
      const different = found.filter(
        (entry) => JSON.stringify(entry.server) !== JSON.stringify(came.get(keyOf(entry))?.server),
      );
      expect(different.map(keyOf)).toEqual([]);

      await test.app.get(SampleCatalogue).remove();
      const [{ count } = { count: 0 }] = await test.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM listing_versions`,
      );
      expect(count).toBe(2_617);
    });
  },
);
