import { DataSource } from 'typeorm';
import { settleConsent } from '../../src/scim/directory/directory-consent';
import { PLAN_FOR_SOME } from '../../src/scim/roles/resolution/outcome.sql';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, idOf, unique } from '../support/factories';
import { type Statement, statementsOf } from '../support/statements';

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const SYSTEM = { actorType: 'system', actorId: null, requestId: null } as const;

/** With as many rows as a large instance has; each statement reads only those it needs. */
describe('The query plans of members, invitations and consent', () => {
  let test: TestApp;
  let cast: Cast;
  let reader: Api;
  let readerId: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', LIMIT_PENDING_INVITATIONS: '1000' } });
    cast = await createCast(test);
    reader = await test.as(unique('reader'));
    readerId = await idOf(reader);
    const { dataSource } = test;
    await dataSource.query(
      `INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), n, n FROM generate_series(1, 100) AS n`,
    );
    const owner = await idOf(cast.owner);
    // Everyone is invited to many organisations; half of the invitations are old.
    await dataSource.query(
      `INSERT INTO invitations (id, org_id, email, address, role, status, invited_by, created_at, expires_at)
       SELECT uuid_v7(), organisations.id, address, address, 'MEMBER', CASE WHEN n % 2 = 0 THEN 'PENDING' ELSE 'DECLINED' END,
              $1, now() - n * interval '1 minute', now() + interval '14 days' - n * interval '1 minute'
       FROM organisations, generate_series(1, 500) AS n, LATERAL (SELECT 'person' || n || '@example.com' AS address) AS one`,
      [owner],
    );
    await dataSource.query(
      `WITH account AS (
         INSERT INTO users (id, email, claimed_at) SELECT uuid_v7(), 'person' || n || '@example.com', now()
         FROM generate_series(1, 20000) AS n RETURNING id
       )
       INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name)
       SELECT uuid_v7(), $1, id, id, id FROM account`,
      [cast.orgId],
    );
    await dataSource.query(
      `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, consent, user_name) VALUES (uuid_v7(), $1, $2, $2, 'PENDING', 'r')`,
      [cast.orgId, readerId],
    );
    await dataSource.query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role)
       SELECT org_id, user_id, 'MEMBER', 'MEMBER' FROM scim_users WHERE consent = 'NOT_NEEDED'`,
    );
    await dataSource.query(`ANALYZE`);
  }, 120_000);

  afterAll(() => test.close());

  /** Rows that were read, used or not. */
  async function touched(statements: Statement[], before?: string): Promise<number> {
    const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
    let sum = 0;
    for (const { sql, parameters } of statements) {
      const runner = test.dataSource.createQueryRunner();
      await runner.startTransaction();
      try {
        if (before !== undefined) await runner.query(before);
        const [row] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, parameters)) as {
          'QUERY PLAN': { Plan: Plan }[];
        }[];
        for (const plan of (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan: plan }) => nodes(plan))) {
          if (plan['Relation Name'] === undefined) continue;
          sum += (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
        }
      } finally {
        await runner.rollbackTransaction();
        await runner.release();
      }
    }
    return sum;
  }

  const about =
    (pattern: RegExp) =>
    ({ sql }: Statement): boolean =>
      pattern.test(sql) && /^\s*(SELECT|WITH|UPDATE|DELETE)/i.test(sql);

  it.each([
    ['a page of invitations', () => cast.owner.get(`/v1/organisations/${cast.orgId}/invitations?limit=10`), 60],
    [
      'a page of pending invitations',
      () => cast.owner.get(`/v1/organisations/${cast.orgId}/invitations?limit=10&status=PENDING`),
      // All pending ones, each with its inviter: expiry and the inviter's role are not in an index.
      1_000,
    ],
    [
      'a page of declined invitations',
      () => cast.owner.get(`/v1/organisations/${cast.orgId}/invitations?limit=10&status=DECLINED`),
      // All pending ones, some of which may have expired.
      600,
    ],
    ['the invitations of one person', () => reader.get('/v1/users/me/invitations'), 40],
    [
      'sending an invitation',
      () =>
        cast.owner.post(`/v1/organisations/${cast.orgId}/members`, {
          email: `${unique('x')}@example.com`,
          role: 'MEMBER',
        }),
      2_000,
    ],
  ])('read little more than what they return: %s', async (_, work, most) => {
    const statements = (await statementsOf(test, work)).filter(about(/invitations/));
    expect(statements.length).toBeGreaterThan(0);
    expect(await touched(statements)).toBeLessThan(most);
  });

  it.each([
    ['everybody', ''],
    ['by a role', '&role=ADMIN'],
    ['given by hand', '&reason=manual'],
    ['deactivated', '&reason=deactivated'],
    ['the last owner', '&reason=last_owner'],
    ['by an address', '&search=person1999'],
    ['by an address and a role', '&search=person1999&role=ADMIN'],
  ] as const)('read little more than a page of members: %s', async (_, filter) => {
    const path = `/v1/organisations/${cast.orgId}/members?limit=10${filter}` as const;
    const statements = (await statementsOf(test, () => cast.owner.get(path))).filter(about(/WITH page/));
    expect(statements).toHaveLength(1);
    expect(await touched(statements)).toBeLessThan(500);
  });

  it('read only the people concerned', async () => {
    const settle = async (concerned: string[]) =>
      (
        await statementsOf(test, () =>
          test.app.get(DataSource).transaction(async (manager) => {
            await settleConsent(manager, cast.orgId, concerned, SYSTEM, false);
          }),
        )
      ).filter(about(/decided/));
    const some = await settle([readerId]);
    expect(some).toHaveLength(1);
    expect(await touched(some, PLAN_FOR_SOME)).toBeLessThan(20);
  });
});
