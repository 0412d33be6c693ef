import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { Listing } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createListing, idOf, join, unique } from '../support/factories';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp();
  cast = await createCast(test);
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const idsOf = (rows: unknown) => (rows as Listing[]).map(({ id }) => id);

describe('The public catalogue', () => {
  it('contains what is published and public, newest first, for everyone with a token', async () => {
    const category = unique('category');
    const first = await newListing({ category });
    const second = await newListing({ category, orgId: cast.orgId });
    for (const status of ['DRAFT', 'PUBLISHED', 'ARCHIVED']) {
      for (const visibility of ['PUBLIC', 'PRIVATE']) {
        if (status !== 'PUBLISHED' || visibility !== 'PUBLIC')
          await newListing({ category, status, visibility, orgId: cast.orgId, ownerId: await idOf(cast.owner) });
      }
    }
    for (const api of [cast.owner, cast.member, cast.outsider]) {
      const listed = await api.get(`/v1/mcp/listings?category=${category}`);
      expect(idsOf(listed.body)).toEqual([second, first]);
    }
    await test.anonymous.get('/v1/mcp/listings', 401);
  });

  it('returns a listing with exactly the documented fields', async () => {
    const category = unique('category');
    const id = await newListing({ category });
    const [listing] = (await cast.outsider.get(`/v1/mcp/listings?category=${category}`)).body;
    expect(listing).toEqual({
      id,
      name: listing?.name,
      slug: listing?.name,
      title: listing?.name,
      description: 'A test server.',
      category,
      category_name: category,
      status: 'PUBLISHED',
      visibility: 'PUBLIC',
      org_id: null,
      owner_id: null,
      version: '1.0.0',
      repository: null,
      website_url: null,
      icons: [],
      has_icon: false,
      transports: [],
      registry_types: [],
      rating: { mean: null, count: 0 },
      published_at: null,
      archived_at: null,
      archived_by: null,
      archive_reason: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      updated_at: expect.stringMatching(/Z$/) as string,
    });
  });

  it('can be filtered by category slug; an unknown category has no listings', async () => {
    const [one, other] = [unique('category'), unique('category')];
    const id = await newListing({ category: one });
    await newListing({ category: other });
    expect(idsOf((await cast.outsider.get(`/v1/mcp/listings?category=${one}`)).body)).toEqual([id]);
    expect((await cast.outsider.get('/v1/mcp/listings?category=nothing-like-it')).body).toEqual([]);
    for (const category of ['', 'Not%20A%20Slug', 'a'.repeat(61), `${one}&category=${other}`]) {
      const refused = await cast.outsider.get(`/v1/mcp/listings?category=${category}`, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'category'] }] });
    }
  });

  it('contains every row exactly once over its pages while others are published', async () => {
    const category = unique('category');
    const listingIds: string[] = [];
    for (let n = 0; n < 11; n++) listingIds.unshift(await newListing({ category }));
    const path = `/v1/mcp/listings?limit=4&category=${category}` as const;
    const rows = await allPages(cast.outsider, path, () => newListing({ category }));
    expect(idsOf(rows)).toEqual(listingIds);
  });

  it('accepts a limit from 1 to 100', async () => {
    for (const [limit, type] of [
      ['0', 'greater_than_equal'],
      ['101', 'less_than_equal'],
      ['ten', 'int_parsing'],
      ['1.5', 'int_parsing'],
    ]) {
      const refused = await cast.outsider.get(`/v1/mcp/listings?limit=${limit}`, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'limit'], type }] });
    }
    expect((await cast.outsider.get('/v1/mcp/listings?limit=1')).body).toHaveLength(1);
  });
});

