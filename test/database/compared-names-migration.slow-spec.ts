import { newId } from '../../src/database/id';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('ComparedNames'));

describe('The migration to compared names', () => {
  let database: TestDatabase;
  const org = newId();
  const [older, younger, claimed] = [newId(), newId(), newId()];
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const before = createDataSource({
      url: database.url,
      poolSize: 2,
      entities: ENTITIES,
      migrations: MIGRATIONS.slice(0, FIRST),
    });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Acme', 'acme')`, [org]);
    await query(
      `INSERT INTO users (id, email, claimed_at, created_at) VALUES
         ($1, 'a@bücher.example', NULL, '2026-01-01'), ($2, 'A@xn--bcher-kva.example', NULL, '2026-01-02'),
         ($3, 'a@bücher.example', now(), '2026-01-03')`,
      [older, younger, claimed],
    );
    const names = ['josé', 'jose\u0301', 'ＪＯＳÉ'];
    for (const [index, name] of names.entries()) {
      const account = newId();
      await query(`INSERT INTO users (id) VALUES ($1)`, [account]);
      await query(
        `INSERT INTO scim_users (id, org_id, user_id, user_name, created_at)
         VALUES ($1, $2, $3, $4, '2026-01-01'::timestamptz + $5 * interval '1 day')`,
        [newId(), org, account, name, index],
      );
    }
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('keeps every row; among rows that are now equal, the oldest holds the name', async () => {
    const users = await query(`SELECT id, is_twin FROM users WHERE email IS NOT NULL ORDER BY created_at`);
    expect(users).toEqual([
      { id: older, is_twin: false },
      { id: younger, is_twin: true },
      { id: claimed, is_twin: false },
    ]);
    const entries = await query(`SELECT user_name, is_twin FROM scim_users ORDER BY created_at`);
    expect(entries).toEqual([
      { user_name: 'josé', is_twin: false },
      { user_name: 'jose\u0301', is_twin: true },
      { user_name: 'ＪＯＳÉ', is_twin: true },
    ]);
  });

  it('accepts no further duplicate', async () => {
    const account = newId();
    await query(`INSERT INTO users (id) VALUES ($1)`, [account]);
    await expect(
      query(`INSERT INTO scim_users (id, org_id, user_id, user_name) VALUES ($1, $2, $3, 'JOSÉ')`, [
        newId(),
        org,
        account,
      ]),
    ).rejects.toThrow('scim_users_prepared_name_key');
    await expect(
      query(`INSERT INTO users (id, email) VALUES ($1, 'a@BÜCHER.example'::text), ($2, 'A@bücher.example')`, [
        newId(),
        newId(),
      ]),
    ).rejects.toThrow(/users_\w+_key/);
  });

  it('keeps the index that statements of the previous release rely on', async () => {
    // A statement of that release, which names its unique index by its expressions.
    await query(
      `INSERT INTO users (id, email) VALUES ($1, 'new@example.com'), ($2, 'NEW@example.com')
       ON CONFLICT (lower(email)) WHERE claimed_at IS NULL AND closed_at IS NULL DO NOTHING`,
      [newId(), newId()],
    );
    expect(await query(`SELECT email FROM users WHERE lower(email) = lower('New@Example.com')`)).toEqual([
      { email: 'new@example.com' },
    ]);
  });

  it('allows names that are distinct now but were equal in the previous release', async () => {
    await query(`INSERT INTO users (id, email) VALUES ($1, 'kim@example.com'), ($2, $3)`, [
      newId(),
      newId(),
      '\u212Aim@example.com',
    ]);
    expect(await query(`SELECT 1 FROM users WHERE email LIKE '%im@example.com'`)).toHaveLength(2);
  });
});
