import type { DataSource } from 'typeorm';
import { createDataSource } from '../src/database/data-source';
import { newId } from '../src/database/id';
import { migrate } from '../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../src/schema';
import { createDatabase, TestDatabase } from './support/database';

const PROVIDER = MIGRATIONS.findIndex(({ name }) => name.startsWith('ScimProvider'));

describe('The migration to a SCIM provider, taken back', () => {
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

  it('keeps every role mapping but those that wait for the name of an older one', async () => {
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
    // And it goes up again.
    await migrate(dataSource);
    await make(org, 'BOARD', 7);
  });
});
