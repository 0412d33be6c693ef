import fc from 'fast-check';
import { newId } from '../../database/id';
import { ConflictError, NotFoundError, ValidationError } from '../../errors/errors';
import { compareEntries, isUnchanged } from './entry-changes';
import { addOne, listingsToRead, removeAll, replaceAll, updateOne } from './entry-edits';
import { type EntryListing, listingKey } from './entry-listings';
import { restoreEntries } from '../versions/restore';
import { type EntryList, type ListEntry, MAX_ENTRIES, type SnapshotEntry } from './entry-list';

const LISTINGS = Array.from({ length: 6 }, (_, n) => ({
  id: newId(),
  // Three of them want the same key.
  name: `io.github.acme${n}/${n % 2 ? 'weather' : `tool-${n}`}`,
  server: {},
  is_deleted: false,
  is_visible: true,
}));
/** Each listing has the newest version and 1.0.0, which is withdrawn for the last listing. */
const ALL = new Map<string, EntryListing>(
  LISTINGS.flatMap((listing, n) => [
    [listingKey(listing.id), listing],
    [listingKey(listing.id, '1.0.0'), { ...listing, is_deleted: n === 5 }],
    [listingKey(listing.id, '9.9.9'), { ...listing, server: null }],
  ]),
);
const idOf = (n: number): string => LISTINGS[n]?.id ?? '';
const add = (list: EntryList, n: number, fields: object = {}): EntryList =>
  addOne(list, list, ALL, { listing_id: idOf(n), pinning: 'WARN', ...fields }, ['body']).list;
const listOf = (...numbers: number[]): EntryList => numbers.reduce<EntryList>((list, n) => add(list, n), []);
const numbersOf = (list: EntryList) => list.map(({ listing_id }) => LISTINGS.findIndex(({ id }) => id === listing_id));
/** What a version of the bundle would record, if the newest version of each listing is 1.1.0. */
const snapshotOf = (list: EntryList): SnapshotEntry[] =>
  list.map((entry) => ({
    ...entry,
    listing_version: entry.version ?? '1.1.0',
    pinning: entry.pinning ?? undefined,
  }));
const placed = (list: EntryList) => list.map((entry, position) => ({ ...entry, position }));

function faultsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ValidationError) return error.faults.map(({ loc, type }) => `${loc.join('.')} ${type}`);
    throw error;
  }
  return [];
}

describe('Adding a bundle entry', () => {
  it('puts it at the end or at a position', () => {
    expect(numbersOf(add(listOf(0, 1), 2))).toEqual([0, 1, 2]);
    expect(numbersOf(add(listOf(0, 1), 2, { position: 0 }))).toEqual([2, 0, 1]);
    expect(numbersOf(add(listOf(0, 1), 2, { position: null }))).toEqual([0, 1, 2]);
    expect(faultsOf(() => add(listOf(0, 1), 2, { position: 3 }))).toEqual(['body.position less_than_equal']);
  });

  it('uses the settings sent, and defaults for the others', () => {
    expect(add([], 0)[0]).toMatchObject({ is_enabled: true, config: {} });
    const added = add([], 0, { is_enabled: false, config: { a: -0 } })[0];
    expect(added).toMatchObject({ is_enabled: false, config: { a: 0 } });
  });

  it('is refused for a listing already in the bundle, a hidden listing, or a full bundle', () => {
    expect(() => add(listOf(0), 0)).toThrow(ConflictError);
    expect(() => addOne([], [], new Map(), { listing_id: newId() }, [])).toThrow(NotFoundError);
    const hidden = new Map([[idOf(0), { ...(LISTINGS[0] as EntryListing), is_visible: false }]]);
    expect(() => addOne([], [], hidden, { listing_id: idOf(0) }, [])).toThrow(NotFoundError);
    const [entry] = listOf(1);
    const full = Array.from({ length: MAX_ENTRIES }, (_, n) => ({ ...entry, id: newId(), listing_id: `${n}` }));
    expect(() => add(full as EntryList, 0)).toThrow('A bundle can have at most 500 entries.');
  });

  it('restores an entry that was removed in the same change', () => {
    const former = listOf(1, 3);
    const left = removeAll(former, [former[0]?.id ?? '']);
    const again = addOne(left, former, ALL, { listing_id: idOf(1) }, []);
    expect(again.list[1]).toEqual(again.entry);
    expect(again.entry).toEqual(former[0]);
    // Nor does another entry get its key meanwhile.
    const { entry: other } = addOne(left, former, ALL, { listing_id: idOf(5) }, []);
    expect(former.map(({ key }) => key)).toEqual(['weather', 'acme3-weather']);
    expect(other.key).toBe('acme5-weather');
  });
});

