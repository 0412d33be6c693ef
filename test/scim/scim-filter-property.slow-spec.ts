import fc from 'fast-check';
import { compileFilter, compileMemberFilter } from '../../src/scim/protocol/filter/compile';
import { matchesValue } from '../../src/scim/protocol/filter/match-value';
import { parseFilter } from '../../src/scim/protocol/filter/parse';
import { resolvePath } from '../../src/scim/protocol/schema/attribute-path';
import { GROUP_TYPE } from '../../src/scim/protocol/schema/group-schema';
import type { ComplexValue } from '../../src/scim/protocol/schema/user-document';
import { USER_TYPE } from '../../src/scim/protocol/schema/user-schema';
import { createDatabase, type TestDatabase } from '../support/database';
import {
  bracketsOf,
  type Case,
  type Container,
  filterOf,
  GROUP_CONTAINERS,
  GROUP_FIELDS,
  MEMBER_CONTAINER,
  OWN_CONTAINERS,
  type Pool,
  poolOf,
  USER_CONTAINERS,
  USER_FIELDS,
} from '../support/filter-cases';
import { elements, type Json } from '../support/filter-oracle';
import {
  agreedCharacters,
  CHARACTERS,
  createPopulation,
  type Population,
  type Resource,
} from '../support/filter-population';

/** Directories of 24 users, some of them deleted, and 12 groups. */
const POPULATIONS = 10;
const SIZE = 24;
/** Filters per statement. */
const AT_ONCE = 10;
const USER_FILTERS = 7_000;
const GROUP_FILTERS = 3_000;
const IN_MEMORY = 2_000;
const OF_MEMBERS = 500;

/**
 * The filter language against a model, for random resources and filters: only letters with the same lower case in
 * JavaScript and PostgreSQL are used.
 */
