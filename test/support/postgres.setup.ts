import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source';
import { EmbeddedPostgres } from '../../src/embedded/embedded-postgres';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

/** The database that every test file copies: migrated once, empty. */
export const TEMPLATE = 'toolyard_template';

/**
 * One PostgreSQL for all e2e tests: TEST_DATABASE_URL if it is set, else the same embedded one that `npm start` runs,
 * with its durability switched off.
 */
export default async function setup(): Promise<void> {
  let url = process.env.TEST_DATABASE_URL;
  if (!url) {
    const flags = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
    const dataDir = mkdtempSync(join(tmpdir(), 'toolyard-test-'));
    // As root, the server runs as somebody else, who has to get in.
    chmodSync(dataDir, 0o755);
    reapWithThisRun(dataDir);
    globalThis.testPostgres = await EmbeddedPostgres.start(dataDir, () => undefined, { flags });
    process.env.TEST_DATA_DIR = dataDir;
    url = globalThis.testPostgres.url;
  }
  process.env.TEST_POSTGRES_URL = url;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  const dataSource = createDataSource({
    url: withDatabase(url, TEMPLATE),
    poolSize: 2,
    entities: ENTITIES,
    migrations: MIGRATIONS,
  });
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}

/** The server and its folder go with this process, even if it is killed. */
function reapWithThisRun(dataDir: string): void {
  const reaper = spawn(process.execPath, [join(__dirname, 'reaper.cjs'), dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.unref();
  // It neither keeps this process alive nor fails it.
  (reaper.stdin as unknown as { unref(): void }).unref();
  reaper.stdin.on('error', () => undefined);
}

/** @returns the same address with another database's name */
export function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}
