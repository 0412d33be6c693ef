import { newId } from '../../src/database/id';
import { compileFilter } from '../../src/scim/protocol/filter/compile';
import { parseFilter } from '../../src/scim/protocol/filter/parse';
import { compileSort } from '../../src/scim/protocol/filter/sort';
import { GROUP_TYPE } from '../../src/scim/protocol/schema/group-schema';
import { USER_TYPE } from '../../src/scim/protocol/schema/user-schema';
import { createDatabase, type TestDatabase } from '../support/database';

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const USERS = 20_000;
const GROUPS = 20_000;
/** Rows that all nodes of a plan may read in total. */
const FEW = 20;

/** A filter that matches one user, and the index that must be used. */
const USER_FILTERS: [filter: string, index: RegExp][] = [
  ['userName eq "USER12345@example.com"', /^scim_users_prepared_name_/],
  ['userName sw "user12345@"', /^scim_users_prepared_name_/],
  ['externalId eq "external-12345"', /^scim_users_external_id_key$/],
  ['displayName eq "Person 12345"', /^scim_users_display_name_idx$/],
  ['emails.value eq "Mail12345@example.com"', /^scim_users_email_keys_idx$/],
  ['emails eq "mail12345@example.com"', /^scim_users_email_keys_idx$/],
  ['emails[value eq "mail12345@example.com"]', /^scim_users_email_keys_idx$/],
  ['emails[type eq "work" and value eq "mail12345@example.com"]', /^scim_users_email_keys_idx$/],
  ['emails[type eq "work"].value eq "mail12345@example.com"', /^scim_users_email_keys_idx$/],
  ['emails[value eq "mail12345@example.com" or value eq "nobody@example.com"]', /^scim_users_email_keys_idx$/],
  ['active eq true and userName eq "user12345@example.com"', /^scim_users_prepared_name_/],
  ['userName eq "user12345@example.com" and not (title pr)', /^scim_users_prepared_name_/],
  ['userName eq "user12345@example.com" or externalId eq "external-12345"', /^scim_users_(user_name|external_id)_/],
  ['userName eq "user12345@example.com" or emails.value eq "mail12345@example.com"', /^scim_users_/],
];

const GROUP_FILTERS: [filter: string, index: RegExp][] = [
  ['displayName eq "GROUP 12345"', /^scim_groups_display_name_idx$/],
  ['displayName sw "group 12345"', /^scim_groups_display_name_idx$/],
  ['externalId eq "external-12345"', /^scim_groups_external_id_key$/],
];