describe('Changing a bundle entry', () => {
  it('moves it to the position where it then is', () => {
    const list = listOf(0, 1, 2, 3);
    const move = (n: number, position: number) =>
      numbersOf(updateOne(list, ALL, { id: list[n]?.id ?? '', position }, []));
    expect(move(0, 2)).toEqual([1, 2, 0, 3]);
    expect(move(3, 0)).toEqual([3, 0, 1, 2]);
    expect(move(2, 2)).toEqual([0, 1, 2, 3]);
    expect(faultsOf(() => move(0, 4))).toEqual(['position less_than_equal']);
  });

  it('keeps absent and null fields, accepts ids in capitals, and rejects unknown ids', () => {
    const list = listOf(0);
    const id = (list[0]?.id ?? '').toUpperCase();
    const set = updateOne(list, ALL, { id, config: { a: 1 }, is_enabled: false }, []);
    expect(set[0]).toMatchObject({ config: { a: 1 }, is_enabled: false });
    expect(updateOne(set, ALL, { id, config: null, is_enabled: null, position: null }, [])).toEqual(set);
    expect(() => updateOne(list, ALL, { id: newId() }, [])).toThrow(NotFoundError);
    expect(() => removeAll(list, [newId()])).toThrow(NotFoundError);
  });
});

describe('Replacing the bundle entries', () => {
  it('keeps entries named by id or listing, with their settings, and removes the others', () => {
    const list = add(listOf(0, 1), 2, { config: { kept: true }, is_enabled: false });
    const places = [
      { listing_id: idOf(2).toUpperCase() },
      { listing_id: idOf(3) },
      { id: list[0]?.id, config: { b: 1 } },
    ];
    const after = replaceAll(list, ALL, places);
    expect(numbersOf(after)).toEqual([2, 3, 0]);
    expect(after[0]).toEqual(list[2]);
    expect(after[1]).toMatchObject({ is_enabled: true, config: {} });
    expect(after[2]).toEqual({ ...list[0], config: { b: 1 } });
    expect(replaceAll(list, ALL, [])).toEqual([]);
  });

  it('needs no listing for an existing entry, even if the listing was deleted', () => {
    const list = listOf(0, 1).map((entry) => ({ ...entry, listing_id: null }));
    expect(replaceAll(list, new Map(), [{ id: list[1]?.id }, { id: list[0]?.id }])).toEqual([list[1], list[0]]);
    expect(() => replaceAll(list, new Map(), [{ listing_id: idOf(0) }])).toThrow(NotFoundError);
    expect(() => replaceAll(list, ALL, [{ id: newId() }])).toThrow(NotFoundError);
  });

  it('reports each entry that is named twice, in two ways or not at all', () => {
    const list = listOf(0, 1);
    const id = list[0]?.id;
    const places = [
      { id },
      { listing_id: idOf(0) },
      {},
      { id, listing_id: idOf(1) },
      { listing_id: idOf(2) },
      { listing_id: idOf(2) },
    ];
    expect(faultsOf(() => replaceAll(list, ALL, places))).toEqual([
      'body.entries.1 value_error',
      'body.entries.2 missing',
      'body.entries.3 value_error',
      'body.entries.5 value_error',
    ]);
  });
});

