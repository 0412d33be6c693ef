import type { Api } from '../support/api';
import type { ListingCreate } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { type Cast, createCast, unique } from '../support/factories';
import { expectRegistryList, expectServerResponse } from '../support/registry-schema';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  await (await test.as('chief')).post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

const newName = () => `com.example/${unique('Tool')}`;

function draftOf(name: string, fields: Partial<ListingCreate> = {}): ListingCreate {
  const server = { name, description: 'A tool server.', version: '1.0.0' };
  return { server, category: 'weather', visibility: 'PUBLIC', ...fields };
}

async function create(api: Api, name: string, fields: Partial<ListingCreate> = {}): Promise<string> {
  return (await api.post('/v1/mcp/listings', draftOf(name, fields))).body.id;
}

const refuse = (api: Api, name: string, fields: Partial<ListingCreate> = {}) =>
  api.post('/v1/mcp/listings', draftOf(name, fields), 409);

const step = (api: Api, id: string, name: string, status = 200) =>
  api.post(`/v1/mcp/listings/${id}/${name}`, undefined, status);
const publish = (api: Api, id: string, status = 200) => step(api, id, 'publish', status);

describe('The name of a listing', () => {
  it('is unique among the listings of one owner, in any case and status', async () => {
    const name = newName();
    const ofOrganisation = { org_id: cast.orgId, visibility: 'PRIVATE' } as const;
    await create(cast.owner, name, ofOrganisation);
    await refuse(cast.admin, name.toUpperCase(), ofOrganisation);
    // The same person's personal listings have another owner than the organisation's.
    await create(cast.owner, name.toLowerCase());
    await refuse(cast.owner, name);
    await create(cast.outsider, name);
  });

  it('is unique among public listings, archived ones included; drafts and private ones may share it', async () => {
    const name = newName();
    const first = await create(cast.owner, name);
    const second = await create(cast.outsider, name.toLowerCase());
    await publish(cast.owner, first);
    const refused = await publish(cast.outsider, second, 409);
    expect(refused.body).toMatchObject({
      code: 'listing_conflict',
      detail: expect.stringContaining('public') as string,
    });
    await step(cast.owner, first, 'archive');
    await publish(cast.outsider, second, 409);

    await cast.outsider.patch(`/v1/mcp/listings/${second}`, { visibility: 'PRIVATE' });
    await publish(cast.outsider, second);
    await cast.outsider.patch(`/v1/mcp/listings/${second}`, { visibility: 'PUBLIC' }, 409);
    // Making a listing private releases its name.
    await cast.owner.patch(`/v1/mcp/listings/${first}`, { visibility: 'PRIVATE' });
    await cast.outsider.patch(`/v1/mcp/listings/${second}`, { visibility: 'PUBLIC' });
    await cast.owner.patch(`/v1/mcp/listings/${first}`, { visibility: 'PUBLIC' }, 409);
  });

  it('is won by one of those who publish it at the same moment', async () => {
    const name = newName();
    const people = await Promise.all(Array.from({ length: 6 }, () => test.as(unique('racer'))));
    const drafts = await Promise.all(people.map((api, n) => create(api, n % 2 ? name : name.toUpperCase())));
    const answers = await Promise.all(people.map((api, n) => api.raw('post', `/v1/mcp/listings/${drafts[n]}/publish`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const personal = await Promise.all(
      Array.from({ length: 4 }, () =>
        cast.outsider.raw('post', '/v1/mcp/listings').send({
          server: { name: `${name}-again`, description: 'A tool server.', version: '1.0.0' },
          category: 'weather',
        }),
      ),
    );
    expect(personal.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('has one history for followers of the registry, even after it changed owners', async () => {
    const name = newName();
    const [first, second] = [await create(cast.owner, name), await create(cast.outsider, name)];
    await publish(cast.owner, first);
    await cast.owner.post(`/v1/mcp/listings/${first}/versions`, {
      server: { name, description: 'A tool server.', version: '2.0.0' },
    });
    await cast.owner.patch(`/v1/mcp/listings/${first}`, { visibility: 'PRIVATE' });
    await publish(cast.outsider, second);
    const history = async (query: string) =>
      expectRegistryList((await test.anonymous.get(`/v0.1/servers?search=${name}&${query}`)).body).servers.map(
        ({ server, _meta }) => [
          server.version,
          server.description,
          (_meta['io.modelcontextprotocol.registry/official'] as { status: string }).status,
        ],
      );
    const expected = [
      ['1.0.0', 'A tool server.', 'active'],
      ['2.0.0', 'No longer available.', 'deleted'],
    ];
    expect(await history('')).toEqual(expected.slice(0, 1));
    expect(await history('include_deleted=true')).toEqual(expected);
    expect((await history('updated_since=2026-01-01T00:00:00Z')).sort()).toEqual(expected);
    const one = await test.anonymous.get(
      `/v0.1/servers/${encodeURIComponent(name)}/versions/1.0.0?include_deleted=true`,
    );
    expect(one.body).toMatchObject({ server: { description: 'A tool server.' } });
    // Both are gone: each row appears once, even if a page ends between two with the same name and version.
    await step(cast.outsider, second, 'archive');
    const rows: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const query = cursor ? `limit=1&cursor=${cursor}` : `limit=1&include_deleted=true&search=${name}`;
      const page = expectRegistryList((await test.anonymous.get(`/v0.1/servers?${query}`)).body);
      rows.push(
        ...page.servers.map(
          ({ server, _meta }) => `${server.version} ${JSON.stringify(_meta['com.toolyard/listing'])}`,
        ),
      );
      cursor = page.metadata.nextCursor;
    }
    expect(rows).toHaveLength(3);
    expect(new Set(rows).size).toBe(3);
  });
});

describe('A name in the registry of an organisation', () => {
  const base = () => `/v1/organisations/${cast.orgId}/registry/v0.1` as const;

  it('means the organisation’s private listing rather than a public one, until it is archived', async () => {
    const name = newName();
    const make = async (api: Api, fields: object, description: string) => {
      const body = { server: { name, description, version: '1.0.0' }, category: 'weather', ...fields };
      const { id } = (await api.post('/v1/mcp/listings', body)).body;
      await publish(api, id);
      return id;
    };
    await make(cast.outsider, { visibility: 'PUBLIC' }, 'Theirs.');
    const own = await make(cast.owner, { org_id: cast.orgId }, 'Ours.');
    const shown = async (query: string, of: string = base()) =>
      expectRegistryList((await cast.member.get(`${of}/servers?search=${name}${query}`)).body).servers.map(
        ({ server, _meta }) => [
          server.description,
          (_meta['io.modelcontextprotocol.registry/official'] as { status: string }).status,
        ],
      );
    const latest = async () => {
      const path = `${base()}/servers/${encodeURIComponent(name)}/versions/latest`;
      return expectServerResponse((await cast.member.get(path)).body).server.description;
    };
    for (const query of ['', '&include_deleted=true']) {
      expect(await shown(query)).toEqual([['Ours.', 'active']]);
      expect(await shown(query, '/v0.1')).toEqual([['Theirs.', 'active']]);
    }
    expect(await latest()).toBe('Ours.');
    await step(cast.owner, own, 'archive');
    for (const query of ['', '&include_deleted=true']) expect(await shown(query)).toEqual([['Theirs.', 'active']]);
    expect(await latest()).toBe('Theirs.');
  });
});
