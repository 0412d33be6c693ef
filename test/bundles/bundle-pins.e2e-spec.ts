import { Api } from '../support/api';
import type {
  BundleEntryAdd,
  BundleExport,
  ListingCreate,
  ServerKeyValueInput,
  VersionRestore,
} from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { commandsOf, exportReport } from '../support/bundles';
import { Cast, createBundle, createCast, unique } from '../support/factories';
import { watchEvents } from '../support/organisations';
import { statementsOf } from '../support/statements';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief', LIMIT_VERSIONS_PER_BUNDLE: '12' } });
  cast = await createCast(test);
  await (await test.as('chief')).post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

const documentOf = (name: string, version: string, variables: ServerKeyValueInput[] = []) => {
  const transport = { type: 'stdio' } as const;
  const npm = { registryType: 'npm', identifier: `@${name.replace('.', '-')}`, version, transport };
  return { name, description: 'Forecasts.', version, packages: [{ ...npm, environmentVariables: variables }] };
};

/** A listing published at 1.0.0 through the API. */
async function publish(
  api: Api = cast.owner,
  fields: Partial<ListingCreate> = {},
): Promise<{ id: string; name: string }> {
  const name = `com.acme/${unique('weather')}`;
  const body: ListingCreate = {
    server: documentOf(name, '1.0.0'),
    category: 'weather',
    visibility: 'PUBLIC',
    ...fields,
  };
  const { id } = (await api.post('/v1/mcp/listings', body)).body;
  await api.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  return { id, name };
}

const release = ({ id, name }: { id: string; name: string }, version: string, variables: ServerKeyValueInput[] = []) =>
  cast.owner.post(`/v1/mcp/listings/${id}/versions`, { server: documentOf(name, version, variables) });

/** What an import does to a version that its source deleted. */
const withdraw = (id: string, version: string) =>
  test.dataSource.query(`UPDATE listing_versions SET status = 'deleted' WHERE listing_id = $1 AND version = $2`, [
    id,
    version,
  ]);

const entriesPath = (bundleId: string) => `/v1/bundles/${bundleId}/entries` as const;
const entriesOf = async (bundleId: string, api = cast.owner) => (await api.get(entriesPath(bundleId))).body;
const add = async (bundleId: string, body: BundleEntryAdd) => (await cast.owner.post(entriesPath(bundleId), body)).body;
const exported = (bundleId: string, query = '', api = cast.owner) =>
  exportReport(api, bundleId, `client=vscode${query}`);
const versionOf = async (bundleId: string, number: number) =>
  (await cast.owner.get(`/v1/bundles/${bundleId}/versions/${number}`)).body;
const record = async (bundleId: string) =>
  (await cast.owner.post(`/v1/bundles/${bundleId}/versions`, undefined, 200)).body;
/** The version of each package that a configuration runs. */
const packagesOf = ({ configuration }: BundleExport) =>
  commandsOf(configuration).map(({ args }) => args.at(-1)?.split('@').at(-1));

/** A bundle at version 3, with an entry that follows the newest and one that is pinned to 1.0.0. */
async function mixed(fields: object = {}) {
  const [following, pinned] = [await publish(), await publish()];
  const { id } = await createBundle(cast.owner, fields);
  await add(id, { listing_id: following.id });
  await add(id, { listing_id: pinned.id, version: '1.0.0' });
  return { id, following, pinned };
}

