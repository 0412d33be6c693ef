import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { faultsOf } from '../support/faults';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const entriesOf = async (api: Api, bundleId: string) =>
  (await api.get(`/v1/bundles/${bundleId}/entries?limit=100`)).body;

/** A bundle with that many entries. */
async function filled(count: number, api = cast.owner, fields = {}) {
  const { id } = await createBundle(api, fields);
  const path = `/v1/bundles/${id}/entries` as const;
  for (let n = 0; n < count; n++) await api.post(path, { listing_id: await newListing() });
  return { id, path, entries: await entriesOf(api, id) };
}

const eventsOf = (bundleId: string) =>
  test.dataSource.query<{ type: string; data: Record<string, unknown> }[]>(
    `SELECT type, data FROM events WHERE data->>'bundle_id' = $1 ORDER BY id`,
    [bundleId],
  );

describe('A secret in the configuration of a bundle entry', () => {
  it('is refused in every operation, with its place, and is not repeated in the error', async () => {
    const listing_id = await newListing();
    const server = { packages: [{ environmentVariables: [{ name: 'API_KEY', isSecret: true }] }] };
    await test.dataSource.query(`UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1`, [
      listing_id,
      server,
    ]);
    const { path } = await filled(1);
    const config = { env: { API_KEY: 'sk-12345', REGION: 'eu' } };
    const refusals = [
      [await cast.owner.post(path, { listing_id, config }, 422), 'body.config.env.API_KEY value_error'],
      [
        await cast.owner.put(path, { entries: [{ listing_id, config }] }, 422),
        'body.entries.0.config.env.API_KEY value_error',
      ],
      [
        await cast.owner.patch(path, { add: [{ listing_id, config }] }, 422),
        'body.add.0.config.env.API_KEY value_error',
      ],
    ] as const;
    for (const [refused, fault] of refusals) {
      expect(faultsOf(refused)).toEqual([fault]);
      expect(refused.text).not.toContain('sk-12345');
    }
    const entry = (await cast.owner.post(path, { listing_id })).body;
    for (const [refused, fault] of [
      [await cast.owner.patch(`${path}/${entry.id}`, { config }, 422), 'body.config.env.API_KEY value_error'],
      [
        await cast.owner.patch(path, { update: [{ id: entry.id, config }] }, 422),
        'body.update.0.config.env.API_KEY value_error',
      ],
      [
        await cast.owner.put(path, { entries: [{ id: entry.id, config }] }, 422),
        'body.entries.0.config.env.API_KEY value_error',
      ],
    ] as const) {
      expect(faultsOf(refused)).toEqual([fault]);
    }
    await cast.owner.patch(`${path}/${entry.id}`, { config: { env: { REGION: 'eu' } } });
  });

  it('is refused in credential headers, even if the document does not declare them secret', async () => {
    const listing_id = await newListing();
    const headers = [{ name: 'Authorization', value: 'Bearer {api_key}' }];
    const remotes = [{ type: 'streamable-http', url: 'https://mcp.example/mcp', headers }];
    await test.dataSource.query(`UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1`, [
      listing_id,
      { remotes },
    ]);
    const { id, path } = await filled(0);
    const entry = (await cast.owner.post(path, { listing_id })).body;
    const config = { headers: { authorization: 'Bearer sk-1' }, variables: { api_key: 'sk-1' } };
    const refused = await cast.owner.patch(`${path}/${entry.id}`, { config }, 422);
    expect(faultsOf(refused)).toEqual([
      'body.config.headers.authorization value_error',
      'body.config.variables.api_key value_error',
    ]);
    // Nor is a secret exported that was stored before it was refused.
    for (const table of ['bundle_entries', 'bundle_versions']) {
      const sql = table === 'bundle_entries' ? `config = $2` : `entries = jsonb_set(entries, '{0,config}', $2)`;
      const where = table === 'bundle_entries' ? '' : 'AND number = 2';
      await test.dataSource.query(`UPDATE ${table} SET ${sql} WHERE bundle_id = $1 ${where}`, [id, config]);
    }
    for (const client of ['vscode', 'cursor']) {
      const { text } = await cast.owner.get(`/v1/bundles/${id}/export?client=${client}&format=report`);
      expect(text).toContain('authorization is a secret');
      expect(text).not.toContain('sk-1');
    }
  });

  it('is reported only after the other errors of the configuration are fixed', async () => {
    const { path, entries } = await filled(1);
    const config = { env: 'no', args: [1], run_with: 'bash' };
    const refused = await cast.owner.patch(`${path}/${entries[0]?.id}`, { config, position: -1 }, 422);
    expect(faultsOf(refused).sort().sort()).toEqual([
      'body.config.args.0 string_type',
      'body.config.env dict_type',
      'body.config.run_with enum',
      'body.position greater_than_equal',
    ]);
  });
});

