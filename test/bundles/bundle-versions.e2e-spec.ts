import fc from 'fast-check';
import type { Api } from '../support/api';
import type { BundleEntry } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { allPages } from '../support/pages';
import type { Query } from '../support/typed-paths';

const NOTHING = { added: 0, removed: 0, moved: 0, enabled: 0, disabled: 0, reconfigured: 0, updated: 0 };

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const listed = async (api: Api, bundleId: string) =>
  (await api.get(`/v1/bundles/${bundleId}/entries?limit=100`)).body.map(
    ({ created_at: _, updated_at: __, ...entry }) => entry,
  );
const version = async (api: Api, bundleId: string, number: number) =>
  (await api.get(`/v1/bundles/${bundleId}/versions/${number}`)).body;
const compare = async (api: Api, bundleId: string, number: number, query: Query = '') =>
  (await api.get(`/v1/bundles/${bundleId}/versions/${number}/compare${query}`)).body;
const restore = async (api: Api, bundleId: string, number: number) =>
  (await api.post(`/v1/bundles/${bundleId}/versions/${number}/restore`, undefined, 200)).body;
const add = async (api: Api, bundleId: string, body: object = {}) =>
  (await api.post(`/v1/bundles/${bundleId}/entries`, { listing_id: await newListing(), ...body })).body;

describe('The versions of a bundle', () => {
  it('begin with an empty one, followed by one for each change of the entries', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    const entries = `/v1/bundles/${id}/entries` as const;
    const [a, b] = [await add(cast.member, id), await add(cast.admin, id)];
    await cast.member.patch(`${entries}/${a.id}`, { position: 1 });
    await cast.member.patch(`${entries}/${a.id}`, { is_enabled: false, config: { x: 1 } });
    await cast.member.patch(`${entries}/${a.id}`, { is_enabled: true });
    await cast.member.patch(entries, { remove: [b.id], add: [{ listing_id: await newListing() }] });
    await cast.member.delete(`${entries}/${a.id}`);
    // Not a change of the entries, so not a version.
    await cast.member.patch(`/v1/bundles/${id}`, { name: 'Renamed', visibility: 'PUBLIC' });
    await restore(cast.owner, id, 2);
    const rows = await allPages(cast.member, `/v1/bundles/${id}/versions?limit=4`);
    expect(rows.map(({ number, action, changes, entry_count }) => [number, action, changes, entry_count])).toEqual([
      [9, 'RESTORED', { ...NOTHING, added: 1, removed: 1 }, 1],
      [8, 'ENTRY_REMOVED', { ...NOTHING, removed: 1 }, 1],
      [7, 'ENTRIES_CHANGED', { ...NOTHING, added: 1, removed: 1 }, 2],
      [6, 'ENTRY_CHANGED', { ...NOTHING, enabled: 1 }, 2],
      [5, 'ENTRY_CHANGED', { ...NOTHING, disabled: 1, reconfigured: 1 }, 2],
      [4, 'ENTRY_CHANGED', { ...NOTHING, moved: 1 }, 2],
      [3, 'ENTRY_ADDED', { ...NOTHING, added: 1 }, 2],
      [2, 'ENTRY_ADDED', { ...NOTHING, added: 1 }, 1],
      [1, 'CREATED', NOTHING, 0],
    ]);
    expect(rows.map(({ restored_from }) => restored_from)).toEqual([2, ...Array<null>(8).fill(null)]);
    const [member, admin, owner] = [await idOf(cast.member), await idOf(cast.admin), await idOf(cast.owner)];
    expect(rows.map(({ made_by }) => made_by)).toEqual([
      owner,
      member,
      member,
      member,
      member,
      member,
      admin,
      member,
      member,
    ]);
    expect((await cast.member.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 9, entry_count: 1 });
  });

  it('say why they were made, if that was said, and are not made on another version than the one looked at', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    const entries = `/v1/bundles/${id}/entries` as const;
    const places = [{ listing_id: await newListing() }];
    await cast.member.put(entries, { entries: places, note: '  Maths first.  ' }, 200);
    await cast.member.patch(entries, { add: [{ listing_id: await newListing() }], note: ' ' });
    const again = `/v1/bundles/${id}/versions/1/restore` as const;
    await cast.owner.post(again, { base_version: 2 }, 409);
    await cast.owner.post(again, { base_version: 3, note: 'All of it was wrong.' }, 200);
    await cast.owner.post(again, { note: 'a'.repeat(501) }, 422);
    const { body: versions } = await cast.member.get(`/v1/bundles/${id}/versions`);
    expect(versions.map(({ note }) => note)).toEqual(['All of it was wrong.', null, 'Maths first.', null]);
  });

  it('keep the entries as they were, whatever happens to the bundle and the listings', async () => {
    const { id } = await createBundle(cast.owner);
    const kept = await add(cast.owner, id, { config: { region: 'eu' }, is_enabled: false });
    const gone = await add(cast.owner, id);
    const before = await listed(cast.owner, id);
    const snapshot = await version(cast.owner, id, 3);
    expect(snapshot.entries).toEqual(before);
    await cast.owner.put(
      `/v1/bundles/${id}/entries`,
      { entries: [{ id: kept.id, config: {}, is_enabled: true }] },
      200,
    );
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [kept.listing_id]);
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [gone.listing_id]);
    const [first, second] = before;
    expect((await version(cast.owner, id, 3)).entries).toEqual([
      { ...first, is_available: false },
      { ...second, listing_title: null, is_available: false },
    ]);
  });

  it('are found by number; other numbers are not found', async () => {
    const { id } = await createBundle(cast.owner);
    for (const number of [2, 999_999_999_999]) {
      for (const path of [`${number}`, `${number}/compare`, `1/compare?with=${number}`]) {
        const refused = await cast.owner.get(`/v1/bundles/${id}/versions/${path}`, 404);
        expect(refused.body).toEqual({
          detail: `Bundle version ${number} was not found.`,
          code: 'bundle_version_not_found',
        });
      }
      await cast.owner.post(`/v1/bundles/${id}/versions/${number}/restore`, undefined, 404);
    }
    for (const [number, type] of [
      ['0', 'greater_than_equal'],
      ['latest', 'int_parsing'],
      ['1.5', 'int_parsing'],
    ]) {
      const refused = await cast.owner.get(`/v1/bundles/${id}/versions/${number}`, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'number'], type }] });
    }
  });

  it('hide a private listing from those who cannot see it', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const listing_id = await newListing({ visibility: 'PRIVATE', orgId: cast.orgId });
    const hidden = await add(cast.owner, id, { listing_id });
    const shown = await add(cast.owner, id);
    await cast.owner.delete(`/v1/bundles/${id}/entries/${hidden.id}`);
    for (const path of ['3', '3/compare', '2/compare?with=3', '4/compare?with=1']) {
      const { text } = await cast.outsider.get(`/v1/bundles/${id}/versions/${path}`);
      for (const secret of [hidden.id, listing_id, hidden.listing_name]) expect(text).not.toContain(secret);
    }
    expect((await version(cast.outsider, id, 3)).entries.map((entry) => entry.id)).toEqual([shown.id]);
    expect((await version(cast.member, id, 3)).entries.map((entry) => entry.id)).toEqual([hidden.id, shown.id]);
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [listing_id]);
    expect((await version(cast.outsider, id, 3)).entries).toHaveLength(1);
    expect((await version(cast.member, id, 3)).entries[0]).toMatchObject({ is_available: false });
  });
});