describe('Any sequence of entry changes', () => {
  const position = fc.option(fc.nat({ max: 6 }), { nil: undefined });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), n: fc.nat({ max: 5 }), position }),
    fc.record({ kind: fc.constant('move' as const), n: fc.nat({ max: 5 }), position }),
    fc.record({ kind: fc.constant('remove' as const), n: fc.nat({ max: 5 }), position }),
    fc.record({ kind: fc.constant('replace' as const), n: fc.nat({ max: 5 }), position }),
    fc.record({ kind: fc.constant('restore' as const), n: fc.nat({ max: 20 }), position }),
  );
  interface Step {
    kind: 'add' | 'move' | 'remove' | 'replace' | 'restore';
    n: number;
    position: number | undefined;
  }
  const living = new Set(LISTINGS.map(({ id }) => id));

  function apply(list: EntryList, history: readonly EntryList[], { kind, n, position }: Step): EntryList {
    const id = list.find(({ listing_id }) => listing_id === idOf(n))?.id ?? newId();
    const pin = [undefined, null, '1.0.0'][n % 3];
    if (kind === 'add') return add(list, n, { position, config: { n }, version: pin });
    if (kind === 'move') return updateOne(list, ALL, { id, position, is_enabled: n % 2 === 0, version: pin }, []);
    if (kind === 'remove') return removeAll(list, [id]);
    if (kind === 'replace')
      return replaceAll(list, ALL, [
        { listing_id: idOf(n) },
        ...list
          .slice(0, position)
          .map((one) => ({ id: one.id }))
          .filter((one) => one.id !== id),
      ]);
    return restoreEntries(list, snapshotOf(history[n % history.length] ?? []), living);
  }

  it('keeps ids, keys and listings unique, and the key of each entry unchanged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let list: EntryList = [];
        const history: EntryList[] = [list];
        const keys = new Map<string, string>();
        for (const one of steps) {
          const before = list;
          try {
            // As the database returns it.
            list = apply(list, history, one).map((entry) => ({ ...entry, pinning: entry.pinning ?? 'WARN' }));
          } catch (error) {
            if (error instanceof TypeError) throw error;
            continue; // refused, so nothing changes
          }
          for (const field of ['id', 'key', 'listing_id'] as const) {
            expect(new Set(list.map((entry) => entry[field])).size).toBe(list.length);
          }
          for (const { id, key } of list) {
            if (before.some((entry) => entry.id === id)) expect(key).toBe(keys.get(id));
            keys.set(id, key);
          }
          if (one.kind === 'restore') {
            const wanted = history[one.n % history.length] ?? [];
            expect(isUnchanged(compareEntries(placed(wanted), placed(list)))).toBe(true);
          }
          history.push(list);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('restores an entry without its listing if that was deleted meanwhile', () => {
    const snapshot = listOf(0, 1);
    const taken = snapshotOf(snapshot);
    expect(restoreEntries([], taken, new Set([idOf(1)]))).toEqual([{ ...snapshot[0], listing_id: null }, snapshot[1]]);
    // An entry that still exists has lost its listing already.
    const [first] = snapshot;
    expect(restoreEntries([{ ...first, listing_id: null } as never], taken, new Set([idOf(1)]))).toEqual([
      { ...first, listing_id: null },
      snapshot[1],
    ]);
  });
});

describe('Restoring bundle entries', () => {
  it('keeps the current entry of a listing, and reuses no key that is taken', () => {
    // Then: two of the same name by different publishers. Now: only the second, under the name that the first had.
    const snapshot = listOf(1, 3);
    const now = listOf(3);
    expect(snapshot.map(({ key }) => key)).toEqual(['weather', 'acme3-weather']);
    expect(now.map(({ key }) => key)).toEqual(['weather']);
    const restored = restoreEntries(now, snapshotOf(snapshot), new Set(LISTINGS.map(({ id }) => id)));
    expect(restored.map(({ id }) => id)).toEqual([snapshot[0]?.id, now[0]?.id]);
    expect(restored.map(({ key }) => key)).toEqual(['acme1-weather', 'weather']);
  });

  it('restores two entries as one if a single entry now has both their listings', () => {
    // The first was for the sample of the second's listing, which replaced the sample and is in the bundle already.
    const [sample, heir] = listOf(0, 1) as [ListEntry, ListEntry];
    const now = [{ ...sample, listing_id: heir.listing_id, listing_name: heir.listing_name }];
    const restored = restoreEntries(now, snapshotOf([sample, heir]), new Set([idOf(0), idOf(1)]));
    expect(restored).toEqual(now);
  });

  it('follows the newest version again, or pins the recorded version', () => {
    const former = add(listOf(0), 1, { version: '1.0.0' });
    const pins = (isPinned: boolean) =>
      restoreEntries([], snapshotOf(former), new Set([idOf(0), idOf(1)]), isPinned).map(({ version }) => version);
    expect(pins(false)).toEqual([null, '1.0.0']);
    expect(pins(true)).toEqual(['1.1.0', '1.0.0']);
    // A restored entry has none of the fields that only a snapshot has.
    expect(restoreEntries([], snapshotOf(former), new Set([idOf(0), idOf(1)]))).toEqual(former);
  });
});

