import fc from 'fast-check';
import { Keyring } from '../../config/keyring';
import { ValidationError } from '../../errors/errors';
import { type Page, Pages } from './page';
import { Cursors } from './cursor';

const pages = new Pages(new Cursors(new Keyring([Buffer.alloc(32, 1)])), 'https://toolyard.test');
const LIST = 'shelves';

interface Shelf {
  name: string;
  id: string;
}

/** At least one row per page; names occur repeatedly. */
const shelves = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'ü "'), id: fc.uuid() }), { selector: ({ id }) => id })
  .map((rows) => rows.sort((a, b) => (isAfter(a, [b.name, b.id]) ? 1 : -1)));
const limits = fc.integer({ min: 1, max: 5 });

function isAfter({ name, id }: Shelf, [lastName, lastId]: [string, string]): boolean {
  return name > lastName || (name === lastName && id > lastId);
}

/** @returns the pages that a client gets by following the cursors */
function walk(limit: number, read: (query: { limit: number; cursor?: string }) => Page<string>): string[][] {
  const walked: string[][] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const { items, next } = read({ limit, cursor });
    walked.push(items);
    cursor = next;
  }
  return walked;
}

describe('The pages of a list', () => {
  it('are full but the last, and have each row once and in order', () => {
    fc.assert(
      fc.property(shelves, limits, (rows, limit) => {
        const byId = rows.map(({ id }) => id).sort();
        const walked = walk(limit, (query) => {
          const page = pages.open(LIST, query, {});
          const found = byId.filter((id) => page.after === null || id > page.after).slice(0, page.take);
          return page.close(
            found.map((id) => ({ id })),
            ({ id }) => id,
          );
        });
        expect(walked.flat()).toEqual(byId);
        expect(walked.length).toBe(Math.max(1, Math.ceil(byId.length / limit)));
      }),
    );
  });

  it('begin after the position of a row, also if that is several values', () => {
    fc.assert(
      fc.property(shelves, limits, (rows, limit) => {
        const walked = walk(limit, (query) => {
          const page = pages.open(LIST, query, {});
          const last = page.position<[string, string]>();
          const found = rows.filter((row) => last === null || isAfter(row, last)).slice(0, page.take);
          const position = ({ name, id }: Shelf) => [name, id];
          return page.close(found, ({ id }) => id, position);
        });
        expect(walked.flat()).toEqual(rows.map(({ id }) => id));
      }),
    );
  });

  it('keep instants in a position as JSON has them', () => {
    const first = pages.open(LIST, { limit: 1 }, {});
    const at = new Date('2026-11-28T02:03:04.005Z');
    const { next } = first.close([{ at }, { at }], String, (row) => [row.at, 7]);
    expect(pages.open(LIST, { limit: 1, cursor: next }, {}).position()).toEqual(['2026-11-28T02:03:04.005Z', 7]);
  });

  it('end where the statement says, however many rows there are', () => {
    const page = pages.open(LIST, { limit: 5 }, {});
    const close = (is_last: boolean) =>
      page.closeSized(
        [{ id: 'a', is_last }],
        ({ id }) => id.toUpperCase(),
        ({ id }) => id,
      );
    expect(close(true)).toEqual({ items: ['A'], next: undefined });
    const { items, next } = close(false);
    expect(items).toEqual(['A']);
    expect(pages.open(LIST, { limit: 5, cursor: next }, {}).after).toBe('a');
    expect(page.closeSized([], String, () => '')).toEqual({ items: [], next: undefined });
  });

  it('have the filter of the first, which may be repeated but not changed', () => {
    const first = pages.open(LIST, { limit: 1 }, { org: '1', role: undefined as string | undefined });
    const { next } = first.close([{ id: 'a' }, { id: 'b' }], ({ id }) => id);
    const follow = (filter: Record<string, string | undefined>) => pages.open(LIST, { limit: 3, cursor: next }, filter);
    expect(follow({})).toMatchObject({ take: 4, after: 'a', filter: { org: '1' } });
    expect(follow({ org: '1' }).filter).toEqual({ org: '1' });
    expect(() => follow({ org: '2' })).toThrow(ValidationError);
    expect(() => follow({ role: 'OWNER' })).toThrow('query.role: Differs from the filter in the cursor.');
    expect(() => pages.open('drawers', { limit: 3, cursor: next }, {})).toThrow(ValidationError);
  });
});