describe('Comparing two versions of a bundle', () => {
  it('shows what was added, removed, moved, enabled, disabled and reconfigured, in both directions', async () => {
    const { id } = await createBundle(cast.owner);
    const entries: BundleEntry[] = [];
    for (let n = 0; n < 4; n++) entries.push(await add(cast.owner, id, { is_enabled: n !== 1 }));
    const [a, b, c, d] = entries;
    const fresh = await newListing();
    const body = {
      entries: [{ id: d?.id }, { id: a?.id, config: { x: 1 } }, { id: b?.id, is_enabled: true }, { listing_id: fresh }],
    };
    await cast.owner.put(`/v1/bundles/${id}/entries`, body, 200);
    const forth = await compare(cast.owner, id, 5);
    expect([forth.from, forth.to]).toEqual([5, 6]);
    expect(forth.added).toMatchObject([{ listing_id: fresh, position: 3 }]);
    expect(forth.removed).toMatchObject([{ id: c?.id, position: 2 }]);
    expect(forth.moved).toMatchObject([{ before: { id: d?.id, position: 3 }, after: { id: d?.id, position: 0 } }]);
    expect(forth.enabled).toMatchObject([{ after: { id: b?.id } }]);
    expect(forth.disabled).toEqual([]);
    expect(forth.reconfigured).toMatchObject([{ before: { id: a?.id, config: {} }, after: { config: { x: 1 } } }]);
    const back = await compare(cast.owner, id, 6, '?with=5');
    expect([back.from, back.to]).toEqual([6, 5]);
    expect([back.added, back.removed]).toEqual([forth.removed, forth.added]);
    expect(back.disabled).toMatchObject([{ after: { id: b?.id } }]);
    expect(Object.values(await compare(cast.owner, id, 6)).flat()).toEqual([6, 6, null, null]);
  });

  it('treats a listing that was removed and added again as the same', async () => {
    const { id } = await createBundle(cast.owner);
    const entry = await add(cast.owner, id);
    await cast.owner.delete(`/v1/bundles/${id}/entries/${entry.id}`);
    const again = await add(cast.owner, id, { listing_id: entry.listing_id, config: { x: 1 } });
    expect(again.id).not.toBe(entry.id);
    const compared = await compare(cast.owner, id, 2, '?with=4');
    expect([compared.added, compared.removed]).toEqual([[], []]);
    expect(compared.reconfigured).toMatchObject([{ before: { id: entry.id }, after: { id: again.id } }]);
  });
});

