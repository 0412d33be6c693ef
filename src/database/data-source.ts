import { DataSource, DataSourceOptions, EntitySchema } from 'typeorm';
import { DeadlinePool } from './deadline-pool';

export interface DatabaseSettings {
  /** A postgres:// address. */
  url: string;
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
  poolSize,
  preparesStatements = true,
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
    connectTimeoutMS: 5_000,
    extra: {
      preparesStatements,
      keepAlive: true,
      // A request that waits longer than a load balancer would is pointless; a stuck transaction holds locks.
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  });
}

/** @returns whether statements may be prepared on connections of this data source */
export function preparesStatements({ options }: DataSource): boolean {
  return (options as { extra?: { preparesStatements?: boolean } }).extra?.preparesStatements === true;
}
