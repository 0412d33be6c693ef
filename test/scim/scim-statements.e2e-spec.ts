import { setTimeout as sleep } from 'node:timers/promises';
import { createTestApp, type TestApp } from '../support/app';
import { holding, untilBlocked } from '../support/held-lock';
import { newUser, patch } from '../support/scim';
import { Directory } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

/** The numbers of "What a request costs" in `docs/scim/reference.md`. */
describe('A SCIM request takes few statements:', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    directory = await Directory.create(test);
    await directory.createUser({ userName: 'ada@example.com', externalId: 'ada' });
  });

  afterAll(() => test.close());

  const beginningsOf = async (work: () => Promise<unknown>) =>
    (await statementsOf(test, work)).map(({ sql }) => sql.trim().split(/\s+/).slice(0, 3).join(' '));
  const look = (filter: string) => directory.list('Users', { filter });

  it.each([
    ['a look-up by name', 'userName eq "ADA@example.com"', 1],
    ['a look-up by name that finds no one', 'userName eq "nobody@example.com"', 0],
    ['a look-up by external id', 'externalId eq "ada"', 1],
  ])('%s', async (_, filter, total) => {
    const statements = await beginningsOf(async () => {
      expect(await look(filter)).toMatchObject({ totalResults: total, startIndex: 1, itemsPerPage: total });
    });
    expect(statements).toEqual(['SELECT asked.place::int AS', 'INSERT INTO scim_log']);
  });

  it('a new user', async () => {
    expect(await beginningsOf(() => directory.provider.api.post(directory.path('Users'), newUser()))).toEqual([
      'START TRANSACTION',
      'WITH organisation AS',
      'WITH wanted AS',
      `SELECT set_config('enable_seqscan', 'off',`,
      'INSERT INTO scim_users',
      'WITH recorded AS',
      'INSERT INTO scim_log',
      'COMMIT',
    ]);
  });

  it('a new member', async () => {
    const { id: group } = await directory.createGroup();
    const { id: value } = await directory.createUser();
    const add = patch({ op: 'add', path: 'members', value: [{ value }] });
    const statements = await beginningsOf(() =>
      directory.provider.api.patch(directory.path(`Groups/${group}`), add, 204),
    );
    expect(statements).toHaveLength(11);
  });

  it('look-ups at the same time share a statement, of several organisations, too', async () => {
    const other = await Directory.create(test);
    const { id } = await other.createUser({ userName: 'ada@example.com', externalId: 'ada' });
    let found: string[][] = [];
    const statements = await beginningsOf(() =>
      holding(test.dataSource, 'LOCK TABLE scim_users IN ACCESS EXCLUSIVE MODE', async (release) => {
        const asked = Array.from({ length: 40 }, (_, n) =>
          (n % 2 === 0 ? directory : other).list('Users', {
            filter: `userName eq "${n < 20 ? 'ada' : 'nobody'}@example.com"`,
          }),
        );
        await untilBlocked(test.dataSource, 1);
        await release();
        found = (await Promise.all(asked)).map(({ Resources }) => Resources.map((user) => user.id));
      }),
    );
    const [own] = (await look('externalId eq "ada"')).Resources;
    expect(found).toEqual(Array.from({ length: 40 }, (_, n) => (n >= 20 ? [] : [n % 2 === 0 ? own?.id : id])));
    expect(statements.filter((sql) => sql === 'SELECT asked.place::int AS').length).toBeLessThan(40);
  });

  it('requests that end at the same time share a statement for their rows in the log', async () => {
    const statements = await beginningsOf(() =>
      holding(test.dataSource, 'LOCK TABLE scim_log IN EXCLUSIVE MODE', async (release) => {
        const asked = Promise.all(Array.from({ length: 40 }, () => look('userName eq "ada@example.com"')));
        await untilBlocked(test.dataSource, 1);
        // The first row is being written; meanwhile the other requests end.
        await sleep(500);
        await release();
        await asked;
      }),
    );
    expect(statements.filter((sql) => sql === 'INSERT INTO scim_log').length).toBeLessThan(20);
    const log = `/v1/organisations/${directory.orgId}/scim/log?limit=100` as const;
    const { body } = await directory.owner.get(log);
    expect(body.filter(({ path }) => path.includes('userName')).length).toBeGreaterThanOrEqual(40);
  });

  it('a row that the log rejects does not keep out those of other requests', async () => {
    await test.dataSource.query(
      `ALTER TABLE scim_log ADD CONSTRAINT refused CHECK (path NOT LIKE '%refused%') NOT VALID`,
    );
    try {
      const { api, base } = directory.provider;
      const filters = Array.from({ length: 20 }, (_, n) => (n % 5 === 0 ? 'refused' : 'kept'));
      const answers = await Promise.all(
        filters.map((name) => api.raw('get', `${base}/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(filters.map((name) => (name === 'kept' ? 200 : 500)));
      const [row] = await test.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int FROM scim_log WHERE path LIKE '%kept%'`,
      );
      expect(row?.count).toBe(16);
    } finally {
      await test.dataSource.query(`ALTER TABLE scim_log DROP CONSTRAINT refused`);
    }
  });
});
