import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing, idOf } from '../support/factories';
import { faultsOf } from '../support/faults';
import { statementsOf } from '../support/statements';

interface BundleEvent {
  type: string;
  data: Record<string, unknown>;
}

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const newListings = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await newListing());
  return ids;
};
const entriesOf = async (api: Api, bundleId: string) =>
  (await api.get(`/v1/bundles/${bundleId}/entries?limit=100`)).body;
const versionOf = async (api: Api, bundleId: string) => (await api.get(`/v1/bundles/${bundleId}`)).body;

/** A bundle with that many entries, and its events from then on. */
async function filled(count: number, api = cast.owner, fields = {}) {
  const { id } = await createBundle(api, fields);
  const listings = await newListings(count);
  const path = `/v1/bundles/${id}/entries` as const;
  const replaced = (await api.put(path, { entries: listings.map((listing_id) => ({ listing_id })) }, 200)).body;
  const { rows } = { rows: await eventsOf(id) };
  return {
    id,
    path,
    listings,
    entries: replaced.entries,
    newEvents: async () => (await eventsOf(id)).slice(rows.length),
  };
}

const eventsOf = (bundleId: string) =>
  test.dataSource.query<BundleEvent[]>(`SELECT type, data FROM events WHERE data->>'bundle_id' = $1 ORDER BY id`, [
    bundleId,
  ]);
const typesOf = (events: BundleEvent[]) => events.map(({ type }) => type);

describe('Changing a bundle entry', () => {
  it('moves it, and shifts the entries in between by one', async () => {
    const { path, entries, id, newEvents } = await filled(4);
    const ids = entries.map((entry) => entry.id);
    const moved = (await cast.owner.patch(`${path}/${ids[0]}`, { position: 2 })).body;
    expect(moved).toMatchObject({ id: ids[0], position: 2 });
    expect((await entriesOf(cast.owner, id)).map((entry) => entry.id)).toEqual([ids[1], ids[2], ids[0], ids[3]]);
    expect((await entriesOf(cast.owner, id)).map(({ position }) => position)).toEqual([0, 1, 2, 3]);
    const [event, ...others] = await newEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'bundle.updated', data: { changed: ['entries'], bundle_version: 3 } });
  });

  it('enables, disables and configures it; absent and null fields keep their values', async () => {
    const { path, entries } = await filled(1);
    const [entry] = entries;
    const config = { env: { REGION: 'eu' } };
    const set = (await cast.owner.patch(`${path}/${entry?.id}`, { is_enabled: false, config })).body;
    expect(set).toEqual({ ...entry, is_enabled: false, config, updated_at: set.updated_at });
    const body = { is_enabled: null, config: null, position: null };
    expect((await cast.owner.patch(`${path}/${entry?.id}`, body)).body).toEqual(set);
    expect((await cast.owner.patch(`${path}/${entry?.id}`, { config: {} })).body).toMatchObject({ config: {} });
  });

  it('creates no version, writes nothing and emits nothing if nothing changes', async () => {
    const { id, path, entries, newEvents } = await filled(2);
    const before = await entriesOf(cast.owner, id);
    const [first] = entries;
    for (const body of [{}, { position: 0 }, { is_enabled: true, config: {} }]) {
      const statements = await statementsOf(test, () => cast.owner.patch(`${path}/${first?.id}`, body));
      expect(statements.filter(({ sql }) => /^\s*(INSERT|UPDATE|DELETE)/.test(sql))).toEqual([]);
    }
    await cast.owner.put(path, { entries: entries.map((entry) => ({ id: entry.id })) }, 200);
    await cast.owner.patch(path, {});
    expect(await entriesOf(cast.owner, id)).toEqual(before);
    expect(await versionOf(cast.owner, id)).toMatchObject({ version: 2 });
    expect(await newEvents()).toEqual([]);
  });

  it('rejects a position past the end, and does not find an entry of another bundle', async () => {
    const { path, entries } = await filled(2);
    const other = await filled(1);
    const refused = await cast.owner.patch(`${path}/${entries[0]?.id}`, { position: 2 }, 422);
    expect(refused.body).toEqual({
      detail: [{ loc: ['body', 'position'], msg: 'Must be at most 1.', type: 'less_than_equal' }],
    });
    for (const id of [newId(), other.entries[0]?.id]) {
      const missing = { detail: `Bundle entry ${id} was not found.`, code: 'bundle_entry_not_found' };
      expect((await cast.owner.get(`${path}/${id}`, 404)).body).toEqual(missing);
      expect((await cast.owner.patch(`${path}/${id}`, { position: 0 }, 404)).body).toEqual(missing);
      expect((await cast.owner.delete(`${path}/${id}`, 404)).body).toEqual(missing);
    }
  });
});

