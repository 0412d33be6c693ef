import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { newId } from '../../src/database/id';
import { inTransaction } from '../../src/database/transaction';
import { PLAN_FOR_SOME, PLAN_WITH_SCANS } from '../../src/scim/roles/resolution/outcome.sql';
import { type RoleChanges, RoleSync } from '../../src/scim/roles/sync/role-sync';
import { APPLY_TO_SOME } from '../../src/scim/roles/sync/sync.sql';
import { createTestApp, type TestApp } from '../support/app';
import { statementsOf } from '../support/statements';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const LARGE = 20_000;

/**
 * What it reads to change one person's role, in an organisation of 20 and in one of 20,000 who are all in one mapped
 * group: the same, whatever the statistics. Blocks are counted, because times would depend on what else runs on the
 * machine.
 */
describe('Role changes of a few people', () => {
  let test: TestApp;
  let small: string;
  let large: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    small = await fill(20);
  });

  afterAll(() => test.close());

  /** An organisation in sync, with an OWNER and everyone in one group that is mapped to MEMBER. */
  async function fill(size: number): Promise<string> {
    const [orgId, groupId, ownerId] = [newId(), newId(), newId()];
    const statements: [string, unknown[]][] = [
      [`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Filled', $2)`, [orgId, orgId]],
      [`INSERT INTO users (id) VALUES ($1)`, [ownerId]],
      [
        `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'OWNER', 'OWNER')`,
        [orgId, ownerId],
      ],
      [`INSERT INTO scim_groups (id, org_id, display_name) VALUES ($1, $2, 'Everybody')`, [groupId, orgId]],
      [
        `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role) VALUES ($1, $2, $3, 'Everybody', 'MEMBER')`,
        [newId(), orgId, groupId],
      ],
      [
        `WITH people AS MATERIALIZED (SELECT uuid_v7() AS id FROM generate_series(1, $3)),
           accounts AS (INSERT INTO users (id) SELECT id FROM people),
           entries AS (INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name) SELECT id, $1, id, id, id FROM people),
           members AS (INSERT INTO memberships (org_id, user_id, scim_role, role) SELECT $1, id, 'MEMBER', 'MEMBER' FROM people)
         INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $2, id FROM people`,
        [orgId, groupId, size],
      ],
    ];
    for (const [sql, parameters] of statements) await test.dataSource.query(sql, parameters);
    return orgId;
  }

  /** Removes a person's access with the prepared statement of the connection. */
  async function plan(runner: QueryRunner, orgId: string): Promise<Plan> {
    await runner.startTransaction();
    try {
      const [person] = (await runner.query(
        `UPDATE scim_users SET active = false WHERE id = (SELECT id FROM scim_users WHERE org_id = $1 ORDER BY id LIMIT 1)
         RETURNING user_id`,
        [orgId],
      )) as [[{ user_id: string }]];
      await runner.query(PLAN_FOR_SOME);
      await runner.query(`SET LOCAL plan_cache_mode = force_generic_plan`);
      const [row] = (await runner.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
         EXECUTE roles ('${orgId}', 'MEMBER', false, 'system', NULL, NULL, NULL, '{${person[0].user_id}}', '[]', NULL)`,
      )) as { 'QUERY PLAN': [{ Plan: Plan }] }[];
      if (!row) throw new Error('A plan is one row.');
      return row['QUERY PLAN'][0].Plan;
    } finally {
      await runner.rollbackTransaction();
    }
  }

  const apply = (
    orgId: string,
    concerned: string[] | 'everybody',
    then: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<RoleChanges> =>
    inTransaction(test.app.get(DataSource), async (manager) => {
      const cause = { actorType: 'system', actorId: null, requestId: null } as const;
      const changes = await test.app.get(RoleSync).apply(manager, orgId, concerned, cause);
      await then(manager);
      return changes;
    });

  const blocks = (plan: Plan): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

  it.each(['from before the organisation grew', 'that are current'])(
    'cost the same in a large organisation as in a small one, with statistics %s',
    async (known) => {
      // One connection for the statement, as in the pool; it was planned when the tables were empty.
      const runner = test.dataSource.createQueryRunner();
      try {
        await runner.query(`PREPARE roles AS ${APPLY_TO_SOME}`);
        await test.dataSource.query('ANALYZE');
        const few = await plan(runner, small);
        large ??= await fill(LARGE);
        if (known === 'that are current') await test.dataSource.query('ANALYZE');
        const many = await plan(runner, large);

        const read = nodes(many).filter((node) => node['Node Type'] === 'Seq Scan');
        expect(read.map((node) => node['Relation Name'])).toEqual([]);
        expect(blocks(few)).toBeGreaterThan(10);
        // Larger indexes are a level or two deeper.
        expect(blocks(many)).toBeLessThan(2 * blocks(few) + 20);
      } finally {
        await runner.query(`DEALLOCATE ALL`);
        await runner.release();
      }
    },
  );

  it('take the same few statements for one person as for many, and restore the planner settings', async () => {
    const people = await test.dataSource.query<{ user_id: string }[]>(
      `SELECT user_id FROM scim_users WHERE org_id = $1`,
      [small],
    );
    const settings = `SELECT name, setting FROM pg_settings WHERE name ~ '^enable_' ORDER BY name`;
    const usual = await test.dataSource.query<object[]>(settings);
    const run = (concerned: string[] | 'everybody') =>
      statementsOf(test, () =>
        apply(small, concerned, async (manager) => expect(await manager.query(settings)).toEqual(usual)),
      );
    const [one, many, everybody] = [
      await run(people.slice(0, 1).map(({ user_id }) => user_id)),
      await run(people.map(({ user_id }) => user_id)),
      await run('everybody'),
    ];
    // BEGIN, the query above and COMMIT are three of them.
    expect(one.map(({ sql }) => sql).slice(1, -2)).toHaveLength(3);
    expect([many.length, everybody.length]).toEqual([one.length, one.length]);
  });

  it('look at everyone if more than 10,000 people are concerned', async () => {
    await test.dataSource.query(
      `UPDATE scim_users SET active = false WHERE id = (SELECT id FROM scim_users WHERE org_id = $1 ORDER BY id LIMIT 1)`,
      [small],
    );
    const strangers = Array.from({ length: 10_001 }, newId);
    expect(await apply(small, strangers.slice(1))).toMatchObject({ scanned: 0 });
    const statements = await statementsOf(test, async () => {
      expect(await apply(small, strangers)).toMatchObject({ scanned: 20, removed: 1, unchanged: 19 });
    });
    // Before consent, too: the lock of a directory has switched scans off.
    expect(statements[1]?.sql).toBe(PLAN_WITH_SCANS);
  });

  it('count the members of the organisation if five or more lose something', async () => {
    const deactivate = async (count: number): Promise<string[]> => {
      const [people] = await test.dataSource.query<[{ user_id: string }[], number]>(
        `UPDATE scim_users SET active = false
         WHERE id IN (SELECT id FROM scim_users WHERE org_id = $1 AND active ORDER BY id LIMIT $2) RETURNING user_id`,
        [small, count],
      );
      return people.map(({ user_id }) => user_id);
    };
    const members = async () => {
      const [row] = await test.dataSource.query<{ members: number }[]>(
        `SELECT count(*)::int AS members FROM memberships WHERE org_id = $1 AND role IS NOT NULL`,
        [small],
      );
      return row?.members;
    };
    expect(await apply(small, await deactivate(4))).toMatchObject({ removed: 4, membersBefore: 4 });
    const before = await members();
    expect(await apply(small, await deactivate(5))).toMatchObject({ removed: 5, membersBefore: before });
  });
});