describe('Restoring a version of a bundle', () => {
  it('puts its entries back, as one more version, and emits events', async () => {
    const { id } = await createBundle(cast.owner);
    const [a, b] = [await add(cast.owner, id), await add(cast.owner, id, { config: { x: 1 } })];
    const before = await listed(cast.owner, id);
    const c = await newListing();
    await cast.owner.put(`/v1/bundles/${id}/entries`, { entries: [{ listing_id: c }, { id: b.id, config: {} }] }, 200);
    const restored = await restore(cast.owner, id, 3);
    expect(restored).toMatchObject({ number: 5, action: 'RESTORED', restored_from: 3, entry_count: 2 });
    expect(restored.entries).toEqual(before);
    expect(await listed(cast.owner, id)).toEqual(before);
    const events = await test.dataSource.query<{ type: string; data: Record<string, unknown> }[]>(
      `SELECT type, data FROM events WHERE data->>'bundle_id' = $1 AND (data->>'bundle_version')::int = 5 ORDER BY id`,
      [id],
    );
    expect(events.map(({ type, data }) => [type, data.entry_id ?? data.changed])).toEqual([
      ['bundle.entry_removed', expect.any(String)],
      ['bundle.entry_added', a.id],
      ['bundle.updated', ['entries']],
    ]);
  });

  it('does nothing if nothing differs', async () => {
    const { id } = await createBundle(cast.owner);
    await add(cast.owner, id);
    expect(await restore(cast.owner, id, 2)).toMatchObject({ number: 2, action: 'ENTRY_ADDED' });
    expect((await cast.owner.get(`/v1/bundles/${id}`)).body).toMatchObject({ version: 2 });
  });

  it('restores an entry as unavailable if its listing was deleted or archived since', async () => {
    const { id } = await createBundle(cast.owner);
    const [gone, archived] = [await add(cast.owner, id), await add(cast.owner, id)];
    await cast.owner.put(`/v1/bundles/${id}/entries`, { entries: [] }, 200);
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [gone.listing_id]);
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [archived.listing_id]);
    const { entries } = await restore(cast.owner, id, 3);
    expect(entries).toMatchObject([
      { id: gone.id, listing_id: null, listing_name: gone.listing_name, is_available: false },
      { id: archived.id, listing_id: archived.listing_id, is_available: false },
    ]);
    const [event] = await test.dataSource.query<{ data: object }[]>(
      `SELECT data FROM events WHERE type = 'bundle.entry_added' AND data->>'bundle_id' = $1 AND data->'listing_id' = 'null'`,
      [id],
    );
    expect(event?.data).toMatchObject({ entry_id: gone.id, position: 0 });
  });

  it('keeps the current entry of a listing, and reuses no key that is taken', async () => {
    const { id } = await createBundle(cast.owner);
    const entry = await add(cast.owner, id, { config: { old: true } });
    await cast.owner.delete(`/v1/bundles/${id}/entries/${entry.id}`);
    const now = await add(cast.owner, id, { listing_id: entry.listing_id });
    const { entries } = await restore(cast.owner, id, 2);
    expect(entries).toMatchObject([{ id: now.id, key: now.key, config: { old: true } }]);
  });

  it('loses no entry that is added concurrently', async () => {
    const { id } = await createBundle(cast.owner);
    await add(cast.owner, id);
    await Promise.all([restore(cast.owner, id, 1), ...Array.from({ length: 5 }, () => add(cast.owner, id))]);
    const rows = await allPages(cast.owner, `/v1/bundles/${id}/versions`);
    expect(rows.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    // Each version is the one before with its change.
    const added = rows.reduce((sum, { changes }) => sum + (changes.added ?? 0) - (changes.removed ?? 0), 0);
    expect(added).toBe((await listed(cast.owner, id)).length);
  });

  it('can bring back every earlier state', async () => {
    const { id } = await createBundle(cast.owner);
    const path = `/v1/bundles/${id}/entries` as const;
    const listings = await Promise.all(Array.from({ length: 5 }, () => newListing()));
    const states = [await listed(cast.owner, id)];
    const place = fc.record({
      n: fc.nat({ max: 4 }),
      is_enabled: fc.boolean(),
      config: fc.record({ x: fc.nat({ max: 1 }) }),
    });
    const states_ = fc.uniqueArray(place, { selector: ({ n }) => n, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(states_, fc.nat(), async (places, pick) => {
        const entries = places.map(({ n, ...settings }) => ({ listing_id: listings[n], ...settings }));
        const { version: number } = (await cast.owner.put(path, { entries }, 200)).body;
        states[number - 1] = await listed(cast.owner, id);
        const wanted = (pick % number) + 1;
        const restored = await restore(cast.owner, id, wanted);
        const same = ({ id: _, key: __, ...entry }: Awaited<ReturnType<typeof listed>>[number]) => entry;
        expect(restored.entries.map(same)).toEqual(states[wanted - 1]?.map(same));
        states[restored.number - 1] = await listed(cast.owner, id);
        for (const earlier of [1, wanted, number]) {
          expect((await version(cast.owner, id, earlier)).entries).toEqual(states[earlier - 1]);
        }
      }),
      { numRuns: 40 },
    );
  });
});