/** Half of the rows belong to this organisation, half to another with the same names. */
describe('A SCIM filter in a large directory', () => {
  let database: TestDatabase;
  const [orgId, otherId] = [newId(), newId()];

  beforeAll(async () => {
    database = await createDatabase();
    const query = (sql: string, values: unknown[] = []) => database.dataSource.query(sql, values);
    for (const id of [orgId, otherId]) {
      await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Org', $2)`, [id, id]);
      await query(
        `WITH accounts AS (
           INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, $2::int) RETURNING id
         ), numbered AS (SELECT id, row_number() OVER () AS n FROM accounts)
         INSERT INTO scim_users (id, org_id, user_id, user_name, external_id, display_name, attributes)
         SELECT uuid_v7(), $1, id, 'user' || n || '@example.com', 'external-' || n, 'Person ' || n,
                jsonb_build_object('name', jsonb_build_object('familyName', 'Family ' || n), 'emails',
                  jsonb_build_array(
                    jsonb_build_object('type', 'work', 'value', 'mail' || n || '@example.com', 'primary', true),
                    jsonb_build_object('type', 'home', 'value', 'home' || n || '@example.org')))
         FROM numbered`,
        [id, USERS],
      );
      await query(
        `INSERT INTO scim_groups (id, org_id, display_name, external_id)
         SELECT uuid_v7(), $1, 'Group ' || n, 'external-' || n FROM generate_series(1, $2::int) AS n`,
        [id, GROUPS],
      );
      await query(
        `INSERT INTO scim_group_members (group_id, scim_user_id)
         SELECT scim_groups.id, scim_users.id FROM scim_groups, scim_users
         WHERE scim_groups.org_id = $1 AND scim_users.org_id = $1 AND scim_groups.external_id = 'external-1'`,
        [id],
      );
    }
    await query(`VACUUM ANALYZE`);
  });

  afterAll(() => database.drop());

  it.each(USER_FILTERS)('of users, %s, uses an index', async (filter, index) => {
    const values: unknown[] = [orgId];
    const condition = compileFilter(USER_TYPE, parseFilter(filter), values);
    const where = `scim_users.org_id = $1 AND deleted_at IS NULL AND ${condition}`;
    await expectFew(`SELECT id FROM scim_users WHERE ${where}`, values, index);
  });

  it.each(USER_FILTERS.filter(([filter]) => !/ sw | or /.test(filter)))(
    'of users, %s, uses an index for a small page too',
    async (filter, index) => {
      const values: unknown[] = [orgId];
      const condition = compileFilter(USER_TYPE, parseFilter(filter), values);
      const where = `scim_users.org_id = $1 AND deleted_at IS NULL AND ${condition}`;
      await expectFew(`SELECT id FROM scim_users WHERE ${where} ORDER BY id LIMIT 2`, values, index);
    },
  );

  it.each(GROUP_FILTERS)('of groups, %s, uses an index', async (filter, index) => {
    const values: unknown[] = [orgId];
    const condition = compileFilter(GROUP_TYPE, parseFilter(filter), values);
    const where = `scim_groups.org_id = $1 AND ${condition}`;
    await expectFew(`SELECT id FROM scim_groups WHERE ${where}`, values, index);
  });

  it.each([
    ['id eq "$id"', USER_TYPE, /^scim_users_(pkey|living_idx)$/],
    ['id eq "$id"', GROUP_TYPE, /^scim_groups_(pkey|org_id_idx)$/],
    ['id eq "$id" and members.value eq "$member"', GROUP_TYPE, /^scim_group_members_/],
    ['id eq "$id" and members[value eq "$member"]', GROUP_TYPE, /^scim_group_members_/],
  ])('%s uses an index', async (template, type, index) => {
    const isUser = type === USER_TYPE;
    const [row] = await database.dataSource.query<{ id: string; member: string }[]>(
      isUser
        ? `SELECT id FROM scim_users WHERE org_id = $1 AND external_id = 'external-12345'`
        : `SELECT scim_groups.id, max(scim_user_id::text) AS member
           FROM scim_groups JOIN scim_group_members ON group_id = scim_groups.id WHERE org_id = $1 GROUP BY 1`,
      [orgId],
    );
    const values: unknown[] = [orgId];
    const filter = template.replace('$id', row?.id ?? '').replace('$member', row?.member ?? '');
    const condition = compileFilter(type, parseFilter(filter), values);
    const table = isUser ? 'scim_users' : 'scim_groups';
    const where = `${table}.org_id = $1 ${isUser ? 'AND deleted_at IS NULL' : ''} AND ${condition}`;
    await expectFew(`SELECT ${table}.id FROM ${table} WHERE ${where}`, values, index);
  });

  it.each([
    ['userName', /^scim_users_prepared_name_idx$/],
    ['displayName', /^scim_users_display_name_idx$/],
    ['externalId', /^scim_users_external_id_key$/],
    ['meta.lastModified', /^scim_users_updated_at_idx$/],
    ['id', /^scim_users_(living_idx|pkey)$/],
  ])('is sorted by %s using an index', async (sortBy, index) => {
    const { sql } = compileSort(USER_TYPE, sortBy);
    const order = sortBy === 'id' ? sql : `${sql}, id`;
    const list = `SELECT id FROM scim_users WHERE org_id = $1 AND deleted_at IS NULL ORDER BY ${order} LIMIT 10`;
    const nodes = await explain(list, [orgId]);
    expect(nodes.flatMap((node) => node['Index Name'] ?? []).join()).toMatch(index);
    expect(rowsIn(nodes)).toBeLessThan(60);
  });

  it('is sorted by group names using an index', async () => {
    const { sql } = compileSort(GROUP_TYPE, 'displayName');
    const nodes = await explain(`SELECT id FROM scim_groups WHERE org_id = $1 ORDER BY ${sql}, id LIMIT 10`, [orgId]);
    expect(nodes.flatMap((node) => node['Index Name'] ?? []).join()).toMatch(/^scim_groups_display_name_idx$/);
    expect(rowsIn(nodes)).toBeLessThan(60);
  });

  async function expectFew(sql: string, values: unknown[], index: RegExp): Promise<void> {
    const nodes = await explain(sql, values);
    const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(indexes.filter((name) => index.test(name))).not.toEqual([]);
    expect(nodes[0]?.['Actual Rows']).toBe(1);
    expect(rowsIn(nodes)).toBeLessThan(FEW);
  }

  async function explain(sql: string, values: unknown[]): Promise<Plan[]> {
    const [row] = await database.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values,
    );
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => nodes(Plan));
  }

  function rowsIn(nodes: Plan[]): number {
    return nodes.reduce((sum, node) => {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return sum + (node['Actual Rows'] + removed) * node['Actual Loops'];
    }, 0);
  }
});
