import { DataSource } from 'typeorm';
import type { TestApp } from './app';

/** One statement as the application sent it. */
export interface Statement {
  sql: string;
  parameters: unknown[];
}

/**
 * Everything that an application asks of PostgreSQL while `work` runs, BEGIN and COMMIT included: all its statements
 * pass TypeORM's logger. What foreign keys do inside the server is not among them.
 */
export async function statementsOf(test: TestApp, work: () => Promise<unknown>): Promise<Statement[]> {
  const dataSource = test.app.get(DataSource);
  const { logger } = dataSource;
  const statements: Statement[] = [];
  dataSource.logger = {
    logQuery: (sql, parameters) => void statements.push({ sql, parameters: (parameters ?? []) as unknown[] }),
    logQueryError: () => undefined,
    logQuerySlow: () => undefined,
    logSchemaBuild: () => undefined,
    logMigration: () => undefined,
    log: () => undefined,
  };
  try {
    await work();
  } finally {
    dataSource.logger = logger;
  }
  return statements;
}
