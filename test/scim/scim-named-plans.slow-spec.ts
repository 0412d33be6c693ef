import { DataSource } from 'typeorm';
import { createTestApp, type TestApp } from '../support/app';
import { newUser, patch } from '../support/scim';
import { Directory } from '../support/scim-directory';

/** From the sixth execution on, PostgreSQL keeps a plan. */
const OFTEN = 8;

/** They have a handful of rows for each organisation, or are not read by any size: the planner may read them whole. */
const SMALL = new Set(['organisations', 'scim_tokens', 'scim_settings', 'scim_role_mappings', 'organisation_domains']);

/** Any value of a type. */
const VALUES: Record<string, string> = {
  uuid: `'019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10'`,
  'uuid[]': `'{019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10}'`,
  text: `'x@example.com'`,
  'text[]': `'{x@example.com}'`,
  boolean: 'false',
  jsonb: `'[]'`,
  organisation_role: `'MEMBER'`,
};

/** With one connection, so that all statements are prepared on it. */
describe('The named statements of SCIM requests', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', DATABASE_POOL_SIZE: '1' } });
    directory = await Directory.create(test);
    // Statistics that come by themselves in a slow run would have statements planned again.
    for (const table of ['users', 'scim_users', 'scim_groups', 'scim_group_members', 'memberships'])
      await test.dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  });

  afterAll(() => test.close());

  it('are planned once, when the directory is nearly empty, for one of any size', async () => {
    const { provider } = directory;
    const users = () => `${provider.base}/Users` as const;
    const group = await directory.createGroup();
    const bulk = () => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: ['a', 'b'].map((bulkId) => ({ method: 'POST', path: '/Users', bulkId, data: newUser() })),
    });
    // The planner's statistics say that the tables are almost empty.
    await test.dataSource.query('ANALYZE');
    for (let n = 0; n < OFTEN; n++) {
      const { id } = (await provider.api.post(users(), newUser())).body;
      // Several at once.
      await provider.api.post(`${provider.base}/Bulk`, bulk(), 200);
      // The account exists already, so whether it is free has to be looked up.
      await provider.api.post(users(), newUser({ emails: [{ value: 'shared@example.com' }] }));
      await provider.api.patch(`${users()}/${id}`, patch({ op: 'replace', path: 'title', value: 'Dr' }));
      await directory.changeGroup(group.id, { op: 'add', path: 'members', value: [{ value: id }] });
    }
    // At once: whatever makes PostgreSQL forget the plans would have it plan here, without the settings of the program.
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      const prepared = (await runner.query(
        `SELECT name, parameter_types::text[] AS types, generic_plans::int AS kept, custom_plans::int AS made
         FROM pg_prepared_statements WHERE generic_plans + custom_plans >= ${OFTEN}`,
      )) as { name: string; types: string[]; kept: number; made: number }[];
      expect(prepared.map(({ name }) => name).sort()).toEqual([
        'accounts of addresses',
        'accounts of other entries',
        'add members',
        'change a group',
        'change a user',
        'consent of some',
        'event_record',
        'group to change',
        'hold addresses',
        'insert a user',
        'insert users',
        'lock of a directory',
        'roles of newcomers',
        'roles of some',
        'scim log',
        'settings, roles of some',
        'user to change',
      ]);
      for (const { name, types, kept, made } of prepared) {
        expect([name, made, kept > 0]).toEqual([name, 5, true]);
        const values = types.map((type) => VALUES[type] ?? 'NULL');
        const [row] = (await runner.query(`EXPLAIN (FORMAT JSON) EXECUTE "${name}" (${values.join(', ')})`)) as {
          'QUERY PLAN': object[];
        }[];
        const plan = JSON.stringify(row?.['QUERY PLAN']);
        const whole = [...plan.matchAll(/"Node Type":"Seq Scan".*?"Relation Name":"(\w+)"/g)].map(([, table]) => table);
        expect([name, whole.filter((table) => !SMALL.has(String(table)))]).toEqual([name, []]);
      }
    } finally {
      await runner.release();
    }
  });
});
