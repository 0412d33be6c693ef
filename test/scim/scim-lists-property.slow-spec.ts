import fc from 'fast-check';
import { newId } from '../../src/database/id';
import { createTestApp, TestApp } from '../support/app';
import { Directory, type List, listIn } from '../support/scim-directory';

const SEARCH_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

interface Entry {
  kind: 'User' | 'Group';
  id: string;
  displayName: string | null;
  externalId: string | null;
  active: boolean | null;
  title: string | null;
  created: number;
}

type Key = string | number | null;

/** The sort attributes and their values in an entry; strings as they are compared. */
const SORTS: Record<string, (entry: Entry) => Key> = {
  '': () => null,
  displayName: ({ displayName }) => displayName?.toLowerCase() ?? null,
  externalId: ({ externalId }) => externalId,
  id: ({ id }) => id,
  'meta.created': ({ created }) => created,
  title: ({ title }) => title?.toLowerCase() ?? null,
  active: ({ active }) => (active === null ? null : Number(active)),
};

const text = fc.option(
  fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'Z', '_', 'é', '\u{ffee}', '\u{1f600}', ' '), maxLength: 3 }),
  { nil: null },
);

const entry = (kind: Entry['kind']): fc.Arbitrary<Entry> =>
  fc.record({
    kind: fc.constant(kind),
    id: fc.constant('').map(() => newId()),
    displayName: kind === 'Group' ? text.map((name) => name ?? '') : text,
    externalId: fc.constant(null),
    active: kind === 'User' ? fc.boolean() : fc.constant(null),
    title: kind === 'User' ? text : fc.constant(null),
    created: fc.integer({ min: 0, max: 5 }).map((n) => Date.UTC(2026, 0, 1) + n),
  });

const list = fc.record({
  path: fc.constantFrom('Users' as const, 'Groups' as const, 'everything' as const),
  sortBy: fc.constantFrom(...Object.keys(SORTS)),
  sortOrder: fc.constantFrom('ascending' as const, 'descending' as const),
  count: fc.integer({ min: 1, max: 7 }),
});

/** By code point, which is the order of UTF-8. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The order of RFC 7644, section 3.4.2.3, as a sort in memory. */
function ordered(entries: Entry[], sortBy: string, sortOrder: string): string[] {
  const keyOf = SORTS[sortBy] ?? (() => null);
  const sign = sortBy !== '' && sortOrder === 'descending' ? -1 : 1;
  const order = (one: Entry, other: Entry): number => {
    const [first, second] = [keyOf(one), keyOf(other)];
    if (first === null || second === null) {
      const missing = Number(first === null) - Number(second === null);
      if (missing !== 0) return sign * missing;
    } else if (compare(first, second) !== 0) {
      return sign * compare(first, second);
    }
    if (one.kind !== other.kind) return one.kind === 'User' ? -1 : 1;
    return sign * compare(one.id, other.id);
  };
  return [...entries].sort(order).map(({ id }) => id);
}

describe('The pages of a SCIM list', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  async function store(directory: Directory, entries: Entry[]): Promise<void> {
    const { orgId } = directory;
    await test.dataSource.query(`DELETE FROM scim_users WHERE org_id = $1`, [orgId]);
    await test.dataSource.query(`DELETE FROM scim_groups WHERE org_id = $1`, [orgId]);
    for (const { kind, id, displayName, externalId, active, title, created } of entries) {
      if (kind === 'User') {
        await test.dataSource.query(`INSERT INTO users (id) VALUES ($1) ON CONFLICT DO NOTHING`, [id]);
        await test.dataSource.query(
          `INSERT INTO scim_users (id, org_id, user_id, user_name, display_name, external_id, active, attributes, created_at)
           VALUES ($1, $2, $1, $1::uuid::text, $3, $4, $5, $6, $7)`,
          [
            id,
            orgId,
            displayName,
            externalId,
            active,
            JSON.stringify(title === null ? {} : { title }),
            new Date(created),
          ],
        );
      } else {
        await test.dataSource.query(
          `INSERT INTO scim_groups (id, org_id, display_name, external_id, created_at) VALUES ($1, $2, $3, $4, $5)`,
          [id, orgId, displayName, externalId, new Date(created)],
        );
      }
    }
  }

  it('add up to the list, for any order and page size', async () => {
    const directory = await Directory.create(test);
    const read = async (path: 'everything' | 'Users' | 'Groups', query: object): Promise<List> => {
      const body = { schemas: [SEARCH_URN], attributes: ['id'], ...query };
      const address = directory.path(path === 'everything' ? '.search' : `${path}/.search`);
      return listIn(await directory.provider.api.post(address, body, 200));
    };
    const idsOf = ({ Resources = [] }: List) => Resources.map(({ id }) => id);
    const entries = fc
      .tuple(fc.array(entry('User'), { maxLength: 12 }), fc.array(entry('Group'), { maxLength: 8 }))
      .map(([users, groups]) =>
        // Unique, as required, and missing in every third one.
        [...users, ...groups].map((each, n) => ({ ...each, externalId: n % 3 === 0 ? null : `x${(n * 7) % 20}` })),
      );
    await fc.assert(
      fc.asyncProperty(entries, fc.array(list, { minLength: 4, maxLength: 4 }), async (stored, lists) => {
        await store(directory, stored);
        for (const { path, sortBy, sortOrder, count } of lists) {
          if (path === 'Groups' && (sortBy === 'title' || sortBy === 'active')) continue;
          const listed = stored.filter(({ kind }) => path === 'everything' || path === `${kind}s`);
          const expected = ordered(listed, sortBy, sortOrder);
          const order = sortBy === '' ? {} : { sortBy, sortOrder };
          const byCursor: string[] = [];
          for (let cursor: string | undefined = ''; cursor !== undefined;) {
            const page: List = await read(path, { ...order, count, cursor });
            expect(page.totalResults).toBe(expected.length);
            byCursor.push(...idsOf(page));
            cursor = page.nextCursor;
          }
          expect(byCursor).toEqual(expected);
          const byIndex: string[] = [];
          for (let startIndex = 1; startIndex <= expected.length; startIndex += count) {
            byIndex.push(...idsOf(await read(path, { ...order, count, startIndex })));
          }
          expect(byIndex).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