describe('Removing a bundle entry', () => {
  it('closes the gap, emits an event, and is not found the second time', async () => {
    const { id, path, entries, newEvents } = await filled(3);
    const [first, second, third] = entries;
    await cast.owner.delete(`${path}/${second?.id?.toUpperCase()}`);
    expect((await entriesOf(cast.owner, id)).map((entry) => [entry.id, entry.position])).toEqual([
      [first?.id, 0],
      [third?.id, 1],
    ]);
    expect(await newEvents()).toEqual([
      {
        type: 'bundle.entry_removed',
        data: {
          bundle_id: id,
          entry_id: second?.id,
          listing_id: second?.listing_id,
          listing_name: second?.listing_name,
          bundle_version: 3,
          org_id: null,
        },
      },
    ]);
    expect(await versionOf(cast.owner, id)).toMatchObject({ version: 3, entry_count: 2 });
    await cast.owner.delete(`${path}/${second?.id}`, 404);
  });

  it('works even if its listing was archived or deleted, as do all other changes', async () => {
    const { id, path, entries, listings } = await filled(3);
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [listings[0]]);
    await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [listings[1]]);
    const [archived, deleted] = entries;
    for (const entry of [archived, deleted]) {
      await cast.owner.patch(`${path}/${entry?.id}`, { position: 2, is_enabled: false, config: { a: 1 } });
    }
    const rows = await entriesOf(cast.owner, id);
    expect(rows.map((row) => [row.id, row.is_available, row.listing_id])).toEqual([
      [entries[2]?.id, true, listings[2]],
      [archived?.id, false, listings[0]],
      [deleted?.id, false, null],
    ]);
    const body = { entries: [{ id: deleted?.id }, { listing_id: listings[0] }, { listing_id: await newListing() }] };
    const replaced = (await cast.owner.put(path, body, 200)).body;
    expect(replaced.entries.slice(0, 2).map((entry) => entry.id)).toEqual([deleted?.id, archived?.id]);
    for (const entry of replaced.entries) await cast.owner.delete(`${path}/${entry.id}`);
    expect(await entriesOf(cast.owner, id)).toEqual([]);
  });
});