describe('A bundle entry whose listing the reader cannot see', () => {
  it('is shown without a name to the people of the bundle, and not at all to the public', async () => {
    const { id, path } = await filled(1, cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    // A personal draft of one user, which the others need not know.
    const draft = await newListing({ status: 'DRAFT', visibility: 'PRIVATE', ownerId: await idOf(cast.owner) });
    const mine = (await cast.owner.post(path, { listing_id: draft, position: 0, config: { a: 1 } })).body;
    const hidden = {
      ...mine,
      listing_id: null,
      listing_name: null,
      listing_title: null,
      listing_version: null,
      key: null,
    };
    for (const api of [cast.admin, cast.member]) {
      expect((await entriesOf(api, id))[0]).toEqual(hidden);
      expect((await api.get(`${path}/${mine.id}`)).body).toEqual(hidden);
    }
    expect((await entriesOf(cast.outsider, id)).map((entry) => entry.position)).toEqual([1]);
    await cast.outsider.get(`${path}/${mine.id}`, 404);
    // So that no one removes it by mistake: it can be named by its id.
    const kept = (await cast.admin.put(path, { entries: [{ id: mine.id }] }, 200)).body;
    expect(kept.entries).toEqual([hidden]);
    expect(await entriesOf(cast.owner, id)).toEqual([mine]);
    await cast.admin.delete(`${path}/${mine.id}`);
  });

  it('stays hidden from the public after the listing is deleted', async () => {
    const { id, path } = await filled(0, cast.owner, { visibility: 'PUBLIC' });
    const draft = await newListing({ status: 'DRAFT', visibility: 'PRIVATE', ownerId: await idOf(cast.owner) });
    const entry = (await cast.owner.post(path, { listing_id: draft })).body;
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [draft]);
    expect(await entriesOf(cast.outsider, id)).toEqual([]);
    const left = { ...entry, listing_id: null, listing_title: null, listing_version: null, is_available: false };
    expect(await entriesOf(cast.owner, id)).toEqual([left]);
  });

  it.each([
    ['an organisation', (): object => ({ org_id: cast.orgId })],
    ['a person', (): object => ({})],
  ])(
    'does not become known to the other people of a bundle of %s by the deletion of the listing',
    async (_, fields) => {
      const { id, path } = await filled(0, cast.owner, fields());
      for (const api of [cast.member, cast.admin]) await cast.owner.put(`/v1/bundles/${id}/editors/${await idOf(api)}`);
      const draft = await newListing({ status: 'DRAFT', visibility: 'PRIVATE', ownerId: await idOf(cast.member) });
      const { id: entryId, listing_name } = (await cast.member.post(path, { listing_id: draft })).body;
      await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [draft]);
      for (const api of [cast.owner, cast.admin]) {
        expect(await entriesOf(api, id)).toMatchObject([{ id: entryId, listing_name: null, key: null }]);
        const { entries } = (await api.get(`/v1/bundles/${id}/versions/2`)).body;
        expect(entries).toMatchObject([{ id: entryId, listing_name: null, key: null }]);
      }
      await cast.owner.put(path, { entries: [] }, 200);
      await cast.owner.post(`/v1/bundles/${id}/versions/2/restore`, undefined, 200);
      for (const api of [cast.owner, cast.admin])
        expect(await entriesOf(api, id)).toMatchObject([{ listing_name: null }]);
      expect(JSON.stringify(await eventsOf(id))).not.toContain(String(listing_name));
    },
  );

  it('keeps the name of a deleted listing that those people knew', async () => {
    const { id, path } = await filled(0, cast.owner, { org_id: cast.orgId });
    const draft = await newListing({ status: 'DRAFT', visibility: 'PRIVATE', orgId: cast.orgId });
    const { listing_name } = (await cast.owner.post(path, { listing_id: draft })).body;
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [draft]);
    expect(await entriesOf(cast.member, id)).toMatchObject([{ listing_id: null, listing_name }]);
    const { entries } = (await cast.member.get(`/v1/bundles/${id}/versions/2`)).body;
    expect(entries).toMatchObject([{ listing_name }]);
    await cast.owner.put(path, { entries: [] }, 200);
    await cast.owner.post(`/v1/bundles/${id}/versions/2/restore`, undefined, 200);
    expect(await entriesOf(cast.member, id)).toMatchObject([{ listing_id: null, listing_name }]);
    const removed = (await eventsOf(id)).filter(({ type }) => type === 'bundle.entry_removed');
    expect(removed.map(({ data }) => data.listing_name)).toEqual([listing_name]);
  });

  it.each([
    ['an organisation', () => cast.member, { visibility: 'PRIVATE' }],
    ['an organisation', () => cast.member, { status: 'DRAFT' }],
    ['a person', () => cast.member, { visibility: 'PRIVATE' }],
  ])('is sent without its name to the endpoints of %s', async (owner, whose, fields) => {
    const editor = whose();
    const { id, path } = await filled(0, cast.owner, owner === 'a person' ? {} : { org_id: cast.orgId });
    await cast.owner.put(`/v1/bundles/${id}/editors/${await idOf(editor)}`);
    const listing_id = await newListing({ ...fields, ownerId: await idOf(editor) });
    const { id: entry_id, listing_name } = (await editor.post(path, { listing_id })).body;
    await editor.delete(`${path}/${entry_id}`);
    await editor.post(`/v1/bundles/${id}/versions/2/restore`, undefined, 200);
    await editor.put(path, { entries: [] }, 200);
    const events = (await eventsOf(id)).filter(({ type }) => type.startsWith('bundle.entry_'));
    expect(events.map(({ data }) => [data.entry_id, data.listing_id, data.listing_name])).toEqual(
      Array(4).fill([entry_id, null, null]),
    );
    const written = JSON.stringify(await eventsOf(id));
    for (const secret of [listing_id, String(listing_name)]) expect(written).not.toContain(secret);
  });

  it('is sent with its name if the listing is the owner’s or was public before it was archived', async () => {
    const { id, path } = await filled(0, cast.owner, { org_id: cast.orgId });
    const archived = await newListing({ ownerId: await idOf(cast.outsider) });
    const own = await newListing({ visibility: 'PRIVATE', orgId: cast.orgId });
    for (const listing_id of [archived, own]) await cast.member.post(path, { listing_id }, 403);
    const added = [];
    for (const listing_id of [archived, own]) added.push((await cast.owner.post(path, { listing_id })).body);
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [archived]);
    await cast.owner.put(path, { entries: [] }, 200);
    const named = added.map(({ listing_id, listing_name }) => [listing_id, listing_name]);
    const events = (await eventsOf(id)).filter(({ type }) => type.startsWith('bundle.entry_'));
    expect(events.map(({ data }) => [data.listing_id, data.listing_name])).toEqual([...named, ...named]);
  });
});
