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

/** What a process writes every few seconds, whatever it is asked: in the middle of a request, too. */
const HEARTBEAT = /^\s*INSERT INTO secrets_key_holders /;

/**
 * Everything that an application asks of PostgreSQL while `work` runs, BEGIN and COMMIT included: all its statements
 * pass TypeORM's logger. Neither its heartbeat is among them, nor what foreign keys do inside the server.
 */
export async function statementsOf(test: TestApp, work: () => Promise<unknown>): Promise<Statement[]> {
  const dataSource = test.app.get(DataSource);
  const { logger } = dataSource;
  const statements: Statement[] = [];
  dataSource.logger = {
    logQuery: (sql, parameters) => {
      const isOfRequest = currentRequestId() !== undefined;
      if (isOfRequest || !HEARTBEAT.test(sql))
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