describe('Replacing the entries of a bundle', () => {
  it('adds, removes, reorders, enables and configures them in one version', async () => {
    const { id, path, entries, listings, newEvents } = await filled(4, cast.member, { org_id: cast.orgId });
    const [a, b, c] = entries;
    const fresh = await newListing();
    const body = {
      entries: [
        { listing_id: listings[2], is_enabled: false },
        { id: a?.id, config: { a: 1 } },
        { listing_id: fresh, is_enabled: false, config: { fresh: true } },
        { id: b?.id },
      ],
      base_version: 2,
    };
    const replaced = (await cast.admin.put(path, body, 200)).body;
    expect(replaced.version).toBe(3);
    expect(replaced.entries).toMatchObject([
      { id: c?.id, position: 0, is_enabled: false },
      { id: a?.id, position: 1, config: { a: 1 } },
      { listing_id: fresh, position: 2, is_enabled: false, config: { fresh: true } },
      { id: b?.id, position: 3, is_enabled: true, config: {} },
    ]);
    expect(await entriesOf(cast.member, id)).toEqual(replaced.entries);
    const events = await newEvents();
    expect(typesOf(events)).toEqual(['bundle.entry_removed', 'bundle.entry_added', 'bundle.updated']);
    expect(events.map(({ data }) => data.bundle_version)).toEqual([3, 3, 3]);
    expect(events[1]?.data).toMatchObject({ listing_id: fresh, position: 2 });
    expect(await versionOf(cast.member, id)).toMatchObject({ version: 3, entry_count: 4 });
  });

  it('is refused if based on an outdated version, and changes nothing', async () => {
    const { id, path, entries } = await filled(2);
    await cast.owner.patch(`${path}/${entries[0]?.id}`, { position: 1 });
    const refused = await cast.owner.put(path, { entries: [], base_version: 2 }, 409);
    expect(refused.body).toEqual({
      detail: 'The bundle is now at version 3, not at 2. Read it again.',
      code: 'bundle_conflict',
    });
    await cast.owner.patch(path, { remove: [entries[0]?.id], base_version: 1 }, 409);
    expect(await entriesOf(cast.owner, id)).toHaveLength(2);
    await cast.owner.put(path, { entries: [], base_version: 3 }, 200);
  });

  it('applies all changes or none', async () => {
    const { id, path, entries, newEvents } = await filled(2);
    const before = await entriesOf(cast.owner, id);
    const missing = newId();
    const unseen = await newListing({ visibility: 'PRIVATE', ownerId: await idOf(cast.outsider) });
    for (const listing_id of [missing, unseen]) {
      const body = { entries: [{ listing_id: await newListing() }, { listing_id }] };
      expect((await cast.owner.put(path, body, 404)).body).toMatchObject({ code: 'listing_not_found' });
    }
    const absent = await cast.owner.put(path, { entries: [{ id: missing }] }, 404);
    expect(absent.body).toMatchObject({ code: 'bundle_entry_not_found' });
    const twice = { entries: [{ id: entries[0]?.id }, {}, { listing_id: entries[0]?.listing_id }] };
    expect(faultsOf(await cast.owner.put(path, twice, 422))).toEqual([
      'body.entries.1 missing',
      'body.entries.2 value_error',
    ]);
    const changes = { remove: [entries[0]?.id], update: [{ id: entries[1]?.id, position: 1 }] };
    expect(faultsOf(await cast.owner.patch(path, changes, 422))).toEqual(['body.update.0.position less_than_equal']);
    expect(await entriesOf(cast.owner, id)).toEqual(before);
    expect(await newEvents()).toEqual([]);
  });

  it('accepts at most 500 entries; a full bundle accepts no more', async () => {
    const { id, path } = await filled(0);
    const tooMany = Array.from({ length: 501 }, () => ({ listing_id: newId() }));
    expect(faultsOf(await cast.owner.put(path, { entries: tooMany }, 422))).toEqual(['body.entries value_error']);
    const category = await test.dataSource.query<{ id: number }[]>(`SELECT id FROM categories LIMIT 1`);
    await test.dataSource.query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility)
       SELECT uuid_v7(), 'many/l' || n, 'l' || n, 'l', 'l', $1, 'PUBLISHED', 'PUBLIC' FROM generate_series(1, 501) AS n`,
      [category[0]?.id],
    );
    await test.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest)
       SELECT id, '1.0.0', '{}', true FROM listings WHERE name LIKE 'many/%'`,
    );
    const rows = await test.dataSource.query<{ id: string }[]>(
      `SELECT id FROM listings WHERE name LIKE 'many/%' ORDER BY id`,
    );
    const [last, ...all] = rows.map((row) => ({ listing_id: row.id }));
    const statements = await statementsOf(test, () => cast.owner.put(path, { entries: all }, 200));
    // The same for 500 as for one: lock, find, read entries and listings, write entries, version and bundle, find hidden
    // listings, write events, read entries.
    expect(statements.map(({ sql }) => sql.trim().split(/\s/)[0])).toEqual([
      'START',
      'SELECT',
      'SELECT',
      'SELECT',
      'SELECT',
      'INSERT',
      'INSERT',
      'UPDATE',
      'SELECT',
      'INSERT',
      'SELECT',
      'COMMIT',
    ]);
    expect(await versionOf(cast.owner, id)).toMatchObject({ version: 2, entry_count: 500 });
    const refused = await cast.owner.post(path, last, 409);
    expect(refused.body).toEqual({ detail: 'A bundle can have at most 500 entries.', code: 'bundle_entry_conflict' });
  });
});

