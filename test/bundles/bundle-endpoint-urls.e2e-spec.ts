import { createTestApp, type TestApp } from '../support/app';
import type { Api } from '../support/api';
import { type Cast, createBundle, createCast, createListing } from '../support/factories';

const URL_ONE = 'https://weather.example.com/mcp';
const URL_TWO = 'https://weather.example.net:8443/mcp?tools=all';
const PACKAGES = [{ registryType: 'npm', identifier: 'weather', version: '1.0.0', transport: { type: 'stdio' } }];
const REMOTES = [{ type: 'streamable-http', url: 'https://vendor.example/mcp' }];

interface Entry {
  id: string;
  listing_id: string;
  endpoint_url: string | null;
}

describe('The endpoint_url of an entry', () => {
  let test: TestApp;
  let cast: Cast;
  let path: string;
  let listingId: string;
  let entryId: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
  });
  beforeEach(async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    path = `/v1/bundles/${id}`;
    listingId = await listing({ packages: PACKAGES });
    entryId = ((await sent('post', 'entries', { listing_id: listingId })).body as Entry).id;
  });
  afterAll(() => test.close());

  const sent = (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    at: string,
    body?: object,
    api: Api = cast.owner,
  ) => api.raw(method, `${path}${at === '' ? '' : '/'}${at}`).send(body);
  const set = (endpoint_url: unknown, fields: object = {}, api?: Api) =>
    sent('patch', `entries/${entryId}`, { endpoint_url, ...fields }, api);
  const bodyOf = async (at: string, api?: Api) => (await sent('get', at, undefined, api)).body as unknown;
  const describes = (server: object, id: string, version = '1.0.0') =>
    test.dataSource.query(
      `UPDATE listing_versions SET server = (server::jsonb || $2::jsonb)::json WHERE listing_id = $1 AND version = $3`,
      [id, JSON.stringify(server), version],
    );
  async function listing(server: object, fields: Parameters<typeof createListing>[1] = {}): Promise<string> {
    const id = await createListing(test.dataSource, fields);
    await describes(server, id);
    return id;
  }
  /** A version that is newer than 1.0.0. */
  async function publish(id: string, server: object): Promise<void> {
    await test.dataSource.query(`UPDATE listing_versions SET is_latest = false WHERE listing_id = $1`, [id]);
    await test.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, '2.0.0', $2, true)`,
      [id, JSON.stringify({ version: '2.0.0', ...server })],
    );
  }

  it('is given when a listing is added, or later, and taken away by null', async () => {
    expect((await set(URL_ONE)).body).toMatchObject({ id: entryId, endpoint_url: URL_ONE });
    expect((await set(undefined, { is_enabled: false })).body).toMatchObject({ endpoint_url: URL_ONE });
    expect((await set(null)).body).toMatchObject({ endpoint_url: null });
    const listing_id = await listing({ packages: PACKAGES });
    const added = await sent('post', 'entries', { listing_id, endpoint_url: URL_TWO });
    expect([added.status, added.body]).toEqual([201, expect.objectContaining({ endpoint_url: URL_TWO })]);
    const first = await listing({ packages: PACKAGES });
    expect((await sent('post', 'entries', { listing_id: first })).body).toMatchObject({ endpoint_url: null });
    expect(await bodyOf('entries')).toMatchObject([{ endpoint_url: null }, { endpoint_url: URL_TWO }, {}]);
    expect(await bodyOf(`entries/${entryId}`)).toMatchObject({ endpoint_url: null });
  });

  it('is a setting of changes of several entries, and of lists that replace them', async () => {
    const other = await listing({ packages: PACKAGES });
    const changed = await sent('patch', 'entries', {
      update: [{ id: entryId, endpoint_url: URL_ONE }],
      add: [{ listing_id: other, endpoint_url: URL_TWO }],
    });
    expect(changed.body).toMatchObject({ entries: [{ endpoint_url: URL_ONE }, { endpoint_url: URL_TWO }] });
    const replaced = await sent('put', 'entries', {
      entries: [{ id: entryId }, { listing_id: other, endpoint_url: null }],
    });
    expect(replaced.body).toMatchObject({ entries: [{ endpoint_url: URL_ONE }, { endpoint_url: null }] });
  });

  it('makes a version with each change, and an event about the settings of entries', async () => {
    await set(URL_ONE);
    await set(URL_ONE);
    expect(await bodyOf('versions')).toMatchObject([{ number: 3, changes: { reconfigured: 1 } }, { number: 2 }, {}]);
    const events = await test.dataSource.query<{ data: object }[]>(
      `SELECT data FROM events WHERE type = 'bundle.updated' AND data->>'bundle_id' = $1`,
      [path.split('/').at(-1)],
    );
    expect(events).toMatchObject([{ data: { changed: ['entries'], bundle_version: 3 } }]);
  });

  it('is recorded by versions, compared and restored', async () => {
    await set(URL_ONE);
    await set(URL_TWO);
    expect(await bodyOf('versions/2')).toMatchObject({ entries: [{ endpoint_url: null }] });
    expect(await bodyOf('versions/3')).toMatchObject({ entries: [{ id: entryId, endpoint_url: URL_ONE }] });
    expect(await bodyOf('versions/3/compare?with=4')).toMatchObject({
      reconfigured: [{ before: { endpoint_url: URL_ONE }, after: { endpoint_url: URL_TWO } }],
    });
    await sent('post', 'versions/3/restore', {});
    expect(await bodyOf('entries')).toMatchObject([{ id: entryId, endpoint_url: URL_ONE }]);
    await sent('delete', `entries/${entryId}`);
    await sent('post', 'versions/4/restore', {});
    expect(await bodyOf('entries')).toMatchObject([{ id: entryId, endpoint_url: URL_TWO }]);
    await sent('post', 'versions/2/restore', {});
    expect(await bodyOf('entries')).toMatchObject([{ id: entryId, endpoint_url: null }]);
  });

  it('is not restored once the listing has a remote server of its own, unless the entry has it already', async () => {
    await set(URL_ONE);
    await set(URL_TWO);
    await describes({ remotes: REMOTES }, listingId);
    const refused = await sent('post', 'versions/3/restore', {});
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'bundle_entry_conflict' }]);
    expect((refused.body as { detail: string }).detail).toContain(entryId);
    expect(await bodyOf('entries')).toMatchObject([{ id: entryId, endpoint_url: URL_TWO }]);
    expect((await sent('post', 'versions/4/restore', {})).status).toBe(200);
    await sent('delete', `entries/${entryId}`);
    expect((await sent('post', 'versions/4/restore', {})).status).toBe(409);
    expect((await sent('post', 'versions/2/restore', {})).status).toBe(200);
    expect(await bodyOf('entries')).toMatchObject([{ id: entryId, endpoint_url: null }]);
  });

  it('is none in versions of earlier releases, of which an entry that is there takes nothing back', async () => {
    await set(URL_ONE);
    await test.dataSource.query(
      `UPDATE bundle_versions SET entries = jsonb_build_array((entries->0) - 'endpoint_url')
       WHERE bundle_id = $1 AND number = 3`,
      [path.split('/').at(-1)],
    );
    await set(URL_TWO);
    expect(await bodyOf('versions/3')).toMatchObject({ entries: [{ endpoint_url: null }] });
    await sent('post', 'versions/3/restore', {});
    expect(await bodyOf('entries')).toMatchObject([{ endpoint_url: URL_TWO }]);
  });

  it.each([
    ['', 'string_too_short'],
    ['weather.example.com', 'url_parsing'],
    ['ftp://weather.example.com', 'url_scheme'],
    ['http://weather.example.com/mcp', 'url_scheme'],
    ['https://ada:secret@weather.example.com/', 'value_error'],
    ['https://weather.example.com/#a', 'value_error'],
    ['https://weather.example.com/{tenant}', 'value_error'],
    ['https://169.254.169.254/latest/meta-data', 'value_error'],
    ['http://127.0.0.1:9000/mcp', 'value_error'],
    ['https://10.0.0.1/mcp', 'value_error'],
    ['https://localhost/mcp', 'value_error'],
    [`https://weather.example.com/${'a'.repeat(2_048)}`, 'string_too_long'],
    [7, 'string_type'],
    [{ url: URL_ONE }, 'string_type'],
  ])('is rejected in every body: %j', async (endpoint_url, type) => {
    const listing_id = await listing({ packages: PACKAGES });
    const answers = [
      [await set(endpoint_url), 'body.endpoint_url'],
      [await sent('post', 'entries', { listing_id, endpoint_url }), 'body.endpoint_url'],
      [await sent('put', 'entries', { entries: [{ id: entryId, endpoint_url }] }), 'body.entries.0.endpoint_url'],
      [await sent('patch', 'entries', { update: [{ id: entryId, endpoint_url }] }), 'body.update.0.endpoint_url'],
      [await sent('patch', 'entries', { add: [{ listing_id, endpoint_url }] }), 'body.add.0.endpoint_url'],
    ] as const;
    for (const [{ status, body }, place] of answers) {
      const [fault] = (body as { detail: { loc: (string | number)[]; type: string }[] }).detail;
      expect([status, fault?.loc.join('.'), fault?.type]).toEqual([422, place, type]);
    }
    expect(await bodyOf('entries')).toMatchObject([{ endpoint_url: null }]);
  });

  it('is a conflict where the listing says where its server is, in the version that the entry means', async () => {
    const conflict = { status: 409, body: { code: 'bundle_entry_conflict' } };
    const remote = await listing({ remotes: REMOTES });
    const answer = await sent('post', 'entries', { listing_id: remote, endpoint_url: URL_ONE });
    expect(answer).toMatchObject(conflict);
    expect(answer.text).toContain('remote server');
    await publish(listingId, { remotes: REMOTES });
    expect(await set(URL_ONE)).toMatchObject(conflict);
    expect(await sent('put', 'entries', { entries: [{ id: entryId, endpoint_url: URL_ONE }] })).toMatchObject(conflict);
    expect((await set(URL_ONE, { version: '1.0.0' })).body).toMatchObject({ endpoint_url: URL_ONE, version: '1.0.0' });
    const unpinned = { id: entryId, version: null };
    expect(await sent('patch', `entries/${entryId}`, { version: null })).toMatchObject(conflict);
    expect(await sent('patch', 'entries', { update: [unpinned] })).toMatchObject(conflict);
    expect(await sent('put', 'entries', { entries: [unpinned] })).toMatchObject(conflict);
    expect((await set(null, { version: null })).body).toMatchObject({ endpoint_url: null, version: null });
  });

  it('is a conflict, too, where the configuration makes no address of what the listing says', async () => {
    const url = 'https://{host}/mcp';
    const hosted = await listing({ remotes: [{ type: 'streamable-http', url, variables: { host: {} } }] });
    const config = { variables: { host: 'no host' } };
    const added = (await sent('post', 'entries', { listing_id: hosted, config })).body as { id: string };
    const wanted = { endpoint_url: URL_ONE };
    expect((await sent('patch', `entries/${added.id}`, wanted)).status).toBe(409);
    expect((await sent('patch', `entries/${added.id}`, { ...wanted, config })).status).toBe(409);
  });

  it.each([
    ['SSE only', { remotes: [{ type: 'sse', url: 'https://vendor.example/sse' }] }],
    ['neither packages nor servers', {}],
    [
      'a package that speaks HTTP',
      { packages: [{ ...PACKAGES[0], transport: { type: 'streamable-http', url: 'http://x' } }] },
    ],
  ])('is taken by a listing with %s', async (_, server) => {
    const listing_id = await listing(server);
    expect((await sent('post', 'entries', { listing_id, endpoint_url: URL_ONE })).status).toBe(201);
  });

  it('stays when a later version of the listing has a remote server, until an editor takes it away', async () => {
    await set(URL_ONE);
    await publish(listingId, { remotes: REMOTES });
    expect(await bodyOf('entries')).toMatchObject([{ endpoint_url: URL_ONE, listing_version: '2.0.0' }]);
    expect((await set(URL_ONE, { is_enabled: true })).status).toBe(200);
    expect((await set(URL_TWO)).status).toBe(409);
    expect((await set(null)).body).toMatchObject({ endpoint_url: null });
    expect((await set(URL_ONE)).status).toBe(409);
  });

  it('is set by those who may change the bundle, and by nobody else', async () => {
    expect(await set(URL_ONE, {}, cast.member)).toMatchObject({ status: 403 });
    expect(await set(URL_ONE, {}, cast.outsider)).toMatchObject({ status: 404 });
    expect(
      await test.anonymous.raw('patch', `${path}/entries/${entryId}`).send({ endpoint_url: URL_ONE }),
    ).toMatchObject({
      status: 401,
    });
    expect(await bodyOf('entries')).toMatchObject([{ endpoint_url: null }]);
    expect(await set(URL_ONE, {}, cast.admin)).toMatchObject({ status: 200 });
    expect(await bodyOf('entries', cast.member)).toMatchObject([{ endpoint_url: URL_ONE }]);
  });

  it('is not shown to those who see the bundle only because it is public', async () => {
    await set(URL_ONE);
    await set(URL_TWO);
    await sent('patch', '', { visibility: 'PUBLIC' });
    expect(await bodyOf('entries', cast.outsider)).toMatchObject([{ id: entryId, endpoint_url: null }]);
    const answers = ['entries', `entries/${entryId}`, 'versions/3', 'versions/3/compare', 'export?client=vscode'];
    for (const at of answers) {
      const { status, text } = await sent('get', at, undefined, cast.outsider);
      expect([at, status, text.includes('weather.example')]).toEqual([at, 200, false]);
    }
  });

  it('changes nothing in exports for clients, which run the package themselves', async () => {
    const before = await bodyOf('export?client=vscode');
    await set(URL_ONE);
    expect(await bodyOf('export?client=vscode')).toEqual(before);
  });

  it('is not taken by an editor who does not see the listing, or after it was deleted', async () => {
    const [owner, editor] = [await test.as('keeper'), await test.as('second-editor')];
    const ownerId = (await owner.get('/v1/users/me')).body.id;
    const editorId = (await editor.get('/v1/users/me')).body.id;
    const { id } = await createBundle(owner);
    path = `/v1/bundles/${id}`;
    const hidden = await listing({ packages: PACKAGES }, { visibility: 'PRIVATE', ownerId });
    entryId = ((await sent('post', 'entries', { listing_id: hidden }, owner)).body as Entry).id;
    await test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [id, editorId]);
    expect(await set(URL_ONE, {}, editor)).toMatchObject({ status: 409, body: { code: 'bundle_entry_conflict' } });
    expect(await set(URL_ONE, {}, owner)).toMatchObject({ status: 200 });
    expect(await set(null, {}, editor)).toMatchObject({ status: 200 });
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [hidden]);
    expect(await set(URL_ONE, {}, owner)).toMatchObject({ status: 409, body: { code: 'bundle_entry_conflict' } });
  });
});
