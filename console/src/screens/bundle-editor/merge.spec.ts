import fc from 'fast-check';
import { changesBetween, countOf, type EditedEntry, moved, newEntry, placesOf, undone } from './entries';
import { merge } from './merge';

const entry = (name: string, over: Partial<EditedEntry> = {}): EditedEntry => ({
  ...newEntry({ id: `listing-${name}`, name, title: name, version: '1.0.0' }),
  id: name,
  key: name,
  pinning: 'WARN',
  ...over,
});
const ids = (entries: readonly EditedEntry[]) => entries.map(({ id }) => id);
const BASE = ['a', 'b', 'c', 'd', 'e'].map((name) => entry(name));
const changed = (id: string, over: Partial<EditedEntry>) =>
  BASE.map((one) => (one.id === id ? { ...one, ...over } : one));

const edit = fc.record({
  id: fc.constantFrom(...ids(BASE)),
  to: fc.nat(4),
  kind: fc.constantFrom('move', 'remove', 'disable', 'env', 'add'),
  name: fc.constantFrom('REGION', 'PORT'),
  value: fc.string({ maxLength: 3 }),
});
const edited = (side: string) =>
  fc.array(edit, { maxLength: 6 }).map((edits) =>
    edits.reduce<EditedEntry[]>((list, { id, to, kind, name, value }, index) => {
      if (kind === 'move') return moved(list, id, to);
      if (kind === 'remove') return list.filter((one) => one.id !== id);
      if (kind === 'add') return list.toSpliced(to, 0, entry(`${side}${index}`));
      return list.map((one) => {
        if (one.id !== id) return one;
        if (kind === 'disable') return { ...one, is_enabled: false };
        return { ...one, config: { env: { ...(one.config['env'] as object | undefined), [name]: value } } };
      });
    }, BASE),
  );

describe('Merging the entries of a bundle', () => {
  it('gives mine if they changed nothing, and theirs if I changed nothing', () => {
    fc.assert(
      fc.property(edited('x'), (list) => {
        expect(merge(BASE, list, BASE)).toEqual({ entries: list, conflicts: [] });
        expect(merge(BASE, BASE, list)).toEqual({ entries: list, conflicts: [] });
        expect(merge(BASE, list, list)).toEqual({ entries: list, conflicts: [] });
      }),
    );
  });

  it('has the same entries whatever side is mine, if nothing touches', () => {
    const byId = (list: EditedEntry[]) => list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    fc.assert(
      fc.property(edited('x'), edited('y'), (mine, theirs) => {
        const [one, other] = [merge(BASE, mine, theirs), merge(BASE, theirs, mine)];
        expect(other.conflicts).toHaveLength(one.conflicts.length);
        if (one.conflicts.some(({ kind }) => kind !== 'order')) return;
        expect(byId(other.entries)).toEqual(byId(one.entries));
      }),
    );
  });

  it('loses nothing silently: what one of both changed is in the result, or a conflict', () => {
    fc.assert(
      fc.property(edited('x'), edited('y'), (mine, theirs) => {
        const { entries, conflicts } = merge(BASE, mine, theirs);
        const asked = new Set(conflicts.map(({ id }) => id.split(' ')[0]));
        const result = new Map(entries.map((one) => [one.id, one]));
        expect(result.size).toBe(entries.length);
        for (const side of [mine, theirs]) {
          const { added, removed, changed: fields } = changesBetween(BASE, side);
          for (const { id } of added) expect(result.has(id)).toBe(true);
          for (const { id } of removed.filter((one) => !asked.has(one.id))) expect(result.has(id)).toBe(false);
          for (const { entry: one } of fields.filter((field) => !asked.has(field.entry.id))) {
            const found = result.get(one.id);
            expect(found?.is_enabled).toBe(one.is_enabled && found?.is_enabled);
            expect(found?.config['env'] ?? {}).toEqual(expect.objectContaining(one.config['env'] ?? {}));
          }
        }
      }),
    );
  });

  it('takes both of what different people set, and asks about the same field', () => {
    const mine = changed('b', { config: { env: { REGION: 'eu', LEVEL: 'mine' } }, is_enabled: false });
    const theirs = changed('b', { config: { env: { PORT: '1', LEVEL: 'theirs' } } });
    const merged = merge(BASE, mine, theirs);
    const path = JSON.stringify(['config', 'env', 'LEVEL']);
    expect(merged.conflicts).toEqual([expect.objectContaining({ id: `b ${path}`, mine: 'mine', theirs: 'theirs' })]);
    const chosen = merge(BASE, mine, theirs, { [`b ${path}`]: 'theirs' }).entries[1];
    expect(chosen).toMatchObject({ is_enabled: false, config: { env: { REGION: 'eu', PORT: '1', LEVEL: 'theirs' } } });
  });

  it('asks about one that one side removed and the other changed', () => {
    const without = BASE.filter(({ id }) => id !== 'c');
    const disabled = changed('c', { is_enabled: false });
    expect(merge(BASE, without, disabled).conflicts).toMatchObject([{ kind: 'removed', by: 'mine' }]);
    expect(ids(merge(BASE, without, disabled, { 'c removed': 'theirs' }).entries)).toEqual(ids(BASE));
    const again = merge(BASE, disabled, without);
    expect(again.conflicts).toMatchObject([{ kind: 'removed', by: 'theirs' }]);
    expect(ids(again.entries)).toEqual(['a', 'b', 'new:listing-c', 'd', 'e']);
  });

  it('is one entry if both added the same server', () => {
    const mine = [...BASE, newEntry({ id: 'listing-f', name: 'f', title: 'f', version: '1.0.0' })];
    const theirs = [...BASE, entry('f')];
    expect(merge(BASE, mine, theirs)).toEqual({ entries: theirs, conflicts: [] });
  });

  it('asks about two orders, and keeps what both added', () => {
    const mine = [...moved(BASE, 'e', 0), entry('m')];
    const theirs = [...moved(BASE, 'a', 4), entry('t')];
    const { conflicts, entries } = merge(BASE, mine, theirs);
    expect(conflicts).toEqual([{ id: 'order', kind: 'order' }]);
    expect(ids(entries)).toEqual(['e', 'a', 't', 'b', 'c', 'd', 'm']);
    expect(ids(merge(BASE, mine, theirs, { order: 'theirs' }).entries)).toEqual(['b', 'c', 'd', 'm', 'e', 'a', 't']);
  });
});

describe('The changes of a bundle', () => {
  it('say as few moves as there are', () => {
    expect(changesBetween(BASE, moved(BASE, 'a', 4)).moved).toMatchObject([{ from: 1, to: 5 }]);
  });

  it('are undone one by one until none is left', () => {
    fc.assert(
      fc.property(edited('x'), (list) => {
        let now = list;
        for (let round = 0; round < 30; round++) {
          const { added, removed, moved: places, changed: fields } = changesBetween(BASE, now);
          const next = [...added, ...removed, ...places.map((one) => one.entry), ...fields.map((one) => one.entry)][0];
          if (next) now = undone(BASE, now, next.id);
        }
        expect(countOf(changesBetween(BASE, now))).toBe(0);
      }),
    );
  });

  it('are all that is sent of entries that exist', () => {
    const now = [...changed('b', { version: '2.0.0' }), newEntry({ id: 'l', name: 'n', title: 'n', version: '1.0.0' })];
    const places = placesOf(BASE, now);
    expect(places.slice(0, 2)).toEqual([{ id: 'a' }, { id: 'b', version: '2.0.0' }]);
    expect(places[5]).toMatchObject({ listing_id: 'l', is_enabled: true });
  });
});