describe('Pinning a bundle entry to a version', () => {
  it('is set by a version, removed by null, and kept if absent', () => {
    const list = add([], 0, { version: '1.0.0' });
    const id = list[0]?.id ?? '';
    expect(list[0]?.version).toBe('1.0.0');
    expect(add([], 0)[0]?.version).toBeNull();
    expect(updateOne(list, ALL, { id, is_enabled: false }, [])[0]?.version).toBe('1.0.0');
    expect(updateOne(list, ALL, { id, version: null }, [])[0]?.version).toBeNull();
  });

  it('requires an available version of a listing that the caller can see', () => {
    const list = listOf(0, 5);
    const [id = '', other = ''] = list.map((entry) => entry.id);
    const hidden = new Map([...ALL].map(([key, listing]) => [key, { ...listing, is_visible: false }]));
    const pin = (entry: string, version: string, listings = ALL) =>
      updateOne(list, listings, { id: entry, version }, []);
    expect(pin(id, '1.0.0')[0]?.version).toBe('1.0.0');
    expect(() => pin(id, '9.9.9')).toThrow('Listing version 9.9.9 was not found.');
    expect(() => pin(id, '1.0.0', hidden)).toThrow('Listing version 1.0.0 was not found.');
    expect(() => pin(other, '1.0.0')).toThrow(ConflictError);
    expect(() => add([], 0, { version: '9.9.9' })).toThrow('Listing version 9.9.9 was not found.');
    expect(() => add([], 5, { version: '1.0.0' })).toThrow(ConflictError);
    expect(() => replaceAll(list, ALL, [{ id, version: '9.9.9' }])).toThrow(NotFoundError);
    expect(() => replaceAll([], ALL, [{ listing_id: idOf(0), version: '9.9.9' }])).toThrow(NotFoundError);
    const gone = list.map((entry) => ({ ...entry, listing_id: null }));
    expect(() => updateOne(gone, ALL, { id, version: '1.0.0' }, [])).toThrow(NotFoundError);
  });

  it('accepts an unchanged pin even if its version was withdrawn meanwhile', () => {
    const list = listOf(5).map((entry) => ({ ...entry, version: '1.0.0' }));
    expect(replaceAll(list, ALL, [{ id: list[0]?.id, version: '1.0.0' }])).toEqual(list);
  });
});

