import { DataSource, DataSourceOptions, EntitySchema } from 'typeorm';
import { DeadlinePool } from './deadline-pool';

/**
 * How long PostgreSQL lets a statement run, wait for a lock, and a transaction do nothing; milliseconds. A request that
 * waits longer than a load balancer would is pointless; a stuck transaction holds locks. Requests have a deadline of
 * their own besides (`deadline.ts`).
 */
export const TIME_OUTS = {
  statement_timeout: 60_000,
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
};

/**
 * How long a connection that nobody needs stays open. A new one takes 10 ms, and prepares and plans its statements again; but
 * firewalls forget those that are silent for a few minutes.
 */
const IDLE_MS = 60_000;

export interface DatabaseSettings {
  /** A postgres:// address. */
  url: string;
  /** The same database without a pooler, if `url` leads to one that gives each transaction another connection. */
  directUrl?: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** Whether statements may be prepared: not behind a pooler that gives each transaction another connection. */
  preparesStatements?: boolean;
  entities: (string | (abstract new () => object) | EntitySchema)[];
  migrations: (new () => object)[];
}

/**
 * A data source for one process; not yet connected.
 * Migrations are the only source of the schema: TypeORM neither synchronizes it nor installs extensions.
 */
export function createDataSource({
  url,
  directUrl,
  poolSize,
  preparesStatements = directUrl === undefined,
  entities,
  migrations,
}: DatabaseSettings): DataSource {
  return new DataSource({
    type: 'postgres',
    // TypeORM only needs the pool of a driver.
    driver: { Pool: DeadlinePool },
    url,
    entities: entities as DataSourceOptions['entities'],
    migrations: migrations as DataSourceOptions['migrations'],
    migrationsRun: false,
    synchronize: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    applicationName: 'toolyard',
    poolSize,
    // Waiting for a connection that others use counts as well; requests have their deadline.
    connectTimeoutMS: 5_000,
    extra: {
      preparesStatements,
      directUrl,
      keepAlive: true,
      idleTimeoutMillis: IDLE_MS,
      // PgBouncer refuses connections with parameters that it does not know; it has to set them (`time-outs.ts`).
      ...(directUrl === undefined && TIME_OUTS),
    },
  });
}

/** @returns the settings of a single connection that goes around the pooler; undefined if there is none */
export function directOptions({ options }: DataSource): DataSourceOptions | undefined {
  const { directUrl, ...extra } = (options as { extra?: { directUrl?: string } }).extra ?? {};
  if (directUrl === undefined) return undefined;
  return { ...options, url: directUrl, poolSize: 1, extra: { ...extra, ...TIME_OUTS } } as DataSourceOptions;
}

/** @returns whether statements may be prepared on connections of this data source */
export function preparesStatements({ options }: DataSource): boolean {
  return (options as { extra?: { preparesStatements?: boolean } }).extra?.preparesStatements === true;
}
