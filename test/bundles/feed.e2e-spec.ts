import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast, createListing, idOf, join, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { statementsOf } from '../support/statements';

const FEED = '/v1/users/me/feed';
const NOTHING = { count: 0, names: [] };

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  cast = await createCast(test);
});

afterAll(() => test.close());

const feedOf = async (api: Api) => (await api.get(FEED)).body;
const listingNamed = async (fields: Parameters<typeof createListing>[1] = {}) => {
  const id = await createListing(test.dataSource, fields);
  const [row] = await test.dataSource.query<{ name: string }[]>(`SELECT name FROM listings WHERE id = $1`, [id]);
  return { id, name: String(row?.name) };
};
const add = async (bundleId: string, listingId: string, by = cast.owner) =>
  (await by.post(`/v1/bundles/${bundleId}/entries`, { listing_id: listingId })).body.id;
const follow = (api: Api, bundleId: string) => api.put(`/v1/bundles/${bundleId}/follow`);
/** A bundle of the organisation that the member follows. */
async function followed(fields = {}) {
  const bundle = await createBundle(cast.owner, { org_id: cast.orgId, ...fields });
  await follow(cast.member, bundle.id);
  return bundle;
}

describe('The feed', () => {
  it('has each version of a bundle that the caller follows, with who made it and what it changed', async () => {
    const { id, name } = await followed();
    const [first, second] = [await listingNamed(), await listingNamed()];
    const entry = await add(id, first.id);
    await add(id, second.id);
    await cast.owner.patch(`/v1/bundles/${id}/entries/${entry}`, { is_enabled: false });
    await cast.owner.delete(`/v1/bundles/${id}/entries/${entry}`);
    const actor = { user_id: await idOf(cast.owner), name: null };
    const common = { bundle: { id, name }, actor, restored_from: null, note: null, moved: 0 };
    const none = { added: NOTHING, removed: NOTHING, changed: NOTHING };
    const occurred_at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    const item = (version: number, type: string, changes: object) => {
      return { ...common, ...none, id: `${id}:${version}`, version, type, occurred_at, ...changes };
    };
    expect(await feedOf(cast.member)).toEqual([
      item(5, 'ENTRY_REMOVED', { removed: { count: 1, names: [first.name] } }),
      item(4, 'ENTRY_CHANGED', { changed: { count: 1, names: [first.name] } }),
      item(3, 'ENTRY_ADDED', { added: { count: 1, names: [second.name] } }),
      item(2, 'ENTRY_ADDED', { added: { count: 1, names: [first.name] } }),
      item(1, 'CREATED', {}),
    ]);
    expect(await feedOf(cast.admin)).toEqual([]);
  });

  it('names at most five listings of many, and counts all', async () => {
    const { id } = await followed();
    const listings = [];
    for (let n = 0; n < 7; n++) listings.push(await listingNamed());
    await cast.owner.patch(`/v1/bundles/${id}/entries`, { add: listings.map((one) => ({ listing_id: one.id })) });
    const [newest] = await feedOf(cast.member);
    const names = listings.map(({ name }) => name);
    expect(newest?.added).toEqual({ count: 7, names: names.sort().slice(0, 5) });
  });

  it('goes over the bundles in the order of time, in pages', async () => {
    const bundles = [await followed(), await followed(), await followed()];
    for (let n = 0; n < 3; n++) for (const { id } of bundles) await add(id, await createListing(test.dataSource));
    const whole = await feedOf(cast.member);
    expect(whole).toHaveLength(12);
    const times = whole.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual(times.toSorted().reverse());
    for (const limit of [1, 2, 5]) {
      expect(await allPages(cast.member, `/v1/users/me/feed?limit=${limit}`)).toEqual(whole);
    }
  });

  it('has every version once, also if all are of the same moment', async () => {
    const bundles = [await followed(), await followed()];
    for (let n = 0; n < 2; n++) for (const { id } of bundles) await add(id, await createListing(test.dataSource));
    await test.dataSource.query(
      `UPDATE bundle_versions SET created_at = '2026-11-20T08:30:00Z' WHERE bundle_id = ANY ($1)`,
      [bundles.map(({ id }) => id)],
    );
    const pages = await allPages(cast.member, '/v1/users/me/feed?limit=1');
    expect(new Set(pages.map(({ id }) => id)).size).toBe(6);
    expect(pages).toEqual(await feedOf(cast.member));
  });

  it('has no bundle that the caller may not see any more, or has stopped to follow', async () => {
    const leaver = await test.as(unique('leaver'));
    const userId = await join(cast.owner, cast.orgId, leaver);
    const [hidden, shown, former] = [await followed(), await followed({ visibility: 'PUBLIC' }), await followed()];
    for (const { id } of [hidden, shown, former]) await follow(leaver, id);
    await leaver.delete(`/v1/bundles/${former.id}/follow`);
    expect((await feedOf(leaver)).map(({ bundle }) => bundle.id)).toEqual([shown.id, hidden.id]);
    await leaver.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    expect((await feedOf(leaver)).map(({ bundle }) => bundle.id)).toEqual([shown.id]);
  });

  it('does not name people and listings that the caller may not know', async () => {
    await test.dataSource.query(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [await idOf(cast.owner)]);
    const { id } = await followed({ visibility: 'PUBLIC' });
    await follow(cast.outsider, id);
    const secret = await listingNamed({ visibility: 'PRIVATE', orgId: cast.orgId });
    const open = await listingNamed();
    await cast.owner.patch(`/v1/bundles/${id}/entries`, { add: [{ listing_id: secret.id }, { listing_id: open.id }] });
    const [outside] = await feedOf(cast.outsider);
    expect(outside).toMatchObject({ added: { count: 2, names: [open.name] }, actor: { name: null } });
    const [inside] = await feedOf(cast.member);
    expect(inside?.added.names.toSorted()).toEqual([secret.name, open.name].toSorted());
    expect(inside?.actor?.name).toBe('Grace Hopper');
  });

  it('takes as many statements for many bundles as for one', async () => {
    const { id } = await followed();
    await add(id, await createListing(test.dataSource));
    const few = await statementsOf(test, () => feedOf(cast.member));
    for (let n = 0; n < 4; n++) await add((await followed()).id, await createListing(test.dataSource));
    const many = await statementsOf(test, () => feedOf(cast.member));
    expect(many.map(({ sql }) => sql)).toEqual(few.map(({ sql }) => sql));
  });
});
