import type { Api } from '../support/api';
import type { BundleCreate } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast, createListing } from '../support/factories';

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
