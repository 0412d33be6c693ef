import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, idOf } from '../support/factories';
import { Statement, statementsOf } from '../support/statements';

/** A node of EXPLAIN (FORMAT JSON). */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/** One month; a request for most of a table may well read all of it. */
const FILTERS = 'is_active=true&created_at=ge2020-03&created_at=lt2020-04,gt2030';

/**
 * The plans that PostgreSQL chooses for the very statements that the application sends, over 20,000 endpoints of 200
 * organisations, 100,000 of one more, and 40,000 personal ones, 20,000 of them one person's.
 */
describe('The query plans of the list of webhook endpoints', () => {
  let test: TestApp;
  let cast: Cast;
  let large: Cast;

  beforeAll(async () => {
    // Without a worker, whose statements would interfere.
    test = await createTestApp({ env: { RUN: 'api' } });
    cast = await createCast(test);
    large = await createCast(test);
    const query = (sql: string, parameters: unknown[] = []) => test.dataSource.query<object[]>(sql, parameters);
    const insert = `
      INSERT INTO webhook_endpoints (id, org_id, owner_id, target_url, event_types, encrypted_secret, created_at)
      SELECT uuid_v7(), orgs.id, $1, 'https://hooks.example.com/' || n, '{bundle.created}', sha256(n::text::bytea),
             timestamptz '2020-01-01' + random() * interval '300 days'
      FROM generate_series(1, $2) AS n`;
    const ownerId = await idOf(cast.owner);
    await query(`INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), n, n FROM generate_series(1, 199) AS n`);
    await query(`${insert}, (SELECT id FROM organisations WHERE id <> $3) AS orgs`, [ownerId, 100, large.orgId]);
    await query(`${insert}, (SELECT $3::uuid AS id) AS orgs`, [ownerId, 100_000, large.orgId]);
    await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 200)`);
    await query(`
      INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
      SELECT uuid_v7(), users.id, 'https://hooks.example.com/', '{}', '' FROM users, generate_series(1, 100)`);
    await query(
      `INSERT INTO webhook_endpoints (id, owner_id, target_url, event_types, encrypted_secret)
       SELECT uuid_v7(), $1, 'https://hooks.example.com/', '{}', '' FROM generate_series(1, 20000)`,
      [await idOf(large.member)],
    );
    // A person in ten organisations, including the large one.
    await query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT id, $1, 'MEMBER', 'MEMBER' FROM organisations WHERE id <> $2 LIMIT 9`,
      [await idOf(large.member), large.orgId],
    );
    await query('ANALYZE');
  });

  afterAll(() => test.close());

  async function plansOf(statement: Statement | undefined): Promise<Plan[]> {
    const [row] = await test.dataSource.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
      `EXPLAIN (FORMAT JSON) ${statement?.sql}`,
      statement?.parameters,
    );
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    return (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => nodes(plan));
  }

  const indexesOf = (plans: Plan[]) => [...new Set(plans.flatMap((plan) => plan['Index Name'] ?? []))];
  const scanned = (plans: Plan[]) =>
    plans.filter((plan) => plan['Relation Name'] === 'webhook_endpoints').map((plan) => plan['Node Type']);

  it.each(['', FILTERS])('use both indexes and scan no table without org_id (%s)', async (filters) => {
    // A person with many personal ones, and one who created all of the organisations' and has few.
    for (const api of [large.member, cast.owner]) {
      await api.get('/v1/users/me');
      const [statement] = await statementsOf(test, () => api.get(`/v1/webhooks?${filters}`));
      const plans = await plansOf(statement);
      expect(indexesOf(plans)).toEqual(
        expect.arrayContaining(['webhook_endpoints_org_idx', 'webhook_endpoints_personal_idx']),
      );
      expect(scanned(plans)).not.toContain('Seq Scan');
    }
  });

  it('scan no table for a person with a hundred personal endpoints either', async () => {
    await cast.member.get('/v1/users/me');
    const [statement] = await statementsOf(test, () => cast.member.get('/v1/webhooks'));
    expect(scanned(await plansOf(statement))).not.toContain('Seq Scan');
  });

  it.each(['', FILTERS])('use the index of the organisation with org_id (%s)', async (filters) => {
    for (const { member, orgId } of [cast, large]) {
      await member.get('/v1/users/me');
      const [, statement] = await statementsOf(test, () => member.get(`/v1/webhooks?org_id=${orgId}&${filters}`));
      const plans = await plansOf(statement);
      expect(indexesOf(plans)).toEqual(['webhook_endpoints_org_idx']);
      expect(scanned(plans)).not.toContain('Seq Scan');
    }
  });

  it('return all 100,000 of an organisation, or the newest 100 without org_id', async () => {
    expect((await large.member.get(`/v1/webhooks?org_id=${large.orgId}`)).body).toHaveLength(100_000);
    const { body, headers } = await large.member.get('/v1/webhooks');
    expect(body).toHaveLength(100);
    expect(headers['x-result-truncated']).toBe('true');
  });
});