describe('The pins of bundle entries', () => {
  it('hold an entry at a version, while unpinned entries follow the newest', async () => {
    const { id, following, pinned } = await mixed();
    for (const one of [following, pinned]) await release(one, '1.1.0');
    expect((await entriesOf(id)).map(({ version, listing_version }) => [version, listing_version])).toEqual([
      [null, '1.1.0'],
      ['1.0.0', '1.0.0'],
    ]);
    const report = await exported(id);
    expect(packagesOf(report)).toEqual(['1.1.0', '1.0.0']);
    expect(report.servers.map(({ listing_version }) => listing_version)).toEqual(['1.1.0', '1.0.0']);
    // Publishing created no version of the bundle.
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 3 });
  });

  it('are set, moved and removed by a change; null removes them and absent keeps them', async () => {
    const { id, pinned } = await mixed();
    await release(pinned, '1.1.0');
    const [, entry] = await entriesOf(id);
    const path = `${entriesPath(id)}/${entry?.id}`;
    const patch = async (body: object) => (await cast.owner.patch(path, body)).body;
    expect(await patch({ is_enabled: true })).toMatchObject({ version: '1.0.0', listing_version: '1.0.0' });
    expect(await patch({ version: '1.1.0' })).toMatchObject({ version: '1.1.0', listing_version: '1.1.0' });
    expect(await patch({ version: null })).toMatchObject({ version: null, listing_version: '1.1.0' });
    const { changes, action } = await versionOf(id, 5);
    expect([action, changes.updated]).toEqual(['ENTRY_CHANGED', 1]);
    // The first change had no effect, so there is no sixth version.
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 5 });
    const entries = [{ id: entry?.id, version: '1.0.0' }, { listing_id: pinned.id }];
    await cast.owner.put(entriesPath(id), { entries: entries.slice(0, 1) }, 200);
    expect((await entriesOf(id)).map(({ version }) => version)).toEqual(['1.0.0']);
    await cast.owner.put(entriesPath(id), { entries: entries.slice(1) }, 200);
    expect((await entriesOf(id)).map(({ version }) => version)).toEqual(['1.0.0']);
    const body = {
      update: [{ id: String(entry?.id), version: null }],
      add: [{ listing_id: (await publish()).id, version: '1.0.0' }],
    };
    await cast.owner.patch(entriesPath(id), body);
    expect((await entriesOf(id)).map(({ version }) => version)).toEqual([null, '1.0.0']);
  });

  it('must name an existing version that was not deleted', async () => {
    const { id, pinned } = await mixed();
    await release(pinned, '1.1.0');
    await withdraw(pinned.id, '1.1.0');
    const [, entry] = await entriesOf(id);
    const path = `${entriesPath(id)}/${entry?.id}`;
    const missing = { detail: 'Listing version 7.0.0 was not found.', code: 'listing_version_not_found' };
    expect((await cast.owner.patch(path, { version: '7.0.0' }, 404)).body).toEqual(missing);
    const another = await publish();
    const pin = { listing_id: another.id, version: '7.0.0' };
    expect((await cast.owner.post(entriesPath(id), pin, 404)).body).toEqual(missing);
    expect((await cast.owner.put(entriesPath(id), { entries: [pin] }, 404)).body).toEqual(missing);
    expect((await cast.owner.patch(entriesPath(id), { add: [pin] }, 404)).body).toEqual(missing);
    expect((await cast.owner.patch(path, { version: '1.1.0' }, 409)).body).toMatchObject({
      code: 'listing_version_conflict',
    });
    for (const [version, type] of [
      ['', 'string_too_short'],
      [1, 'string_type'],
      ['x'.repeat(256), 'string_too_long'],
    ]) {
      const refused = await cast.owner.patch(path, { version }, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'version'], type }] });
    }
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 3 });
  });

  it('check a configuration for secrets against the document of the pinned version', async () => {
    const listing = await publish();
    await release(listing, '1.1.0', [{ name: 'API_KEY', isSecret: true }]);
    const { id } = await createBundle(cast.owner);
    const config = { env: { API_KEY: 'from before it was a secret' } };
    await cast.owner.post(entriesPath(id), { listing_id: listing.id, config }, 422);
    const entry = await add(id, { listing_id: listing.id, version: '1.0.0', config });
    const path = `${entriesPath(id)}/${entry.id}`;
    await cast.owner.patch(path, { config: { env: { API_KEY: 'another' } } });
    await cast.owner.patch(path, { config, version: null }, 422);
    // Without a new configuration the export omits the value that has become a secret.
    await cast.owner.patch(path, { version: null });
    expect(JSON.stringify((await exported(id)).configuration)).not.toContain('another');
  });

  it('do not reveal the version of a listing that the caller cannot see, and cannot be set for it', async () => {
    const mine = await publish(cast.owner, { visibility: 'PRIVATE' });
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const entry = await add(id, { listing_id: mine.id, version: '1.0.0' });
    const [seen] = await entriesOf(id, cast.admin);
    expect(seen).toMatchObject({ listing_id: null, version: null, listing_version: null, is_available: false });
    const path = `${entriesPath(id)}/${entry.id}`;
    const refused = await cast.admin.patch(path, { version: '1.0.0-other' }, 404);
    expect(refused.body).toEqual({
      detail: 'Listing version 1.0.0-other was not found.',
      code: 'listing_version_not_found',
    });
    expect(JSON.stringify(refused.body)).not.toContain(mine.id);
  });

  it('are in the events of their entries, unless the bundle’s owner cannot see the listing', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const [open, hidden] = [await publish(), await publish(cast.owner, { visibility: 'PRIVATE' })];
    const news = watchEvents(test.dataSource, cast.orgId);
    await news();
    await add(id, { listing_id: open.id, version: '1.0.0' });
    await add(id, { listing_id: hidden.id, version: '1.0.0' });
    const events = (await news()).filter(({ type }) => type === 'bundle.entry_added');
    expect(events.map(({ data }) => (data as { version: unknown }).version)).toEqual(['1.0.0', null]);
  });

  it('cost no additional statements', async () => {
    const { id } = await createBundle(cast.owner);
    const count = async (work: () => Promise<unknown>) => (await statementsOf(test, work)).length;
    const [one, two] = [await publish(), await publish()];
    const added = [
      await count(() => add(id, { listing_id: one.id })),
      await count(() => add(id, { listing_id: two.id, version: '1.0.0' })),
    ];
    expect(added[1]).toBe(added[0]);
    const reads = ['', '&version=3'].map((query) => () => exported(id, query));
    for (const read of reads) expect(await count(read)).toBe(3);
    const listed = await statementsOf(test, () => entriesOf(id));
    expect(listed).toHaveLength(2);
  });
});

