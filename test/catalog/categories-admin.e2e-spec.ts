import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createListing, unique } from '../support/factories';

let test: TestApp;
let chief: Api;
let reader: Api;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  chief = await test.as('chief');
  reader = await test.as('reader');
});

afterAll(() => test.close());

const create = async (fields: object = {}) =>
  (await chief.post('/v1/mcp/categories', { name: unique('Category'), ...fields })).body;
const slugs = async () => (await reader.get('/v1/mcp/categories')).body.map(({ slug }) => slug);

describe('Platform administrators', () => {
  it('create categories, by default at the end and with a slug derived from the name', async () => {
    const first = await create({ name: 'Maps & places' });
    expect(first).toEqual({
      id: expect.any(Number) as number,
      name: 'Maps & places',
      slug: 'maps-places',
      description: '',
      icon: 'box',
      mcp_count: 0,
      display_order: expect.any(Number) as number,
      updated_at: expect.any(String) as string,
    });
    const second = await create();
    expect(second.display_order).toBeGreaterThan(first.display_order);
    const before = await create({ slug: 'before-all', display_order: 0, icon: 'map', description: 'First of all.' });
    expect(before).toMatchObject({ slug: 'before-all', display_order: 0, icon: 'map', description: 'First of all.' });
    expect((await slugs()).filter((slug) => [first.slug, second.slug, before.slug].includes(slug))).toEqual([
      'before-all',
      first.slug,
      second.slug,
    ]);
    expect((await chief.post('/v1/mcp/categories', { name: 'Other', slug: first.slug }, 409)).body).toMatchObject({
      code: 'category_conflict',
    });
    await chief.post('/v1/mcp/categories', { name: '天' }, 422);
  });

  it('change categories; absent and null fields keep their values, and the list shows it at once', async () => {
    const { id, slug } = await create({ description: 'As it was.' });
    const changed = await chief.patch(`/v1/mcp/categories/${id}`, { name: 'Renamed', slug: null });
    expect(changed.body).toMatchObject({ id, name: 'Renamed', slug, description: 'As it was.' });
    const listed = (await reader.get('/v1/mcp/categories')).body;
    expect(listed.find((one) => one.id === id)?.name).toBe('Renamed');
    await chief.patch('/v1/mcp/categories/2147483647', { name: 'Nothing' }, 404);
  });

  it('delete categories without listings, and move listings to make that possible', async () => {
    const from = await create();
    const to = await create();
    const listings = await Promise.all(
      ['PUBLISHED', 'DRAFT', 'ARCHIVED'].map((status) =>
        createListing(test.dataSource, { category: from.slug, status }),
      ),
    );
    expect((await chief.delete(`/v1/mcp/categories/${from.id}`, 409)).body).toMatchObject({
      code: 'category_conflict',
      detail: expect.stringContaining('3 listings') as string,
    });
    await chief.post(`/v1/mcp/categories/${from.id}/move-listings`, { to: from.slug }, 422);
    await chief.post(`/v1/mcp/categories/${from.id}/move-listings`, { to: 'nowhere' }, 422);
    const moved = await chief.post(`/v1/mcp/categories/${from.id}/move-listings`, { to: to.slug }, 200);
    expect(moved.body).toMatchObject({ moved: 3 });
    const events = await test.dataSource.query<{ id: string }[]>(
      `SELECT data ->> 'listing_id' AS id FROM events WHERE type = 'listing.updated' AND data -> 'changed' = '["category"]'`,
    );
    expect(events.map(({ id }) => id).sort()).toEqual([...listings].sort());
    await chief.delete(`/v1/mcp/categories/${from.id}`);
    await chief.delete(`/v1/mcp/categories/${from.id}`, 404);
    expect(await slugs()).not.toContain(from.slug);
  });

  it('see what would be moved before anything is, and nothing of what only its owner sees', async () => {
    const from = await create();
    const to = await create();
    const path = `/v1/mcp/categories/${from.id}/move-listings`;
    const [seen] = await Promise.all([
      createListing(test.dataSource, { category: from.slug, status: 'PUBLISHED' }),
      createListing(test.dataSource, { category: from.slug, status: 'DRAFT' }),
      createListing(test.dataSource, { category: from.slug, status: 'ARCHIVED', visibility: 'PRIVATE' }),
    ]);
    const { body: preview } = await chief.post(
      `/v1/mcp/categories/${from.id}/move-listings`,
      { to: to.slug, preview: true },
      200,
    );
    expect(preview).toMatchObject({ moved: 3, published: 1, drafts: 1, archived: 1, unseen: 2, first: [{ id: seen }] });
    const overview = (await chief.get('/v1/mcp/categories/overview')).body;
    expect(overview.categories.find(({ id }) => id === from.id)).toMatchObject({ listings: 3, slug: from.slug });
    await createListing(test.dataSource, { category: from.slug });
    const late = await chief.post(path, { to: to.slug, expected: preview.moved, remove: true }, 409);
    expect(late.body).toMatchObject({
      code: 'category_conflict',
      detail: expect.stringContaining('4 listings') as string,
    });
    await chief.post(path, { to: to.slug, expected: 4, remove: true }, 200);
    expect(await slugs()).not.toContain(from.slug);
    const log = (await chief.get('/v1/audit-log?limit=2')).body;
    expect(log).toMatchObject([
      { action: 'category.deleted', details: { slug: from.slug } },
      { action: 'category.merged', details: { slug: from.slug, to: to.slug, moved: 4 } },
    ]);
  });

  it('reorder all categories at once, unless another administrator did so meanwhile', async () => {
    const last = await create();
    const former = (await chief.get('/v1/mcp/categories/overview')).body.categories.map(({ id }) => id);
    const order = [last.id, ...former.filter((id) => id !== last.id)];
    const after = await chief.put('/v1/mcp/categories/order', { order, former_order: former }, 200);
    expect(after.body.categories.map(({ id }) => id)).toEqual(order);
    expect((await slugs())[0]).toBe(last.slug);
    expect(
      (await chief.put('/v1/mcp/categories/order', { order: former, former_order: former }, 409)).body,
    ).toMatchObject({
      code: 'category_conflict',
    });
    for (const wrong of [order.slice(1), [...order.slice(1), order[1] ?? 0]]) {
      await chief.put('/v1/mcp/categories/order', { order: wrong, former_order: order }, 422);
    }
    expect((await chief.get('/v1/audit-log?limit=1')).body).toMatchObject([
      { action: 'category.reordered', details: { order } },
    ]);
  });

  it('hear what another administrator has changed meanwhile, and lose nothing of it', async () => {
    const { id, updated_at } = await create();
    await chief.patch(`/v1/mcp/categories/${id}`, { description: 'Theirs.', unchanged_since: updated_at });
    const late = { name: 'Ours', unchanged_since: updated_at };
    expect((await chief.patch(`/v1/mcp/categories/${id}`, late, 409)).body).toMatchObject({
      code: 'category_conflict',
    });
    const { categories, counted_at } = (await chief.get('/v1/mcp/categories/overview')).body;
    expect(categories.find((one) => one.id === id)?.description).toBe('Theirs.');
    expect(counted_at === null || Number.isFinite(Date.parse(counted_at))).toBe(true);
  });
});
