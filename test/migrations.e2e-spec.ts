import type { DataSource } from 'typeorm';
import { migrate } from '../src/database/migrate';
import { createDatabase, TestDatabase } from './support/database';

async function tables(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('The migrations', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
  });

  afterAll(() => database.drop());

  it('produce exactly the schema of the entities', async () => {
    await migrate(database.dataSource);
    const { upQueries } = await database.dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('index every foreign key, so that no cascade scans a table', async () => {
    const missing = await database.dataSource.query<{ key: string }[]>(`
      SELECT conrelid::regclass || '.' || conname AS key FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT EXISTS (
        SELECT 1 FROM pg_index
        WHERE indrelid = conrelid AND indpred IS NULL AND (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey)`);
    expect(missing).toEqual([]);
  });

  it('can all be reverted and run again', async () => {
    const before = await tables(database.dataSource);
    for (let left = database.dataSource.migrations.length; left > 0; left--) {
      await database.dataSource.undoLastMigration({ transaction: 'each' });
    }
    expect(await tables(database.dataSource)).toEqual([]);
    await migrate(database.dataSource);
    expect(await tables(database.dataSource)).toEqual(before);
  });

  it('can be run by several replicas at the same time', async () => {
    const empty = await createDatabase({ migrated: false, poolSize: 16 });
    try {
      const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(empty.dataSource)));
      expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    } finally {
      await empty.drop();
    }
  });
});