describe('A secret in a configuration', () => {
  const server = { packages: [{ environmentVariables: [{ name: 'API_KEY', isSecret: true }] }] };
  const listings = new Map(
    LISTINGS.slice(0, 2).flatMap((listing) => [
      [listingKey(listing.id), { ...listing, server }],
      [listingKey(listing.id, '1.0.0'), listing],
    ]),
  );
  const config = { env: { API_KEY: 'sk-1' } };

  it('is refused at its place, in every entry of a list at once', () => {
    const [entry] = listOf(0) as [ListEntry];
    expect(faultsOf(() => addOne([], [], listings, { listing_id: idOf(0), config }, ['body', 'add', '0']))).toEqual([
      'body.add.0.config.env.API_KEY value_error',
    ]);
    expect(faultsOf(() => updateOne([entry], listings, { id: entry.id, config }, ['body']))).toEqual([
      'body.config.env.API_KEY value_error',
    ]);
    const places = [{ id: entry.id, config }, {}, { listing_id: idOf(1), config }];
    expect(faultsOf(() => replaceAll([entry], listings, places))).toEqual([
      'body.entries.0.config.env.API_KEY value_error',
      'body.entries.1 missing',
      'body.entries.2.config.env.API_KEY value_error',
    ]);
  });

  it('is looked for in the version to which the entry will be pinned, also by an update after another one', () => {
    const [entry] = listOf(0).map((listed) => ({ ...listed, version: '1.0.0' })) as [ListEntry];
    const { id } = entry;
    expect(updateOne([entry], listings, { id, config }, [])[0]?.config).toEqual(config);
    expect(faultsOf(() => updateOne([entry], listings, { id, version: null, config }, []))).toHaveLength(1);
    const wanted = listingsToRead([entry], {
      update: [
        { id, version: null },
        { id, config },
      ],
    });
    const newest = { listingId: idOf(0), version: null };
    expect(wanted).toEqual([newest, newest]);
  });
});

