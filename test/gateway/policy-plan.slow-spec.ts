import { Admissions, type AdmissionQuery } from '../../src/gateway/edge/admission';
import { join, unique } from '../support/factories';
import { statementsOf } from '../support/statements';
import type { Rule } from './support/policy-stage';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const OF_RULES = /^(bundle_policies|scim_\w+|memberships|bundle_editors)$/;
/** Roles and groups are looked up once and not for each rule; how often an index is descended for one. */
const MAX_LOOKUPS = 60;

/**
 * What rules add to the plan of the statement that every request to an endpoint costs: over a directory of 20,000 people in
 * 1,000 groups, 30 of which have the caller, and 10,000 bundles with three rules each.
 */
describe('The plan of the admission to an endpoint with rules', () => {
  let stage: Stage;
  let ada: Person;
  let bob: Person;
  let bobId: string;
  let orgId: string;
  let groups: string[];

  beforeAll(async () => {
    stage = await createStage(1, { env: { RUN: 'api' } });
    ada = await stage.person();
    bob = await stage.person();
    const query = <T extends object>(sql: string, values: unknown[] = []) =>
      stage.test.dataSource.query<T[]>(sql, values);
    orgId = (await ada.api.post('/v1/organisations', { name: unique('Org'), slug: unique('org') })).body.id;
    bobId = await join(ada.api, orgId, bob.api);
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 20000)`);
    await query(
      `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name)
       SELECT uuid_v7(), $1, id, id, id::text FROM users`,
      [orgId],
    );
    const made = await query<{ id: string }>(
      `INSERT INTO scim_groups (id, org_id, display_name) SELECT uuid_v7(), $1, n FROM generate_series(1, 1000) AS n
       RETURNING id`,
      [orgId],
    );
    groups = made.map(({ id }) => id);
    await query(
      `INSERT INTO scim_group_members (group_id, scim_user_id)
       SELECT groups.id, listed.id
       FROM (SELECT id, row_number() OVER () AS place FROM scim_groups WHERE org_id = $1) AS groups
       JOIN (SELECT id, user_id, row_number() OVER () AS place FROM scim_users WHERE org_id = $1) AS listed
         ON listed.place % 1000 = groups.place % 1000 OR (listed.user_id = $2 AND groups.place <= 30)`,
      [orgId, bobId],
    );
    await query(
      `INSERT INTO bundles (id, name, slug, visibility, owner_id)
       SELECT uuid_v7(), 'B', id::text, 'PRIVATE', id FROM users LIMIT 10000`,
    );
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT $1, id, 'MEMBER', 'MEMBER' FROM users ON CONFLICT DO NOTHING`,
      [orgId],
    );
    await query(
      `INSERT INTO bundle_editors (bundle_id, user_id) SELECT id, owner_id FROM bundles WHERE owner_id IS NOT NULL`,
    );
    await query(
      `INSERT INTO bundle_policies (bundle_id, place, effect, subject_kind, tools)
       SELECT id, place, 'DENY', 'everyone', '*' FROM bundles, generate_series(0, 2) AS place`,
    );
    await query('VACUUM ANALYZE');
  });

  afterAll(() => stage.close());

  /** The nodes of the plan that look at what rules need. */
  async function planOf(endpoint: Endpoint): Promise<{ nodes: Plan[]; blocks: number }> {
    const path = { path: endpoint.path, kind: 'bundle', id: endpoint.bundleId } as const;
    const caller = { userId: bobId, email: null, name: null, isPlatformAdmin: false };
    const ask: AdmissionQuery = { path, credential: { kind: 'person', caller, expiresAt: Infinity } };
    const admissions = stage.test.app.get(Admissions);
    const statements = await statementsOf(stage.test, () => admissions.admit(ask));
    expect(statements).toHaveLength(1);
    const [row] = await stage.test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statements[0]?.sql}`,
      statements[0]?.parameters,
    );
    const top = row?.['QUERY PLAN'][0]?.Plan;
    if (!top) throw new Error('EXPLAIN gives a plan.');
    const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];
    const nodes = all(top).filter((plan) => plan['Actual Loops'] > 0 && OF_RULES.test(plan['Relation Name'] ?? ''));
    return { nodes, blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  }

  const opened = () => ada.endpoint([], {}, { org_id: orgId });

  it('asks nothing of the directory for a bundle without rules', async () => {
    const { nodes } = await planOf(await opened());
    expect(nodes.map((plan) => plan['Relation Name']).filter((name) => name?.startsWith('scim_'))).toEqual([]);
  });

  it('looks up roles and groups once for 200 rules, and reads no table as a whole', async () => {
    const endpoint = await opened();
    const bare = await planOf(endpoint);
    const roles = ['ORG_OWNER', 'ORG_ADMIN', 'ORG_MEMBER', 'BUNDLE_EDITOR'] as const;
    const rules = Array.from({ length: 200 }, (_, place) => {
      const role = roles[place % roles.length] ?? 'OUTSIDER';
      const subject: Rule['subject'] = place % 2 === 0 ? { kind: 'group', id: groups[place] } : { kind: 'role', role };
      return { effect: 'DENY' as const, subject, tools: `tool_${place}` };
    });
    await ada.api.put(`/v1/bundles/${endpoint.bundleId}/policies`, { rules }, 200);
    await stage.test.dataSource.query('ANALYZE bundle_policies');
    const { nodes, blocks } = await planOf(endpoint);
    // A bundle has at most 200 rules, but they are found by the bundle.
    expect(nodes.filter((plan) => plan['Node Type'] === 'Seq Scan').map((plan) => plan['Relation Name'])).toEqual([]);
    expect(nodes.map((plan) => plan['Relation Name'])).toEqual(
      expect.arrayContaining(['scim_users', 'scim_group_members']),
    );
    expect(Math.max(...nodes.map((plan) => plan['Actual Loops']))).toBe(1);
    expect(blocks - bare.blocks).toBeLessThan(MAX_LOOKUPS);
  });
});
