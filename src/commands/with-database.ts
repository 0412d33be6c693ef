import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../migrations/migrations';
import type { Environment } from '../config/environment';
import { createDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { EmbeddedPostgres, runningServerUrl } from '../embedded/embedded-postgres';
import { messageOf } from '../errors/message-of';

/**
 * Uses the database of the running service, or else starts the embedded one for as long as the work takes.
 *
 * @param entities those that the work needs
 * @param poolSize connections: with one, every other connection of this program's name is another process
 * @throws Error for the operator if the database cannot be used; what the work throws
 */
export async function withDatabase<T>(
  { databaseDirectUrl, databaseUrl, dataDir, preparesStatements }: Environment,
  entities: Entities,
  work: (dataSource: DataSource) => Promise<T>,
  poolSize = 1,
): Promise<T> {
  const running = databaseDirectUrl ?? databaseUrl ?? runningServerUrl(dataDir);
  const embedded = running === undefined ? await EmbeddedPostgres.start(dataDir, warn) : undefined;
  const dataSource = createDataSource({
    url: running ?? embedded?.url ?? '',
    poolSize,
    preparesStatements,
    entities,
    migrations: MIGRATIONS,
  });
  try {
    await connect(dataSource, databaseUrl === undefined ? 'DATA_DIR' : 'DATABASE_URL');
    await migrate(dataSource);
    return await work(dataSource);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await embedded?.stop();
  }
}

type Entities = Parameters<typeof createDataSource>[0]['entities'];

async function connect(dataSource: DataSource, setting: string): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (error) {
    throw new Error(`${setting}: the database cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** Standard output is for the result alone. */
function warn(line: string): void {
  process.stderr.write(`${line}\n`);
}