describe('A version of a bundle with pins', () => {
  it('keeps the version of each listing, and its export and deployments use exactly those', async () => {
    const { id, following, pinned } = await mixed();
    const deployment = { name: 'Desk', environment: 'production' };
    const { bundle_version } = (await cast.owner.post(`/v1/bundles/${id}/deployments`, deployment)).body;
    for (const one of [following, pinned]) await release(one, '1.1.0');
    await add(id, { listing_id: (await publish()).id });
    expect(packagesOf(await exported(id, `&version=${bundle_version}`))).toEqual(['1.0.0', '1.0.0']);
    expect(packagesOf(await exported(id, '&version=4'))).toEqual(['1.1.0', '1.0.0', '1.0.0']);
    await release(following, '1.2.0');
    expect(packagesOf(await exported(id, '&version=4'))).toEqual(['1.1.0', '1.0.0', '1.0.0']);
    expect(packagesOf(await exported(id))).toEqual(['1.2.0', '1.0.0', '1.0.0']);
    const recorded = (await versionOf(id, bundle_version)).entries;
    expect(recorded.map(({ version, listing_version }) => [version, listing_version])).toEqual([
      [null, '1.0.0'],
      ['1.0.0', '1.0.0'],
    ]);
    // Besides the added entry, the one that follows the newest had another version before.
    expect((await versionOf(id, 4)).changes).toMatchObject({ added: 1, updated: 1 });
  });

  it('is created on demand from the newest listing versions, with an event, if any is newer', async () => {
    const { id, following, pinned } = await mixed({ org_id: cast.orgId });
    expect(await record(id)).toMatchObject({ number: 3 });
    await release(pinned, '1.1.0');
    expect(await record(id)).toMatchObject({ number: 3 });
    await release(following, '1.1.0');
    const news = watchEvents(test.dataSource, cast.orgId);
    await news();
    const recorded = await record(id);
    expect(recorded).toMatchObject({ number: 4, action: 'LISTINGS_UPDATED', changes: { updated: 1, added: 0 } });
    expect(recorded.entries.map(({ listing_version }) => listing_version)).toEqual(['1.1.0', '1.0.0']);
    expect((await news()).map(({ type, data }) => [type, data])).toEqual([
      ['bundle.updated', expect.objectContaining({ changed: ['entries'], bundle_version: 4 })],
    ]);
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 4 });
    expect(await record(id)).toMatchObject({ number: 4 });
    const compared = (await cast.owner.get(`/v1/bundles/${id}/versions/3/compare`)).body;
    expect(compared.updated.map(({ before, after }) => [before.listing_version, after.listing_version])).toEqual([
      ['1.0.0', '1.1.0'],
    ]);
  });

  it('is restored with entries that follow the newest again, or pinned to the recorded versions', async () => {
    const { id, following } = await mixed();
    await release(following, '1.1.0');
    await record(id);
    await cast.owner.put(entriesPath(id), { entries: [] }, 200);
    const restore = async (body?: VersionRestore) =>
      (await cast.owner.post(`/v1/bundles/${id}/versions/3/restore`, body, 200)).body;
    expect((await restore()).entries.map(({ version, listing_version }) => [version, listing_version])).toEqual([
      [null, '1.1.0'],
      ['1.0.0', '1.0.0'],
    ]);
    const pinned = await restore({ pin: true });
    expect(pinned.changes).toMatchObject({ updated: 1 });
    expect(pinned.entries.map(({ version }) => version)).toEqual(['1.0.0', '1.0.0']);
    expect(packagesOf(await exported(id))).toEqual(['1.0.0', '1.0.0']);
  });

  it('is not restored with pins to versions deleted since; the error names their entries', async () => {
    const { id, following, pinned } = await mixed();
    for (const one of [following, pinned]) await release(one, '1.1.0');
    const [entry, other] = (await entriesOf(id)).map((one) => one.id);
    await cast.owner.patch(`${entriesPath(id)}/${other}`, { version: '1.1.0' });
    const restore = <S extends number = 200>(body: object, status = 200 as S) =>
      cast.owner.call('post', `/v1/bundles/${id}/versions/3/restore`, status, body);
    for (const one of [following, pinned]) await withdraw(one.id, '1.0.0');
    expect((await restore({ pin: true }, 409)).body).toEqual({
      code: 'listing_version_conflict',
      detail: `The listing versions that it recorded were deleted, for the entries ${entry}, ${other}.`,
    });
    expect((await entriesOf(id)).map(({ version }) => version)).toEqual([null, '1.1.0']);
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 4 });
    // As before: one follows the newest again, and the old pin is restored, unavailable.
    const { entries } = (await restore({})).body;
    expect(entries.map(({ version, is_available }) => [version, is_available])).toEqual([
      [null, true],
      ['1.0.0', false],
    ]);
    // A pin that the entry already has is not new.
    expect((await restore({ pin: true }, 409)).body).toMatchObject({
      detail: `The listing versions that it recorded were deleted, for the entries ${entry}.`,
    });
  });

  it('leaves a deleted listing version out of its export, with the reason', async () => {
    const { id, following, pinned } = await mixed();
    for (const one of [following, pinned]) await release(one, '1.1.0');
    for (const one of [following, pinned]) await withdraw(one.id, '1.0.0');
    const detail = 'Version 1.0.0 of its listing was deleted.';
    const skip = { reason: 'unavailable', detail, listing_version: '1.0.0' };
    const old = await exported(id, '&version=3');
    expect(packagesOf(old)).toEqual([]);
    expect(old.skipped).toEqual([expect.objectContaining(skip), expect.objectContaining(skip)]);
    const now = await exported(id);
    expect(packagesOf(now)).toEqual(['1.1.0']);
    expect(now.skipped).toEqual([expect.objectContaining(skip)]);
    expect((await entriesOf(id)).map(({ is_available }) => is_available)).toEqual([true, false]);
    expect((await versionOf(id, 3)).entries.map(({ is_available }) => is_available)).toEqual([false, false]);
    await cast.owner.post(`/v1/mcp/listings/${following.id}/archive`, undefined, 200);
    expect((await exported(id)).skipped.map(({ reason }) => reason)).toEqual(['unavailable', 'unavailable']);
    // The pin stays as it is, whatever else of the entry changes.
    const [, entry] = await entriesOf(id);
    await cast.owner.patch(`${entriesPath(id)}/${entry?.id}`, { is_enabled: false, version: '1.0.0' });
  });

  it('created by a process of the previous release means the newest, as it did there', async () => {
    const { id, following } = await mixed();
    await test.dataSource.query(
      `UPDATE bundle_versions SET entries = (
         SELECT jsonb_agg(entry - 'version' - 'listing_version') FROM jsonb_array_elements(entries) AS entry)
       WHERE bundle_id = $1 AND number = 3`,
      [id],
    );
    await release(following, '1.1.0');
    expect(packagesOf(await exported(id, '&version=3'))).toEqual(['1.1.0', '1.0.0']);
    await cast.owner.put(entriesPath(id), { entries: [] }, 200);
    await cast.owner.post(`/v1/bundles/${id}/versions/3/restore`, undefined, 200);
    expect((await entriesOf(id)).map(({ version }) => version)).toEqual([null, null]);
  });

  it('counts towards a limit, at which entries can only be disabled and removed', async () => {
    const { id } = await createBundle(cast.owner);
    const listing = await publish();
    const { id: entryId } = await add(id, { listing_id: listing.id });
    const flip = (is_enabled: boolean, status = 200) =>
      cast.owner.patch(`${entriesPath(id)}/${entryId}`, { is_enabled }, status);
    for (let number = 3; number <= 12; number++) await flip(number % 2 === 0);
    const detail = 'The bundle has 12 versions, which is the limit; its entries can now only be disabled or removed.';
    const config = { args: ['--new'] };
    const refused = await cast.owner.patch(`${entriesPath(id)}/${entryId}`, { is_enabled: false, config }, 409);
    expect(refused.body).toEqual({ code: 'bundle_conflict', detail });
    await release(listing, '1.1.0');
    await cast.owner.post(`/v1/bundles/${id}/versions`, undefined, 409);
    await flip(true); // changes nothing
    await cast.owner.patch(`/v1/bundles/${id}`, { name: 'Still mine' });
    await flip(false);
    await flip(true, 409);
    await cast.owner.post(`/v1/bundles/${id}/versions/2/restore`, undefined, 409);
    await cast.owner.delete(`${entriesPath(id)}/${entryId}`);
    expect(await entriesOf(id)).toHaveLength(0);
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 14 });
  });
});

