import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/embedded/embedded-postgres';
import { PreparedCluster } from './prepared-cluster';

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

/** The database that every test file copies: migrated once, empty. */
export const TEMPLATE = 'toolyard_template';

/** Of Linux; half of the memory, unless a container has another limit. */
const MEMORY_FOLDER = '/dev/shm';
/** The largest suites of `npm run test:slow` take about a quarter of this. */
const MIN_MEMORY_BYTES = 4 * 2 ** 30;

const FLAGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];

/**
 * One PostgreSQL for all e2e tests: TEST_DATABASE_URL if it is set, else the same embedded one that `npm start` runs,
 * with its durability switched off.
 */
export default async function setup(): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) await migrateTemplate(given);
  process.env.TEST_POSTGRES_URL = given ?? (await startOwn());
}

/** @returns the address of a server of this run, which has the template */
async function startOwn(): Promise<string> {
  const dataDir = mkdtempSync(join(inMemory() ?? tmpdir(), 'toolyard-test-'));
  // As root, the server runs as somebody else, who has to get in.
  chmodSync(dataDir, 0o755);
  reapWithThisRun(dataDir);
  process.env.TEST_DATA_DIR = dataDir;
  const cluster = new PreparedCluster();
  const isPrepared = cluster.copyTo(dataDir);
  const start = () => EmbeddedPostgres.start(dataDir, () => undefined, { flags: FLAGS });
  globalThis.testPostgres = await start();
  if (!isPrepared) {
    await migrateTemplate(globalThis.testPostgres.url);
    await globalThis.testPostgres.stop();
    cluster.keep(dataDir);
    globalThis.testPostgres = await start();
  }
  return globalThis.testPostgres.url;
}

/** @returns a folder that is no disk: each suite copies a database, which is 270 files, and drops it again */
function inMemory(): string | undefined {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY_FOLDER : undefined;
  } catch {
    return undefined;
  }
}

async function migrateTemplate(url: string): Promise<void> {
  // Only now: loading the program takes seconds, and most runs have a prepared cluster.
  const { createMigratedDatabase } = await import('./migrated-database.js');
  await createMigratedDatabase(url, TEMPLATE);
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
