import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { withDatabase } from './database-url';

/** Creates an empty database with all migrations in place of one of that name. @param url of any database there */
export async function createMigratedDatabase(url: string, name: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const dataSource = createDataSource({
    url: withDatabase(url, name),
    poolSize: 2,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}
