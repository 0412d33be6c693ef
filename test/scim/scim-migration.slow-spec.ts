import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

const PROVIDER = MIGRATIONS.findIndex(({ name }) => name.startsWith('ScimProvider'));

describe('The migration to the SCIM provider', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const migrations = MIGRATIONS.slice(0, PROVIDER + 1);
    dataSource = createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES, migrations });
    await dataSource.initialize();
    await migrate(dataSource);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('can be reverted, keeping every role mapping except duplicates that wait for the same name', async () => {
    const [org, other, group] = [newId(), newId(), newId()];
    await dataSource.query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'A', 'a'), ($2, 'B', 'b')`, [
      org,
      other,
    ]);
    await dataSource.query(`INSERT INTO scim_groups (id, org_id, display_name) VALUES ($1, $2, 'Crew')`, [group, org]);
    const make = async (orgId: string, name: string, day: number, groupId: string | null = null): Promise<string> => {
      const id = newId();
      await dataSource.query(
        `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role, created_at)
         VALUES ($1, $2, $3, $4, 'ADMIN', make_timestamptz(2026, 1, $5, 0, 0, 0))`,
        [id, orgId, groupId, name, day],
      );
      return id;
    };
    await make(org, 'crew', 3);
    const oldest = await make(org, 'Crew', 1);
    await make(org, 'CREW', 2);
    const kept = [oldest, await make(org, 'Board', 4), await make(org, 'Crew', 5, group), await make(other, 'Crew', 6)];

    await dataSource.undoLastMigration({ transaction: 'each' });

    const rows = await dataSource.query<{ id: string }[]>(`SELECT id FROM scim_role_mappings ORDER BY created_at`);
    expect(rows.map(({ id }) => id)).toEqual(kept);
    await expect(make(org, 'BOARD', 7)).rejects.toThrow('scim_role_mappings_group_name_key');
    // And it can be run again.
    await migrate(dataSource);
    await make(org, 'BOARD', 7);
  });
});

describe('The migration to the log of bulk operations', () => {
  const BULK = MIGRATIONS.findIndex(({ name }) => name.startsWith('ScimLogOfBulk'));
  let database: TestDatabase;

  const connect = async (migrations: typeof MIGRATIONS): Promise<DataSource> => {
    const dataSource = createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES, migrations });
    await dataSource.initialize();
    return dataSource;
  };

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
  });

  afterAll(() => database.drop());

  it('keeps entries, users and tokens of the previous release, up and down', async () => {
    const before = await connect(MIGRATIONS.slice(0, BULK));
    await migrate(before);
    const [org, user, entry, token, log] = [newId(), newId(), newId(), newId(), newId()];
    await before.query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'A', 'a')`, [org]);
    await before.query(`INSERT INTO users (id) VALUES ($1)`, [user]);
    await before.query(
      `INSERT INTO scim_users (id, org_id, user_id, user_name, attributes) VALUES ($1, $2, $3, 'ada', '{"title": "x"}')`,
      [entry, org, user],
    );
    await before.query(
      `INSERT INTO scim_tokens (id, org_id, name, prefix, digest) VALUES ($1, $2, 'Okta', 'tys_x', '\\x01')`,
      [token, org],
    );
    await before.query(
      `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, ignored)
       VALUES ($1, $2, $3, 'r', 'POST', '/Bulk', 200, 1, '{shoeSize}')`,
      [log, org, token],
    );
    const rowsOf = async (dataSource: DataSource) => ({
      log: await dataSource.query<object[]>(`SELECT id, path, status, ignored FROM scim_log`),
      users: await dataSource.query<object[]>(`SELECT id, user_id, user_name, attributes FROM scim_users`),
      tokens: await dataSource.query<object[]>(`SELECT id, digest FROM scim_tokens`),
    });
    const rows = await rowsOf(before);
    await before.destroy();

    const after = await connect(MIGRATIONS.slice(0, BULK + 1));
    try {
      await migrate(after);
      expect(await rowsOf(after)).toEqual(rows);
      const added = await after.query<object[]>(`SELECT bulk_entry_id, bulk_index, notes FROM scim_log`);
      expect(added).toEqual([{ bulk_entry_id: null, bulk_index: null, notes: [] }]);
      await after.query(
        `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, bulk_entry_id, bulk_index)
         VALUES ($1, $2, $3, 'r', 'POST', '/Users', 201, 1, $4, 0)`,
        [newId(), org, token, log],
      );
      // An operation is not a request: the previous release would treat it as one.
      await after.undoLastMigration({ transaction: 'each' });
      expect(await rowsOf(after)).toEqual(rows);
    } finally {
      await after.destroy();
    }
  });
});
