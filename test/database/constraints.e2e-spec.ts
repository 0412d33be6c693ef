import { DECLARED } from '../../src/app.module';
import { createDatabase, TestDatabase } from '../support/database';

describe('The constraints that declare error codes', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  it('are unique indexes of the migrated database', async () => {
    const rows = await database.dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisunique AND relname = ANY ($1)`,
      [DECLARED.databaseErrors.constraints],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...DECLARED.databaseErrors.constraints].sort());
  });
});
