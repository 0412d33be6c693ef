import type { Api } from '../support/api';
import type { BundleCreate } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast, createListing } from '../support/factories';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;
let listingId: string;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  cast = await createCast(test);
  listingId = await createListing(test.dataSource);
});

afterAll(() => test.close());

async function bundleWith(fields: Partial<BundleCreate> = {}, entry: object = {}, api: Api = cast.owner) {
  const { id, name } = await createBundle(api, fields);
  const { body } = await api.post(`/v1/bundles/${id}/entries`, { listing_id: listingId });
  await api.patch(`/v1/bundles/${id}/entries/${body.id}`, entry);
  return { id, name, entryId: body.id };
}

describe('The bundles of a listing', () => {
  const list = async (api: Api, query = 'limit=30') => api.get(`/v1/mcp/listings/${listingId}/bundles?${query}`);
  const idsOf = async (api: Api) => (await list(api)).body.map(({ id }) => id);

  it('are those that the caller sees, newest first, each with its entry', async () => {
    const personal = await bundleWith();
    const ofOrganisation = await bundleWith({ org_id: cast.orgId }, { is_enabled: false });
    const everybodys = await bundleWith({ visibility: 'PUBLIC' }, {}, cast.outsider);
    await createBundle(cast.owner, { org_id: cast.orgId });
    expect(await idsOf(cast.owner)).toEqual([everybodys.id, ofOrganisation.id, personal.id]);
    expect(await idsOf(cast.member)).toEqual([everybodys.id, ofOrganisation.id]);
    expect(await idsOf(cast.outsider)).toEqual([everybodys.id]);
    const [, shown] = (await list(cast.member)).body;
    const { body: bundle } = await cast.member.get(`/v1/bundles/${ofOrganisation.id}`);
    expect(shown).toEqual({ ...bundle, entry_id: ofOrganisation.entryId, is_enabled: false });
  });

  it('come in pages', async () => {
    const bundles = [await bundleWith(), await bundleWith(), await bundleWith()];
    const first = await list(cast.owner, 'limit=2');
    const next = /<[^>]*\?([^>]*)>/.exec(first.headers.link ?? '')?.[1];
    const second = await list(cast.owner, next);
    expect([...first.body, ...second.body].map(({ id }) => id)).toEqual(bundles.map(({ id }) => id).toReversed());
    expect(second.headers.link).toBeUndefined();
  });
});

