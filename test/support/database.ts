import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { withDatabase } from './database-url';
import { TEMPLATE } from './postgres.setup';

/** A database of a test file's own. */
export interface TestDatabase {
  url: string;
  /** Connected; closed by `drop`. */
  dataSource: DataSource;
  drop: () => Promise<void>;
}

/**
 * Makes a database by copying the migrated template, which takes about a tenth of a second.
 *
 * @param options `migrated: false` for an empty one
 */
export async function createDatabase({ migrated = true, poolSize = 10 } = {}): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('No PostgreSQL: run the tests by `npm test`, which starts one.');
  const name = newName();
  // By files: without synchronisation that is quicker than by the log.
  await asAdmin(server, `CREATE DATABASE ${name} TEMPLATE ${migrated ? TEMPLATE : 'template0'} STRATEGY FILE_COPY`);
  const made = databaseOf(server, name, poolSize);
  await made.dataSource.initialize();
  return made;
}

/**
 * Copies a database as it is, as a restored backup would. Disconnects from the original.
 *
 * @returns the copy, to which nobody is connected yet
 */
export async function copyDatabase({ url, dataSource }: TestDatabase): Promise<TestDatabase> {
  const name = newName();
  if (dataSource.isInitialized) await dataSource.destroy();
  await asAdmin(withDatabase(url, 'postgres'), `CREATE DATABASE ${name} TEMPLATE ${new URL(url).pathname.slice(1)}`);
  return databaseOf(url, name, 10);
}

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

/** @param server the address of any database there */
function databaseOf(server: string, name: string, poolSize: number): TestDatabase {
  const url = withDatabase(server, name);
  const dataSource = createDataSource({ url, poolSize, entities: ENTITIES, migrations: MIGRATIONS });
  const drop = async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await asAdmin(withDatabase(server, 'postgres'), `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url, dataSource, drop };
}

async function asAdmin(server: string, sql: string): Promise<void> {
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    await admin.query(sql);
  } finally {
    await admin.end();
  }
}