describe('Where the server of a bundle entry runs', () => {
  const url = 'https://mcp.example.com/mcp';
  const remote = { remotes: [{ type: 'streamable-http', url: 'https://vendor.example/mcp' }] };
  /** The newest version has a remote server, 1.0.0 has none. */
  const listings = new Map(
    LISTINGS.flatMap((listing) => [
      [listingKey(listing.id), { ...listing, server: remote }],
      [listingKey(listing.id, '1.0.0'), { ...listing, is_deleted: false }],
    ]),
  );

  it('is set, kept if absent, and removed by null', () => {
    const list = add([], 0, { endpoint_url: url });
    const id = list[0]?.id ?? '';
    expect([list[0]?.endpoint_url, add([], 0)[0]?.endpoint_url]).toEqual([url, null]);
    expect(updateOne(list, ALL, { id, is_enabled: false }, [])[0]?.endpoint_url).toBe(url);
    expect(updateOne(list, ALL, { id, endpoint_url: null }, [])[0]?.endpoint_url).toBeNull();
    expect(replaceAll(list, ALL, [{ id }])[0]?.endpoint_url).toBe(url);
    expect(replaceAll(list, ALL, [{ id, endpoint_url: `${url}/2` }])[0]?.endpoint_url).toBe(`${url}/2`);
    expect(replaceAll([], ALL, [{ listing_id: idOf(0), endpoint_url: url }])[0]?.endpoint_url).toBe(url);
  });

  it('is not taken where the listing says it, in the version that the entry will mean', () => {
    const [entry] = listOf(0) as [ListEntry];
    const { id } = entry;
    const set = (settings: object, of = entry) => updateOne([of], listings, { id, ...settings }, []);
    expect(() => set({ endpoint_url: url })).toThrow(ConflictError);
    expect(() => addOne([], [], listings, { listing_id: idOf(0), endpoint_url: url }, [])).toThrow(ConflictError);
    expect(() => replaceAll([entry], listings, [{ id, endpoint_url: url }])).toThrow(ConflictError);
    expect(() => replaceAll([], listings, [{ listing_id: idOf(0), endpoint_url: url }])).toThrow(ConflictError);
    expect(set({ endpoint_url: url, version: '1.0.0' })[0]).toMatchObject({ endpoint_url: url, version: '1.0.0' });
    expect(set({ endpoint_url: url }, { ...entry, version: '1.0.0' })[0]).toMatchObject({ endpoint_url: url });
    expect(() => set({ endpoint_url: url, version: null }, { ...entry, version: '1.0.0' })).toThrow(ConflictError);
  });

  it('stays, also when it is sent back, if a later version has a remote server; another one is not taken then', () => {
    const [entry] = listOf(0).map((listed) => ({ ...listed, endpoint_url: url })) as [ListEntry];
    const { id } = entry;
    expect(updateOne([entry], listings, { id, endpoint_url: url }, [])).toEqual([entry]);
    expect(replaceAll([entry], listings, [{ id, endpoint_url: url }])).toEqual([entry]);
    expect(updateOne([entry], listings, { id, version: null, is_enabled: false }, [])[0]?.endpoint_url).toBe(url);
    expect(() => updateOne([entry], listings, { id, endpoint_url: `${url}/2` }, [])).toThrow(ConflictError);
    expect(updateOne([entry], listings, { id, endpoint_url: null }, [])[0]?.endpoint_url).toBeNull();
  });

  it('is checked again when an editor sets another version, unless it is removed', () => {
    const [entry] = listOf(0).map((listed) => ({ ...listed, endpoint_url: url, version: '1.0.0' })) as [ListEntry];
    const { id } = entry;
    for (const sent of [{}, { endpoint_url: url }]) {
      const unpin = { id, version: null, ...sent };
      expect(() => updateOne([entry], listings, unpin, [])).toThrow(ConflictError);
      expect(() => replaceAll([entry], listings, [unpin])).toThrow(ConflictError);
      expect(updateOne([entry], ALL, unpin, [])[0]).toMatchObject({ version: null, endpoint_url: url });
    }
    expect(updateOne([entry], listings, { id, version: null, endpoint_url: null }, [])[0]?.endpoint_url).toBeNull();
    expect(listingsToRead([entry], { update: [{ id, version: null }] })).toEqual([
      { listingId: idOf(0), version: null },
    ]);
    expect(updateOne([{ ...entry, version: null }], listings, { id, version: '1.0.0' }, [])[0]?.version).toBe('1.0.0');
  });

  it('is not taken for a listing that was deleted, or that the editor does not see', () => {
    const [entry] = listOf(0) as [ListEntry];
    const { id } = entry;
    const hidden = new Map([...ALL].map(([key, listing]) => [key, { ...listing, is_visible: false }]));
    expect(() => updateOne([entry], hidden, { id, endpoint_url: url }, [])).toThrow(ConflictError);
    expect(() => updateOne([{ ...entry, listing_id: null }], ALL, { id, endpoint_url: url }, [])).toThrow(
      ConflictError,
    );
    const update = [{ id, endpoint_url: url }];
    expect(listingsToRead([entry], { update })).toEqual([{ listingId: idOf(0), version: null }]);
    expect(listingsToRead([entry], { update: [{ id, endpoint_url: null }] })).toEqual([]);
  });

  it('is restored, except from a version of a release that did not know it', () => {
    const [entry] = listOf(0).map((listed) => ({ ...listed, endpoint_url: url })) as [ListEntry];
    const living = new Set([idOf(0)]);
    const [now] = [{ ...entry, endpoint_url: `${url}/now` }];
    expect(restoreEntries([now], snapshotOf([entry]), living)[0]?.endpoint_url).toBe(url);
    expect(restoreEntries([], snapshotOf([entry]), living)[0]?.endpoint_url).toBe(url);
    expect(restoreEntries([now], snapshotOf([{ ...entry, endpoint_url: null }]), living)[0]?.endpoint_url).toBeNull();
    const former = snapshotOf([entry]).map(({ endpoint_url: _, ...known }) => known);
    expect(restoreEntries([now], former, living)[0]?.endpoint_url).toBe(`${url}/now`);
    expect(restoreEntries([], former, living)[0]?.endpoint_url).toBeNull();
  });
});

describe('The listings that a request needs', () => {
  it('are those that it adds, and those of entries that it configures or pins', () => {
    const list = listOf(0, 1, 2);
    const [first = '', second = '', third = ''] = list.map(({ id }) => id);
    const update = [
      { id: first.toUpperCase(), config: {} },
      { id: second, position: 0 },
      { id: third, version: '1.0.0' },
    ];
    expect(listingsToRead(list, { add: [{ listing_id: idOf(0).toUpperCase() }], update })).toEqual([
      { listingId: idOf(0), version: null },
      { listingId: idOf(0), version: null },
      { listingId: idOf(2), version: '1.0.0' },
    ]);
    const entries = [{ listing_id: idOf(1) }, { listing_id: idOf(3), version: '1.0.0' }, { id: newId() }, {}];
    expect(listingsToRead(list, { entries })).toEqual([{ listingId: idOf(3), version: '1.0.0' }]);
  });
});