describe('Whether the organisations of a person allow a listing', () => {
  const allowances = async (api: Api = cast.member) => (await api.get(`/v1/mcp/listings/${listingId}/allowances`)).body;
  const ofOrganisation = async () => (await allowances())[0];

  it('is said of each of them, and of no other', async () => {
    expect(await allowances(cast.outsider)).toEqual([]);
    const { name } = (await cast.member.get(`/v1/organisations/${cast.orgId}`)).body;
    const none = { org_id: cast.orgId, organisation_name: name, is_allowed: false, rule: null, bundles: [] };
    expect(await allowances()).toEqual([none]);
    const other = (await cast.member.post('/v1/organisations', { name: 'Other' })).body;
    expect((await allowances()).map(({ org_id }) => org_id).toSorted()).toEqual([cast.orgId, other.id].toSorted());
  });

  it('is by its own listing, public or not', async () => {
    for (const visibility of ['PUBLIC', 'PRIVATE']) {
      listingId = await createListing(test.dataSource, { orgId: cast.orgId, visibility });
      expect(await ofOrganisation()).toMatchObject({ is_allowed: true, rule: 'own_listing', bundles: [] });
    }
    listingId = await createListing(test.dataSource, { orgId: cast.orgId, status: 'DRAFT' });
    expect(await ofOrganisation()).toMatchObject({ is_allowed: false, rule: null });
  });

  it('is by an enabled entry of one of its bundles, of which five are named', async () => {
    await bundleWith();
    const disabled = await bundleWith({ org_id: cast.orgId }, { is_enabled: false });
    expect(await ofOrganisation()).toMatchObject({ is_allowed: false, rule: null, bundles: [] });
    const { id, name } = await bundleWith({ org_id: cast.orgId });
    expect(await ofOrganisation()).toMatchObject({ is_allowed: true, rule: 'bundle', bundles: [{ id, name }] });
    for (let more = 0; more < 5; more++) await bundleWith({ org_id: cast.orgId });
    const { bundles = [] } = (await ofOrganisation()) ?? {};
    expect(bundles).toHaveLength(5);
    expect(bundles.map((bundle) => bundle.id)).not.toContain(disabled.id);
  });

  it('is by a version that a deployment runs, until it stops', async () => {
    const { id, name, entryId } = await bundleWith({ org_id: cast.orgId });
    const fields = { name: 'A', environment: 'test', bundle_version: 2 };
    const deployment = (await cast.owner.post(`/v1/bundles/${id}/deployments`, fields)).body;
    await cast.owner.delete(`/v1/bundles/${id}/entries/${entryId}`);
    expect(await ofOrganisation()).toMatchObject({ is_allowed: true, rule: 'deployment', bundles: [{ id, name }] });
    await cast.owner.patch(`/v1/bundles/${id}/deployments/${deployment.id}`, { status: 'STOPPED' });
    expect(await ofOrganisation()).toMatchObject({ is_allowed: false, rule: null, bundles: [] });
  });

  it('is what its allow list has', async () => {
    const server = { remotes: [{ type: 'streamable-http', url: `https://${listingId}.example/mcp` }] };
    await test.dataSource.query(`UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1`, [
      listingId,
      server,
    ]);
    const isListed = async () =>
      (await cast.member.get(`/v1/organisations/${cast.orgId}/managed-settings`)).body.allowedMcpServers.length > 0;
    const agree = async () => expect((await ofOrganisation())?.is_allowed).toBe(await isListed());
    await agree();
    const { id, entryId } = await bundleWith({ org_id: cast.orgId });
    await agree();
    expect(await isListed()).toBe(true);
    await cast.owner.patch(`/v1/bundles/${id}/entries/${entryId}`, { is_enabled: false });
    await agree();
    await cast.owner.patch(`/v1/bundles/${id}/entries/${entryId}`, { is_enabled: true, version: '1.0.0' });
    await agree();
    expect(await isListed()).toBe(true);
    await test.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest, status) VALUES ($1, '2.0.0', $2, false, 'active')`,
      [listingId, server],
    );
    await test.dataSource.query(
      `UPDATE listing_versions SET is_latest = version = '2.0.0', status = CASE version WHEN '2.0.0' THEN 'active' ELSE 'deleted' END
       WHERE listing_id = $1`,
      [listingId],
    );
    await agree();
    expect(await isListed()).toBe(false);
  });
});

describe('What an organisation allows', () => {
  const list = (query = '', api: Api = cast.member) =>
    api.get(`/v1/organisations/${cast.orgId}/allowed-listings?${query}`);
  const allowed = async (query = '') => (await list(query)).body;
  const only = async () => (await allowed())[0];

  it('is nothing at first', async () => {
    await bundleWith();
    await bundleWith({ org_id: cast.orgId }, { is_enabled: false });
    await createListing(test.dataSource, { orgId: cast.orgId, status: 'DRAFT' });
    expect(await allowed()).toEqual([]);
  });

  it('has each listing once, with all rules that apply and the bundles that have it', async () => {
    listingId = await createListing(test.dataSource, { orgId: cast.orgId, visibility: 'PRIVATE' });
    const { name, title } = (await cast.member.get(`/v1/mcp/listings/${listingId}`)).body;
    const none = { bundle_count: 0, bundles: [], deployed_bundles: [] };
    expect(await allowed()).toEqual([{ listing_id: listingId, name, title, rules: ['own_listing'], ...none }]);
    const bundle = await bundleWith({ org_id: cast.orgId });
    const named = [{ id: bundle.id, name: bundle.name }];
    expect(await only()).toMatchObject({ rules: ['bundle', 'own_listing'], bundle_count: 1, bundles: named });
    const fields = { name: 'A', environment: 'test', bundle_version: 2 };
    await cast.owner.post(`/v1/bundles/${bundle.id}/deployments`, fields);
    await cast.owner.delete(`/v1/bundles/${bundle.id}/entries/${bundle.entryId}`);
    expect(await only()).toMatchObject({ ...none, rules: ['deployment', 'own_listing'], deployed_bundles: named });
    for (let more = 0; more < 6; more++) await bundleWith({ org_id: cast.orgId });
    expect(await only()).toMatchObject({ rules: ['bundle', 'deployment', 'own_listing'], bundle_count: 6 });
    expect((await only())?.bundles).toHaveLength(5);
  });

  it('is filtered by rule and name, and comes in pages by name', async () => {
    const own: string[] = [];
    for (const [name, title] of [
      ['io.acme/zebra', 'Stripes'],
      ['io.acme/ant', 'Hills'],
      ['io.acme/Bear', 'Woods'],
    ] as const) {
      const id = await createListing(test.dataSource, { orgId: cast.orgId, visibility: 'PRIVATE' });
      await test.dataSource.query(`UPDATE listings SET name = $2, title = $3 WHERE id = $1`, [id, name, title]);
      own.push(id);
    }
    await bundleWith({ org_id: cast.orgId });
    const idsOf = async (query: string) => (await allowed(query)).map(({ listing_id }) => listing_id);
    expect(await idsOf('rule=bundle')).toEqual([listingId]);
    expect((await allowed('rule=own_listing')).map(({ name }) => name)).toEqual([
      'io.acme/Bear',
      'io.acme/ant',
      'io.acme/zebra',
    ]);
    expect(await idsOf('search=BEAR')).toEqual([own[2]]);
    expect(await idsOf('search=hill')).toEqual([own[1]]);
    expect(await idsOf('search=%25')).toEqual([]);
    const pages = await allPages(cast.member, `/v1/organisations/${cast.orgId}/allowed-listings?limit=1&search=acme/`);
    expect(pages.map(({ name }) => name)).toEqual(['io.acme/Bear', 'io.acme/ant', 'io.acme/zebra']);
  });

  it('is what the listing says of itself', async () => {
    const agree = async () => {
      const [own] = (await cast.member.get(`/v1/mcp/listings/${listingId}/allowances`)).body;
      expect((await allowed()).some(({ listing_id }) => listing_id === listingId)).toBe(own?.is_allowed);
    };
    await agree();
    const { id, entryId } = await bundleWith({ org_id: cast.orgId });
    await agree();
    await cast.owner.patch(`/v1/bundles/${id}/entries/${entryId}`, { version: '1.0.0' });
    await test.dataSource.query(`UPDATE listing_versions SET status = 'deleted' WHERE listing_id = $1`, [listingId]);
    await agree();
    expect(await allowed()).toEqual([]);
  });
});