describe('A pinned version', () => {
  it('is in the allow list of the organisation, together with what its deployments run', async () => {
    const own = await createCast(test);
    const { id, following } = await (async () => {
      const [one, two] = [await publish(), await publish()];
      const bundle = await createBundle(own.owner, { org_id: own.orgId });
      await own.owner.post(entriesPath(bundle.id), { listing_id: one.id });
      await own.owner.post(entriesPath(bundle.id), { listing_id: two.id, version: '1.0.0' });
      for (const listing of [one, two]) await release(listing, '1.1.0');
      return { id: bundle.id, following: one };
    })();
    const allowed = async () => {
      const settings = await own.member.get(`/v1/organisations/${own.orgId}/managed-settings`);
      const { allowedMcpServers } = settings.body;
      return allowedMcpServers
        .map((server) => ('serverCommand' in server ? server.serverCommand.at(-1)?.split('@').at(-1) : undefined))
        .sort();
    };
    expect(await allowed()).toEqual(['1.0.0', '1.1.0']);
    const path = `/v1/bundles/${id}/deployments` as const;
    const deployment = await own.owner.post(path, { name: 'Desk', environment: 'test', bundle_version: 3 });
    expect(await allowed()).toEqual(['1.0.0', '1.0.0', '1.1.0']);
    await own.owner.patch(deployment.headers.location as `${typeof path}/${string}`, { status: 'STOPPED' });
    expect(await allowed()).toEqual(['1.0.0', '1.1.0']);
    await withdraw(following.id, '1.1.0');
    expect(await allowed()).toEqual(['1.0.0']);
  });

  it('is in the registry of public bundles, until it is deleted', async () => {
    const { id, following, pinned } = await mixed({ visibility: 'PUBLIC' });
    await release(following, '1.1.0');
    const listed = async () => {
      // The former name of the extension, which gives the same answer as the current one.
      const path = '/v0.1/x/toolyard/bundles?limit=1';
      const page = await test.anonymous.get(path as '/v0.1/x/com.toolyard/bundles');
      const [bundle] = page.body.bundles;
      expect(bundle?.id).toBe(id);
      return [bundle?.servers, bundle?.entries];
    };
    const entries = [
      { name: following.name, version: '1.1.0' },
      { name: pinned.name, version: '1.0.0' },
    ];
    expect(await listed()).toEqual([[following.name, pinned.name], entries]);
    await withdraw(pinned.id, '1.0.0');
    expect(await listed()).toEqual([[following.name], entries.slice(0, 1)]);
  });

  it('is what an access token exports', async () => {
    const { id, following } = await mixed();
    const { token } = (await cast.owner.post(`/v1/bundles/${id}/access-tokens`, { name: 'CI' })).body;
    await release(following, '1.1.0');
    const api = new Api(test.url, test.document, token);
    expect(packagesOf(await exported(id, '&version=3', api))).toEqual(['1.0.0', '1.0.0']);
  });
});
