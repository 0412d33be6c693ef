import { newId } from '../../src/database/id';
import { compileSort } from '../../src/scim/protocol/filter/sort';
import { USER_TYPE } from '../../src/scim/protocol/schema/user-schema';
import { createDatabase, type TestDatabase } from '../support/database';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** By user name; in capitals where the order must ignore case. */
const PEOPLE: [userName: string, columns: { externalId?: string; active?: boolean }, attributes: object][] = [
  [
    'ada',
    { externalId: 'b', active: false },
    {
      name: { familyName: 'Zuse' },
      emails: [{ value: 'z@x.example' }, { value: 'C@x.example', primary: true }],
      [ENTERPRISE]: { department: 'Research', manager: { value: 'B' } },
    },
  ],
  [
    'BOB',
    { externalId: 'B' },
    { name: { familyName: 'apple' }, emails: [{ value: 'b@x.example', primary: false }, { value: 'a@x.example' }] },
  ],
  ['cy', {}, { name: { givenName: 'Cy' }, emails: [{ value: 'd@x.example' }], [ENTERPRISE]: { department: 'art' } }],
  ['é', { externalId: 'a' }, { emails: [{ value: 'y@x.example' }, { type: 'work', primary: true }] }],
];

describe('A SCIM list of users', () => {
  let database: TestDatabase;
  const orgId = newId();

  beforeAll(async () => {
    database = await createDatabase();
    await database.dataSource.query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Org', 'org')`, [orgId]);
    for (const [userName, { externalId, active = true }, attributes] of PEOPLE) {
      const accountId = newId();
      await database.dataSource.query(`INSERT INTO users (id) VALUES ($1)`, [accountId]);
      await database.dataSource.query(
        `INSERT INTO scim_users (id, org_id, user_id, user_name, external_id, active, attributes)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [newId(), orgId, accountId, userName, externalId, active, JSON.stringify(attributes)],
      );
    }
  });

  afterAll(() => database.drop());

  // Without a value: last, and first if descending (RFC 7644, section 3.4.2.3). Ids are in the order above.
  it.each([
    ['userName', 'ada BOB cy é'],
    ['id', 'ada BOB cy é'],
    ['meta.resourceType', 'ada BOB cy é'],
    ['meta.created', 'ada BOB cy é'],
    ['externalId', 'BOB é ada cy'],
    ['active', 'ada BOB cy é'],
    ['name.familyName', 'BOB ada cy é'],
    // The primary value, even if it is empty; otherwise the first one.
    ['emails', 'BOB ada cy é'],
    ['emails.value', 'BOB ada cy é'],
    ['emails.type', 'é ada BOB cy'],
    ['emails.primary', 'BOB cy ada é'],
    ['department', 'cy ada BOB é'],
    [`${ENTERPRISE}:manager.value`, 'ada BOB cy é'],
  ])('is sorted by %s', async (sortBy, expected) => {
    const { sql } = compileSort(USER_TYPE, sortBy);
    const sorted = async (order: string) => {
      const rows = await database.dataSource.query<{ name: string }[]>(
        `SELECT user_name AS name FROM scim_users WHERE org_id = $1 ORDER BY ${order}`,
        [orgId],
      );
      return rows.map(({ name }) => name).join(' ');
    };
    expect(await sorted(`${sql}, id`)).toBe(expected);
    expect(await sorted(`${sql} DESC, id DESC`)).toBe(expected.split(' ').reverse().join(' '));
  });

  it.each(['userName', 'id', 'active', 'meta.lastModified', 'emails', 'emails.primary', 'externalId'])(
    'is sorted by %s with an expression of the declared type',
    async (sortBy) => {
      const { sql, type } = compileSort(USER_TYPE, sortBy);
      const [row] = await database.dataSource.query<{ isOfType: boolean }[]>(
        `SELECT pg_typeof(${sql}) = '${type}'::regtype AS "isOfType" FROM scim_users LIMIT 1`,
      );
      expect(row?.isOfType).toBe(true);
    },
  );
});
