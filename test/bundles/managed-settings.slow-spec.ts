import type { Api } from '../support/api';
import type { BundleCreate, BundleEntryPlace } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { commandsOf } from '../support/bundles';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { statementsOf } from '../support/statements';

let test: TestApp;
let cast: Cast;
let path: `/v1/organisations/${string}/managed-settings`;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  cast = await createCast(test);
  path = `/v1/organisations/${cast.orgId}/managed-settings`;
});

afterAll(() => test.close());

const host = (name: string) => ({ remotes: [{ type: 'streamable-http', url: `https://${name}.example/mcp` }] });

/** A listing with this latest `server.json`. */
async function listing(server: object, fields = {}): Promise<string> {
  const id = await createListing(test.dataSource, fields);
  await test.dataSource.query(
    `UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1 AND is_latest`,
    [id, server],
  );
  return id;
}

async function bundleOf(
  entries: BundleEntryPlace[],
  api = cast.owner,
  fields: Partial<BundleCreate> = { org_id: cast.orgId },
) {
  const { id } = await createBundle(api, fields);
  await api.put(`/v1/bundles/${id}/entries`, { entries }, 200);
}

const allowed = async (api: Api = cast.member) => {
  const { allowedMcpServers, ...others } = (await api.get(path)).body;
  expect(others).toEqual({});
  return allowedMcpServers;
};

describe('The allow list of an organisation', () => {
  it('allows nothing if the organisation has nothing', async () => {
    await listing(host('anybodys'));
    expect(await allowed()).toEqual([]);
    expect((await cast.member.get(`${path}/report`)).body).toEqual({ allowed: 0, unlisted: [] });
  });

  it('contains the organisation’s own published listings, public and private, and no others', async () => {
    const own = { orgId: cast.orgId };
    await listing(host('a-public'), own);
    await listing(host('b-private'), { ...own, visibility: 'PRIVATE' });
    await listing(host('c-draft'), { ...own, status: 'DRAFT' });
    await listing(host('d-archived'), { ...own, status: 'ARCHIVED' });
    await listing(host('e-personal'), { ownerId: await idOf(cast.owner) });
    expect(new Set(await allowed())).toEqual(
      new Set([{ serverUrl: 'https://a-public.example/mcp' }, { serverUrl: 'https://b-private.example/mcp' }]),
    );
  });

  it('contains the enabled entries of its bundles as configured, and no listing the organisation cannot see', async () => {
    const shown = await listing(host('shown'));
    const disabled = await listing(host('disabled'));
    const archived = await listing(host('archived'));
    // The owner can see this one, the organisation cannot.
    const personal = await listing(host('personal'), { visibility: 'PRIVATE', ownerId: await idOf(cast.owner) });
    const other = await createCast(test);
    await bundleOf([
      { listing_id: shown },
      { listing_id: disabled, is_enabled: false },
      { listing_id: archived },
      { listing_id: personal },
    ]);
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [archived]);
    await bundleOf([{ listing_id: await listing(host('of-another')) }], other.owner, { org_id: other.orgId });
    await bundleOf([{ listing_id: await listing(host('of-a-person')) }], cast.owner, {});
    expect(await allowed()).toEqual([{ serverUrl: 'https://shown.example/mcp' }]);
    const { text } = await cast.member.get(`${path}/report`);
    expect(text).toBe('{"allowed":1,"unlisted":[]}');
  });

  it('allows exactly the command that the bundle’s export contains', async () => {
    const secret = { name: 'API_KEY', isSecret: true, isRequired: true };
    const npm = { registryType: 'npm', identifier: '@acme/weather', version: '1.0.0', transport: { type: 'stdio' } };
    const listing_id = await listing({ packages: [{ ...npm, environmentVariables: [secret] }] });
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    const config = { args: ['--units', 'metric'], env: { REGION: 'eu' } };
    await cast.member.post(`/v1/bundles/${id}/entries`, { listing_id, config });
    const [server] = commandsOf((await cast.member.get(`/v1/bundles/${id}/export?client=vscode`)).body);
    expect(await allowed()).toEqual([{ serverCommand: [server?.command, ...(server?.args ?? [])] }]);
    expect(server?.args).toEqual(['-y', '@acme/weather@1.0.0', '--units', 'metric']);
  });

  it('reports what it cannot express, and why', async () => {
    const listing_id = await listing({ remotes: [{ type: 'sse', url: 'https://{tenant}.example/mcp' }] });
    await bundleOf([{ listing_id }]);
    expect(await allowed()).toEqual([]);
    const report = (await cast.member.get(`${path}/report`)).body;
    expect(report).toMatchObject({ allowed: 0, unlisted: [{ listing_id }] });
    expect(report.unlisted[0]?.detail).toContain('host');
  });

  it('is for members of the organisation, with as many statements for one server as for sixteen', async () => {
    for (const part of ['', '/report']) {
      const refused = await cast.outsider.get(path + part, 404);
      expect(refused.body).toMatchObject({ code: 'organisation_not_found' });
      await test.anonymous.get(path + part, 401);
    }
    const counts: number[] = [];
    for (const count of [1, 15]) {
      const entries = [];
      for (let n = 0; n < count; n++) entries.push({ listing_id: await listing(host(`many-${count}-${n}`)) });
      await bundleOf(entries);
      counts.push((await statementsOf(test, () => allowed())).length);
    }
    expect(counts[1]).toBe(counts[0]);
    expect(await allowed()).toHaveLength(16);
  });

  it('reads many servers in batches, and a shared document with several configurations once', async () => {
    const ids = await Promise.all(Array.from({ length: 45 }, (_, n) => listing(host(`batch-${n}`))));
    await bundleOf(ids.map((listing_id) => ({ listing_id })));
    const npm = { registryType: 'npm', identifier: '@acme/batch', transport: { type: 'stdio' } };
    const shared = await listing({ packages: [npm] });
    for (const unit of ['a', 'b', 'c']) await bundleOf([{ listing_id: shared, config: { args: [unit] } }]);
    const all = await allowed();
    expect(all).toHaveLength(48);
    const command = (unit: string) => ({ serverCommand: ['npx', '-y', '@acme/batch', unit] });
    expect(all).toEqual(expect.arrayContaining(['a', 'b', 'c'].map(command)));
    expect((await cast.member.get(`${path}/report`)).body).toEqual({ allowed: 48, unlisted: [] });
  });

  it('is refused above 50,000 entries or the size limit', async () => {
    const remotes = Array.from({ length: 50_001 }, () => ({ type: 'sse', url: 'https://a.example/mcp' }));
    await listing({ remotes }, { orgId: cast.orgId });
    const detail = expect.stringContaining('50,000 ways') as string;
    for (const one of [path, `${path}/report`]) {
      expect((await cast.member.get(one, 409)).body).toEqual({ code: 'organisation_conflict', detail });
    }
    await test.dataSource.query(
      `UPDATE listing_versions SET server = jsonb_build_object('remotes', (
         SELECT jsonb_agg(jsonb_build_object('type', 'sse', 'url', 'https://a.example/' || repeat('x', 5000) || n))
         FROM generate_series(1, 900) AS n)) WHERE org_id = $1`,
      [cast.orgId],
    );
    expect((await cast.member.get(path, 409)).body).toMatchObject({ code: 'organisation_conflict' });
  });
});