describe('A random SCIM filter', () => {
  let database: TestDatabase;
  let populations: Population[];
  let characters: string[];
  /** How often each construct occurred in a filter, and how often a filter distinguished resources. */
  const seen = new Map<string, number>();
  let decisive = 0;

  beforeAll(async () => {
    database = await createDatabase();
    characters = await agreedCharacters(database.dataSource);
    populations = await Promise.all(
      Array.from({ length: POPULATIONS }, () =>
        createPopulation(database.dataSource, characters, SIZE, Math.floor(Math.random() * 2 ** 31)),
      ),
    );
  });

  afterAll(() => database.drop());

  it('uses letters that JavaScript and PostgreSQL fold alike', () => {
    expect(characters.filter((letter) => letter < '\x7f')).toEqual(CHARACTERS.filter((letter) => letter < '\x7f'));
    expect(characters.length).toBeGreaterThan(CHARACTERS.length / 2);
  });

  it('finds exactly the users that it matches', async () => {
    await compareAll('scim_users', USER_FILTERS, ({ users }) => users, userCase);
    expect(decisive).toBeGreaterThan(USER_FILTERS / 2);
    // Every kind occurred, so the agreement means something.
    const operators = ['pr', 'eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'eq null', 'ne null'];
    const parts = [
      ...['and', 'or', 'not', '[]', '[].'],
      ...operators,
      ...USER_FIELDS.map(({ names }) => names[0] ?? ''),
    ];
    expect(parts.filter((part) => !((seen.get(part) ?? 0) > 20))).toEqual([]);
  });

  it('finds exactly the groups that it matches', async () => {
    decisive = 0;
    await compareAll('scim_groups', GROUP_FILTERS, ({ groups }) => groups, groupCase);
    expect(decisive).toBeGreaterThan(GROUP_FILTERS / 3);
  });

  it.each([
    ['meta.created gt "0001-01-01T00:00:00Z"', true],
    ['meta.created lt "9999-12-31T23:59:59.999Z"', true],
    ['meta.created lt "2026-11-20T23:59:59.123456789-23:59" and meta.created ge "2024-02-29T23:59:59.999-00:00"', true],
    ['meta.lastModified ne "2026-11-20T08:30:00.0001Z"', true],
    ['meta.created gt "2020-01-01T00:00:00.123456"', true],
    ['meta.created gt "2020-01-01T24:00:00" and meta.created gt "2020-01-01T00:00:00.1234567890Z"', true],
    ['meta.created lt "12026-01-01T00:00:00Z" and meta.created gt "-0001-01-01T00:00:00Z"', true],
    ['meta.created ge "12026-01-01T00:00:00Z" or meta.created le "-0001-01-01T00:00:00Z"', false],
    ['meta.created eq "12026-01-01T00:00:00Z"', false],
    ['userName lt "\\udbff\\udfff"', true],
    ['userName gt "\\u0001"', true],
    [`title co "${'%_\\\\'.repeat(1_000)}"`, false],
    ['id sw "not-a-uuid" or groups.value eq "not-a-uuid"', false],
    ['not (id eq "not-a-uuid")', true],
  ])('accepts extreme texts and instants, case %#', async (text, isTrueOfAll) => {
    const [population] = populations;
    const matches = await select('scim_users', population?.orgId ?? '', [{ text } as Case]);
    expect(matches[0]).toEqual(isTrueOfAll ? population?.users.map(({ id }) => id).sort() : []);
  });

  it('in brackets matches exactly the right values in memory', () => {
    let matched = 0;
    for (const { users } of populations) {
      const one = fc
        .constantFrom(...OWN_CONTAINERS)
        .chain((container) => fc.record({ container: fc.constant(container), filter: inBrackets(container, users) }));
      fc.assert(
        fc.property(one, ({ container, filter }) => {
          const attribute = resolvePath(USER_TYPE, container.names[0] ?? '')?.attribute;
          if (!attribute) throw new Error('The container is an attribute.');
          for (const element of users.flatMap((user) => elements(user, container.keys))) {
            matched++;
            const isMatch = matchesValue(parseFilter(filter.text), element as ComplexValue, attribute);
            if (isMatch !== filter.holds(element)) throw new Error(`${filter.text} ${JSON.stringify(element)}`);
          }
        }),
        { numRuns: IN_MEMORY / POPULATIONS },
      );
    }
    expect(matched).toBeGreaterThan(IN_MEMORY);
  });

  it('in the brackets of members finds exactly the right members', async () => {
    for (const { orgId, groups } of populations) {
      await fc.assert(
        fc.asyncProperty(inBrackets(MEMBER_CONTAINER, groups), async (filter) => {
          const values: unknown[] = [orgId];
          const condition = compileMemberFilter(parseFilter(filter.text), values);
          const rows = await database.dataSource.query<{ member: string }[]>(
            `SELECT group_id || ' ' || scim_user_id AS member
             FROM scim_group_members JOIN scim_users ON scim_users.id = scim_group_members.scim_user_id
             WHERE scim_users.org_id = $1 AND scim_users.deleted_at IS NULL AND ${condition}`,
            values,
          );
          const expected = groups.flatMap((group) =>
            elements(group, MEMBER_CONTAINER.keys)
              .filter((member) => filter.holds(member))
              .map((member) => `${group.id} ${(member as { value: string }).value}`),
          );
          expect(rows.map(({ member }) => member).sort()).toEqual(expected.sort());
        }),
        { numRuns: OF_MEMBERS / POPULATIONS },
      );
    }
  });

  const userCase = (pool: Pool) => filterOf(USER_FIELDS, USER_CONTAINERS, pool);
  const groupCase = (pool: Pool) => filterOf(GROUP_FIELDS, GROUP_CONTAINERS, pool);
  /** A pool of all resources, so that values are close to existing ones. */
  const inBrackets = (container: Container, resources: Resource[]) => bracketsOf(container, poolOf(resources));

  async function compareAll(
    table: 'scim_users' | 'scim_groups',
    count: number,
    resourcesOf: (population: Population) => Resource[],
    caseOf: (pool: Pool) => fc.Arbitrary<Case>,
  ): Promise<void> {
    let compared = 0;
    for (const population of populations) {
      const resources = resourcesOf(population);
      const filters = fc.array(caseOf(poolOf(resources)), { minLength: AT_ONCE, maxLength: AT_ONCE });
      await fc.assert(
        fc.asyncProperty(filters, async (cases) => {
          compared += cases.length;
          const matches = await select(table, population.orgId, cases);
          cases.forEach((one, place) => {
            const expected = resources.filter((resource) => one.holds(resource as Json)).map(({ id }) => id);
            if (expected.length > 0 && expected.length < resources.length) decisive++;
            for (const part of one.parts) seen.set(part, (seen.get(part) ?? 0) + 1);
            const about = { filter: one.text, seed: population.seed };
            expect({ ...about, found: matches[place] }).toEqual({ ...about, found: expected.sort() });
          });
        }),
        { numRuns: count / POPULATIONS / AT_ONCE },
      );
    }
    expect(compared).toBeGreaterThanOrEqual(count);
  }

  /** @returns the matches of each filter, in one statement, since `compileFilter` can continue the numbering */
  async function select(table: 'scim_users' | 'scim_groups', orgId: string, cases: Case[]): Promise<string[][]> {
    const values: unknown[] = [orgId];
    const [type, living] = table === 'scim_users' ? [USER_TYPE, 'AND deleted_at IS NULL'] : [GROUP_TYPE, ''];
    const lists = cases.map(
      ({ text }) =>
        `ARRAY(SELECT ${table}.id::text FROM ${table}
               WHERE ${table}.org_id = $1 ${living} AND ${compileFilter(type, parseFilter(text), values)} ORDER BY 1)`,
    );
    const [row] = await database.dataSource.query<{ found: string[][] }[]>(
      `SELECT jsonb_build_array(${lists.map((list) => `to_jsonb(${list})`).join(', ')}) AS found`,
      values,
    );
    return row?.found ?? [];
  }
});
