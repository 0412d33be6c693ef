import { DataSource, type QueryRunner } from 'typeorm';
import { directOptions } from './data-source';
import { one } from './statements';

/** Which server and database a connection leads to, whatever is in between. */
const WHERE = `SELECT current_database() || ' since ' || pg_postmaster_start_time() AS place`;

/**
 * Runs `work` on a connection that stays the same throughout, for what lasts longer than a transaction: advisory locks and
 * settings of the session. Behind a pooler in transaction mode this is a connection of its own, around the pooler.
 *
 * @throws whatever `work` throws; Error for the operator if DATABASE_DIRECT_URL is another database than DATABASE_URL
 */
export async function inSession<T>(dataSource: DataSource, work: (session: QueryRunner) => Promise<T>): Promise<T> {
  const options = directOptions(dataSource);
  if (options === undefined) return onRunner(dataSource, work);
  const direct = await new DataSource(options).initialize();
  try {
    const [here, there] = await Promise.all([dataSource, direct].map((each) => one<{ place: string }>(each, WHERE)));
    if (here?.place !== there?.place)
      throw new Error('DATABASE_DIRECT_URL: leads to another database, or another server, than DATABASE_URL.');
    return await onRunner(direct, work);
  } finally {
    await direct.destroy();
  }
}

async function onRunner<T>(dataSource: DataSource, work: (session: QueryRunner) => Promise<T>): Promise<T> {
  const session = dataSource.createQueryRunner();
  try {
    return await work(session);
  } finally {
    await session.release();
  }
}