describe('The highlights', () => {
  const highlights = async (api: Api) => (await api.get('/v1/mcp/listings/highlights')).body;

  it('are the newest public listings, and the newest published ones of the organisations of the caller', async () => {
    const { orgId, owner, member, outsider } = await createCast(test);
    const expected: string[] = [];
    for (const visibility of ['PUBLIC', 'PRIVATE', 'PRIVATE']) {
      for (const status of ['DRAFT', 'ARCHIVED']) await newListing({ orgId, status, visibility });
      expected.unshift(await newListing({ orgId, visibility }));
    }
    for (const api of [owner, member]) {
      expect(idsOf((await highlights(api)).of_my_organisations)).toEqual(expected);
    }
    const newest: string[] = [];
    for (let n = 0; n < 9; n++) newest.unshift(await newListing(n % 2 === 0 ? {} : { orgId }));
    expect(idsOf((await highlights(outsider)).newest)).toEqual(newest.slice(0, 8));
    expect((await highlights(outsider)).of_my_organisations).toEqual([]);
    expect((await highlights(member)).of_my_organisations).toHaveLength(7);
  });

  it('show at most eight listings of organisations, the newest of all of them', async () => {
    const [one, other] = [await createCast(test), await createCast(test)];
    await join(other.owner, other.orgId, one.member);
    const expected: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { orgId } = n % 3 === 0 ? other : one;
      expected.unshift(await newListing({ orgId, visibility: 'PRIVATE' }));
    }
    expect(idsOf((await highlights(one.member)).of_my_organisations)).toEqual(expected.slice(0, 8));
  });
});

describe('Reading a listing', () => {
  it('includes the server.json of the latest version', async () => {
    const id = await newListing();
    await test.dataSource.query(`UPDATE listing_versions SET is_latest = false WHERE listing_id = $1`, [id]);
    const server = {
      name: 'io.github.test/latest',
      description: 'Newer.',
      version: '2.0.0',
      _meta: { any: ['thing'] },
    };
    await test.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, '2.0.0', $2, true)`,
      [id, server],
    );
    const read = await cast.outsider.get(`/v1/mcp/listings/${id}`);
    expect(read.body).toMatchObject({ id, version: '2.0.0', server });
  });

  it('is open to everyone while it is published and public, otherwise to its people', async () => {
    const { orgId, owner, admin, member, outsider } = cast;
    const person = await test.as(unique('person'));
    const ownerId = await idOf(person);
    const ours = [owner, admin, member];
    const cases: { fields: object; readers: Api[] }[] = [
      { fields: { orgId }, readers: [...ours, outsider, person] },
      { fields: { orgId, visibility: 'PRIVATE' }, readers: ours },
      { fields: { orgId, status: 'DRAFT' }, readers: ours },
      { fields: { orgId, status: 'ARCHIVED' }, readers: ours },
      { fields: { ownerId }, readers: [...ours, outsider, person] },
      { fields: { ownerId, visibility: 'PRIVATE' }, readers: [person] },
      { fields: { ownerId, status: 'DRAFT' }, readers: [person] },
      { fields: { ownerId, status: 'ARCHIVED' }, readers: [person] },
      // Created by a user who has left the organisation.
      { fields: { orgId, ownerId, visibility: 'PRIVATE' }, readers: ours },
      // Owned by the platform itself.
      { fields: {}, readers: [...ours, outsider, person] },
      { fields: { status: 'ARCHIVED' }, readers: [] },
    ];
    for (const { fields, readers } of cases) {
      const id = await newListing(fields);
      for (const api of [...ours, outsider, person]) {
        const status = readers.includes(api) ? 200 : 404;
        const { body } = await api.get(`/v1/mcp/listings/${id}`, status);
        if (status === 404) expect(body).toEqual({ detail: `Listing ${id} was not found.`, code: 'listing_not_found' });
        else expect(body).toMatchObject({ id });
      }
    }
  });

  it('answers 404 for an unknown id, and 422 if it is not a UUID', async () => {
    const id = newId();
    const missing = await cast.owner.get(`/v1/mcp/listings/${id}`, 404);
    expect(missing.body).toEqual({ detail: `Listing ${id} was not found.`, code: 'listing_not_found' });
    const refused = await cast.owner.get('/v1/mcp/listings/io.github.acme%2Fweather', 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'listing_id'], type: 'uuid_parsing' }] });
  });
});
