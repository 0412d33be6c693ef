import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast } from '../support/factories';
import { nextPage } from '../support/pages';
import { type Statement, statementsOf } from '../support/statements';
import type { OrganisationPath } from '../support/typed-paths';

const PEOPLE = 20_000;

/** A node of EXPLAIN (ANALYZE, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/**
 * The plans that PostgreSQL chooses for the very statements that the application sends, over a directory of 20,000
 * people in an organisation beside 40 smaller ones; one group has them all.
 */
describe('The query plans of the directory', () => {
  let test: TestApp;
  let cast: Cast;
  let users: OrganisationPath<'scim/directory/users'>;
  let groups: OrganisationPath<'scim/directory/groups'>;
  let everybody: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
    users = `/v1/organisations/${cast.orgId}/scim/directory/users`;
    groups = `/v1/organisations/${cast.orgId}/scim/directory/groups`;
    const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<object[]>(sql, parameters);
    await query(`INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), n, n FROM generate_series(1, 40) AS n`);
    await query(`INSERT INTO scim_settings (org_id) SELECT id FROM organisations ON CONFLICT DO NOTHING`);
    const provision = async (org: string, people: number) => {
      await query(
        `WITH account AS (INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, $2) RETURNING id)
         INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name, external_id, display_name, active, attributes)
         SELECT uuid_v7(), org.id, account.id, account.id, 'Person.' || account.id || '@acme.example', account.id::text,
                'Person ' || account.id, random() > 0.02,
                jsonb_build_object('emails', jsonb_build_array(jsonb_build_object('value', account.id || '@Acme.example')))
         FROM account, (${org}) AS org`,
        [cast.orgId, people],
      );
    };
    await provision('SELECT $1::uuid AS id', PEOPLE);
    await provision('SELECT id FROM organisations WHERE id <> $1', 100);
    await query(
      `INSERT INTO scim_groups (id, org_id, display_name)
       SELECT uuid_v7(), org.id, 'Group ' || n || ' of ' || org.id FROM organisations AS org, generate_series(1, 200) AS n`,
    );
    // Each person is in four groups of some size, and in the one with everyone.
    await query(
      `INSERT INTO scim_group_members (group_id, scim_user_id)
       SELECT scim_groups.id, picked.id
       FROM (SELECT id, org_id, row_number() OVER (PARTITION BY org_id ORDER BY id) AS n FROM scim_users) AS picked
       CROSS JOIN generate_series(1, 4) AS turn
       JOIN (SELECT id, org_id, row_number() OVER (PARTITION BY org_id ORDER BY id) AS n FROM scim_groups) AS scim_groups
         ON scim_groups.org_id = picked.org_id AND scim_groups.n = 1 + (picked.n * turn * 7) % 200
       ON CONFLICT DO NOTHING`,
    );
    const [group] = await test.dataSource.query<{ id: string }[]>(
      `INSERT INTO scim_groups (id, org_id, display_name) VALUES (uuid_v7(), $1, 'Everybody') RETURNING id`,
      [cast.orgId],
    );
    everybody = group?.id ?? '';
    await query(
      `INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $2, id FROM scim_users WHERE org_id = $1`,
      [cast.orgId, everybody],
    );
    await query(
      `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role)
       SELECT uuid_v7(), org_id, id, display_name, CASE WHEN random() < 0.2 THEN 'ADMIN' ELSE 'MEMBER' END::organisation_role
       FROM scim_groups WHERE random() < 0.5`,
    );
    await query('VACUUM ANALYZE');
    await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    await query('VACUUM ANALYZE');
  });

  afterAll(() => test.close());

  const isOwn = ({ sql }: Statement): boolean => /scim_users|scim_groups|scim_group_members/.test(sql);

  async function plansOf(path: string): Promise<Plan[]> {
    const statements = (await statementsOf(test, () => cast.owner.get(path))).filter(isOwn);
    expect(statements.length).toBeGreaterThan(0);
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    const plans: Plan[] = [];
    for (const { sql, parameters } of statements) {
      const [row] = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        parameters,
      );
      plans.push(...(row?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => nodes(plan)));
    }
    return plans;
  }

  /** Rows that were read, used or not. */
  const touched = (plans: Plan[]): number =>
    plans
      .filter((plan) => plan['Relation Name'] !== undefined)
      .reduce(
        (sum, plan) => sum + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
        0,
      );

  const indexesOf = (plans: Plan[]): string[] => [...new Set(plans.flatMap((plan) => plan['Index Name'] ?? []))];

  it('read a page of users from the name index, and little more than the page', async () => {
    const plans = await plansOf(`${users}?limit=100`);
    expect(indexesOf(plans)).toContain('scim_users_prepared_name_idx');
    // A page, its entries, memberships and mapped groups, each looked up.
    expect(touched(plans)).toBeLessThan(3_000);
  });

  it('read no more for a page far behind, or for a name prefix', async () => {
    const [row] = await test.dataSource.query<{ name: string }[]>(
      `SELECT user_name AS name FROM scim_users WHERE org_id = $1 ORDER BY lower(user_name) COLLATE "C" OFFSET 15000 LIMIT 1`,
      [cast.orgId],
    );
    // One prefix matches a few users, the other matches all.
    for (const prefix of [row?.name.slice(0, 20) ?? '', 'person.']) {
      const plans = await plansOf(`${users}?limit=100&user_name=${prefix}`);
      expect(indexesOf(plans)).toContain('scim_users_prepared_name_idx');
      expect(touched(plans)).toBeLessThan(3_000);
    }
    let last = await cast.owner.get(`${users}?limit=100&user_name=person.`);
    for (let page = 0; page < 30; page++) last = await cast.owner.get(nextPage(last) as typeof users);
    const far = await plansOf(nextPage(last) ?? '');
    expect(touched(far)).toBeLessThan(3_000);
  });

  it('find an address and an external id by their indexes', async () => {
    const [one] = await test.dataSource.query<{ external: string }[]>(
      `SELECT external_id AS external FROM scim_users WHERE org_id = $1 OFFSET 12000 LIMIT 1`,
      [cast.orgId],
    );
    const byEmail = await plansOf(`${users}?email=${one?.external}@acme.example`);
    expect(indexesOf(byEmail)).toContain('scim_users_email_keys_idx');
    expect(touched(byEmail)).toBeLessThan(60);
    const byId = await plansOf(`${users}?external_id=${one?.external}`);
    expect(indexesOf(byId)).toContain('scim_users_external_id_key');
    expect(touched(byId)).toBeLessThan(60);
  });

  it('read only matching users when filtered by active', async () => {
    const plans = await plansOf(`${users}?limit=30&active=true`);
    expect(touched(plans)).toBeLessThan(1_500);
  });

  it('read a page of groups from the name index', async () => {
    const plans = await plansOf(`${groups}?limit=30&display_name=group`);
    expect(indexesOf(plans)).toContain('scim_groups_display_name_idx');
    expect(plans.filter((plan) => plan['Relation Name'] === 'scim_users')).toEqual([]);
  });

  it('read a page of the members of the largest group, and no other member', async () => {
    const plans = await plansOf(`${groups}/${everybody}/members?limit=100`);
    expect(indexesOf(plans)).toContain('scim_group_members_pkey');
    // The page, the users and their memberships, plus one row of each.
    expect(touched(plans)).toBeLessThan(310);
  });
});
