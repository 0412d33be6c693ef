import { DataSource } from 'typeorm';
import { currentRequestId } from '../../src/database/deadline';
import type { TestApp } from './app';

/** One statement as the application sent it. */
export interface Statement {
  sql: string;
  parameters: unknown[];
  /** Whether a request asked for it, and not a loop that runs meanwhile. */
  isOfRequest: boolean;
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
    logQuery: (sql, parameters) => {
      const isOfRequest = currentRequestId() !== undefined;
      statements.push({ sql, parameters: (parameters ?? []) as unknown[], isOfRequest });
    },
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