describe('The configurations of all entries of a bundle', () => {
  it('have a total size limit, beyond which none can grow but all other changes work', async () => {
    const { path, entries, id } = await filled(33);
    const config = { note: 'x'.repeat(16_000) };
    const all = entries.map((entry) => ({ id: entry.id, config }));
    const refusals = [
      await cast.owner.put(path, { entries: all }, 422),
      await cast.owner.patch(path, { update: all }, 422),
    ];
    await cast.owner.put(path, { entries: [...all.slice(1), { id: entries[0]?.id }] }, 200);
    refusals.push(await cast.owner.patch(`${path}/${entries[0]?.id}`, { config }, 422));
    refusals.push(await cast.owner.post(path, { listing_id: await newListing(), config }, 422));
    for (const refusal of refusals) expect(faultsOf(refusal)).toEqual(['body value_error']);
    expect(await versionOf(cast.owner, id)).toMatchObject({ version: 3, entry_count: 33 });
    // A bundle from before the limit may exceed it.
    await test.dataSource.query(`UPDATE bundle_entries SET config = $2 WHERE bundle_id = $1`, [id, config]);
    await cast.owner.patch(`${path}/${entries[0]?.id}`, { position: 3, is_enabled: false });
    await cast.owner.patch(`${path}/${entries[1]?.id}`, { config: { note: 'x'.repeat(15_000) } });
    await cast.owner.post(path, { listing_id: await newListing() });
  });
});

describe('Changing several entries of a bundle', () => {
  it('removes, changes and adds, in this order, in one version', async () => {
    const { path, entries, listings, newEvents } = await filled(4);
    const [a, b, c, d] = entries;
    const fresh = await newListing();
    const body = {
      remove: [String(b?.id)],
      update: [
        { id: String(d?.id), position: 0 },
        { id: String(a?.id), position: 2, is_enabled: false },
      ],
      // The first is inserted at its position before the second.
      add: [
        { listing_id: fresh, position: 0 },
        { listing_id: String(listings[1]), config: { again: true } },
      ],
      base_version: 2,
    };
    const changed = (await cast.owner.patch(path, body)).body;
    expect(changed.version).toBe(3);
    expect(changed.entries.map((entry) => entry.listing_id)).toEqual([
      fresh,
      listings[3],
      listings[2],
      listings[0],
      listings[1],
    ]);
    // An entry that is removed and added again stays the same one, with its new position and settings.
    expect(changed.entries[4]).toMatchObject({ id: b?.id, key: b?.key, config: { again: true } });
    expect(changed.entries[3]).toMatchObject({ id: a?.id, is_enabled: false });
    expect(c?.id).toBe(changed.entries[2]?.id);
    expect(typesOf(await newEvents())).toEqual(['bundle.entry_added', 'bundle.updated']);
  });

  it('refuses a listing that is already in the bundle or is sent twice', async () => {
    const { path, listings } = await filled(1);
    for (const ids of [[listings[0]], Array<string>(2).fill(await newListing())]) {
      const refused = await cast.owner.patch(path, { add: ids.map((listing_id) => ({ listing_id })) }, 409);
      expect(refused.body).toMatchObject({ code: 'bundle_entry_conflict' });
    }
  });

  it('loses none of many concurrent changes', async () => {
    const { id, path } = await filled(0);
    const listings = await newListings(12);
    await Promise.all(
      listings.map((listing_id, n) =>
        n % 2 ? cast.owner.post(path, { listing_id, position: 0 }) : cast.owner.patch(path, { add: [{ listing_id }] }),
      ),
    );
    const entries = await entriesOf(cast.owner, id);
    expect(entries.map(({ position }) => position)).toEqual(listings.map((_, n) => n));
    expect(new Set(entries.map((entry) => entry.listing_id))).toEqual(new Set(listings));
    expect(new Set(entries.map((entry) => entry.key)).size).toBe(12);
    expect(await versionOf(cast.owner, id)).toMatchObject({ version: 13, entry_count: 12 });
  });
});
