import { Secrets } from '../../src/config/secrets';
import { Cursors } from '../../src/http/requests/cursor';
import { ListCursors } from '../../src/scim/protocol/lists/list-cursor';
import { createTestApp, TestApp } from '../support/app';
import { Directory, type Resource } from '../support/scim-directory';
import { type Statement, statementsOf } from '../support/statements';

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const SIZE = 100_000;

const ORDERS: Record<string, string>[] = [
  {},
  { sortBy: 'userName' },
  { sortBy: 'userName', sortOrder: 'descending' },
  { sortBy: 'displayName' },
  { sortBy: 'displayName', sortOrder: 'descending' },
  { sortBy: 'meta.lastModified' },
];

/**
 * What PostgreSQL does for the statements that the application sends, over an organisation of 100,000 users who are
 * all in one group, beside 50 small ones: first with the statistics of an empty directory, as on the day when an
 * identity provider first pushes it, then with fresh ones.
 */
describe('The query plans of SCIM lists and groups', () => {
  let test: TestApp;
  let directory: Directory;
  let large: string;
  let small: string;
  let ids: string[];

  beforeAll(async () => {
    // Without a worker, whose statements would interfere.
    test = await createTestApp({ env: { RUN: 'api' } });
    const { dataSource } = test;
    for (const table of ['users', 'scim_users', 'scim_groups', 'scim_group_members', 'memberships']) {
      await dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    for (let n = 0; n < 50; n++) {
      const other = await Directory.create(test);
      await other.fill(20, (await other.createGroup()).id);
    }
    directory = await Directory.create(test);
    large = (await directory.createGroup()).id;
    small = (await directory.createGroup()).id;
    await dataSource.query('ANALYZE');
    ids = (await directory.fill(SIZE, large)).sort();
    await dataSource.query(`INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, unnest($2::uuid[])`, [
      small,
      ids.slice(0, 100),
    ]);
  });

  afterAll(() => test.close(), 60_000);

  /** Runs a statement again, with the settings of its transaction, and rolls back. */
  async function explain({ sql, parameters }: Statement, settings: Statement | undefined): Promise<Plan> {
    const runner = test.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      if (settings) await runner.query(settings.sql, settings.parameters);
      const [row] = (await runner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters)) as {
        'QUERY PLAN': { Plan: Plan }[];
      }[];
      const [plan] = row?.['QUERY PLAN'] ?? [];
      if (!plan) throw new Error('EXPLAIN gives a plan.');
      return plan.Plan;
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  /** The plans of those statements of a request that contain `part`. */
  async function plansOf(part: RegExp, request: () => Promise<unknown>): Promise<Plan[]> {
    const statements = await statementsOf(test, request);
    const settings = statements.find(({ sql }) => sql.includes('set_config'));
    const plans = [];
    for (const statement of statements) if (part.test(statement.sql)) plans.push(await explain(statement, settings));
    return plans;
  }

  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  const blocks = (plan: Plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const indexesOf = (plan: Plan) => [...new Set(nodes(plan).flatMap((node) => node['Index Name'] ?? []))];
  const rowsOf = (plan: Plan) => Math.max(...nodes(plan).map((node) => node['Actual Rows'] * node['Actual Loops']));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

  /** A cursor a hundred people before the end. */
  async function lateCursor({ sortBy, sortOrder }: Record<string, string>): Promise<string> {
    const order = { ...(sortBy && { sortBy }), ...(sortOrder && { sortOrder }) };
    const { Resources: [last] = [] } = await directory.list('Users', { ...order, startIndex: '99900', count: '1' });
    if (!last) throw new Error('There are a hundred thousand.');
    const values: Record<string, (resource: Resource) => string | undefined> = {
      userName: ({ userName }) => userName,
      displayName: ({ displayName }) => displayName,
      'meta.lastModified': ({ meta }) => meta.lastModified,
    };
    const sort = sortBy ? (values[sortBy]?.(last)?.toLowerCase() ?? null) : null;
    const cursors = new Cursors(test.app.get(Secrets).derive('cursors'));
    return new ListCursors(cursors, `scim ${directory.orgId} User`).encode(
      { source: 0, id: last.id, sort },
      { sortBy, sortOrder: sortOrder as 'descending' | undefined },
    );
  }

  describe.each(['stale', 'fresh'])('with %s statistics', (statistics) => {
    beforeAll(async () => {
      if (statistics === 'fresh') await test.dataSource.query('VACUUM ANALYZE');
    });

    it.each(ORDERS)(
      'read as much for the last page as for the first: %j',
      async (order) => {
        const page = async (cursor: string) => {
          const request = () => directory.list('Users', { ...order, count: '100', cursor });
          const [keys] = await plansOf(/AS keys/, request);
          const [people, ...more] = await plansOf(/scim_users\.attributes/, request);
          if (!keys || !people || more.length > 0) throw new Error('Each page has its keys read, then its people.');
          expect(rowsOf(keys)).toBeLessThanOrEqual(202);
          return blocks(keys) + blocks(people);
        };
        const [first, last] = [await page(''), await page(await lateCursor(order))];
        expect(last).toBeLessThanOrEqual(1.5 * first + 20);
      },
      60_000,
    );

    it('change a group by one member at a cost independent of its size', async () => {
      const member = (await directory.createUser()).id;
      const costsOf = async (group: string) => {
        const costs = [];
        for (const operation of [
          { op: 'add', path: 'members', value: [{ value: member }] },
          { op: 'remove', path: `members[value eq "${member}"]` },
          { op: 'remove', path: 'members', value: [{ value: ids[5] }] },
          { op: 'add', path: 'members', value: [{ value: ids[5] }] },
        ]) {
          const plans = await plansOf(/scim_group_members|memberships/, () => directory.changeGroup(group, operation));
          for (const plan of plans) expect(rowsOf(plan)).toBeLessThan(20);
          costs.push(sum(plans.map(blocks)));
        }
        return costs;
      };
      const costs = await costsOf(small);
      for (const [n, cost] of (await costsOf(large)).entries()) {
        expect(cost).toBeLessThanOrEqual(2 * (costs[n] ?? 0) + 40);
      }
    });

    it('read the members of a large group once, in order', async () => {
      const plans = await plansOf(/scim_group_members/, () => directory.membersOf(large));
      expect(plans).toHaveLength(SIZE / 10_000 + 1);
      for (const plan of plans) {
        expect(indexesOf(plan)).toEqual(expect.arrayContaining(['scim_group_members_pkey', 'scim_users_pkey']));
        expect(rowsOf(plan)).toBeLessThanOrEqual(10_000);
        expect(blocks(plan)).toBeLessThanOrEqual(50_000);
      }
    });

    it('find the groups of a person by an index', async () => {
      const plans = await plansOf(/scim_group_members/, () => directory.read(`Users/${ids[5]}`));
      expect(plans).toHaveLength(1);
      for (const plan of plans) expect(blocks(plan)).toBeLessThan(40);
    });

    it('add a thousand people using the indexes', async () => {
      const { id } = await directory.createGroup();
      const value = ids.slice(50_000, 51_000).map((member) => ({ value: member }));
      const [plan] = await plansOf(/INSERT INTO scim_group_members/, () =>
        directory.changeGroup(id, { op: 'add', path: 'members', value }),
      );
      expect(plan && rowsOf(plan)).toBeLessThanOrEqual(2_000);
    });

    it('delete a person and their group memberships using the indexes', async () => {
      const { id } = await directory.createUser();
      await directory.changeGroup(large, { op: 'add', path: 'members', value: [{ value: id }] });
      const path = directory.path(`Users/${id}`);
      const plans = await plansOf(/WITH deleted/, () => directory.provider.api.delete(path));
      expect(plans).toHaveLength(1);
      for (const plan of plans) expect(blocks(plan)).toBeLessThan(100);
    });
  });

  describe('with fresh statistics', () => {
    beforeAll(() => test.dataSource.query('VACUUM ANALYZE'));

    it.each([
      ['userName eq "%"', /scim_users_prepared_name_(idx|key)/, 1],
      // The count, and the page.
      ['emails[type eq "work"].value eq "%" and active eq true', /scim_users_email_keys_idx/, 2],
    ])('find people by an index: %s', async (filter, index, statements) => {
      const { userName } = await directory.read(`Users/${ids[70_000]}`);
      const query = { filter: filter.replace('%', userName) };
      const plans = await plansOf(/FROM scim_users WHERE (scim_users\.)?org_id/, () => directory.list('Users', query));
      expect(plans).toHaveLength(statements);
      for (const plan of plans) expect(blocks(plan)).toBeLessThan(200);
      for (const plan of plans) expect(indexesOf(plan).some((name) => index.test(name))).toBe(true);
    });
  });
});
