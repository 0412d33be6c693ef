import type { ClientBase } from 'pg';
import {
  type DataSource,
  type EntityManager,
  type ObjectLiteral,
  QueryRunnerAlreadyReleasedError,
  type QueryRunner,
} from 'typeorm';
import { inSpan, isTracing, STATEMENT_SPAN } from '../tracing/tracing';
import { preparesStatements } from './data-source';

/** A statement; a named one is planned once per connection instead of each time (`prepared.ts`). */
export interface Statement {
  /** Unique among all statements. */
  name?: string;
  sql: string;
}

/** Where a statement runs: the data source for a single one, the manager of a transaction otherwise. */
export type Connection = DataSource | EntityManager;

/**
 * Functions to run SQL, with a uniform result for all verbs. TypeORM's `query` returns rows for `SELECT`, but a pair of
 * rows and their number for `UPDATE` and `DELETE`, with or without `RETURNING`, which is easy to get wrong. Lint
 * forbids it outside this folder.
 *
 * @param sql its text, or a prepared statement
 * @param parameters of `$1`, `$2` and so on; a Date is an instant, an array an array
 * @returns the rows that the statement selects or returns, in its order
 * @throws what the driver throws; `database-errors.ts` translates it
 */
export async function many<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return (await run(connection, sql, parameters)).rows as Row[];
}

/** @returns the row, or undefined if there is none; for a statement that returns at most one */
export async function maybe<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [row] = await many<Row>(connection, sql, parameters);
  return row;
}

/**
 * For a statement that always returns a row: `INSERT … RETURNING`, an aggregate.
 *
 * @throws Error if there is none, which is a defect
 */
export async function one<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<Row> {
  const row = await maybe<Row>(connection, sql, parameters);
  if (!row) throw new Error(`A statement that must return a row returned none: ${textOf(sql).trim().slice(0, 80)}`);
  return row;
}

/** @returns how many rows an `INSERT`, `UPDATE` or `DELETE` changed, or a `SELECT` returned */
export async function execute(
  connection: Connection,
  sql: string | Statement,
  parameters: readonly unknown[] = [],
): Promise<number> {
  return (await run(connection, sql, parameters)).affected ?? 0;
}

interface Result {
  rows: ObjectLiteral[];
  affected?: number;
}

/** The runner of the current transaction, or else a pooled connection for this statement only. */
function run(connection: Connection, statement: string | Statement, parameters: readonly unknown[]): Promise<Result> {
  const work = () => runUntraced(connection, statement, parameters);
  return isTracing() ? inSpan(spanNameOf(statement), STATEMENT_SPAN, work) : work();
}

async function runUntraced(
  connection: Connection,
  statement: string | Statement,
  parameters: readonly unknown[],
): Promise<Result> {
  const manager = 'manager' in connection ? connection.manager : connection;
  if (manager.queryRunner) return runOn(manager.queryRunner, statement, [...parameters]);
  const runner = manager.dataSource.createQueryRunner();
  try {
    return await runOn(runner, statement, [...parameters]);
  } finally {
    await runner.release();
  }
}

/** TypeORM cannot name a statement, so a named one uses its connection directly. */
async function runOn(runner: QueryRunner, statement: string | Statement, values: unknown[]): Promise<Result> {
  const { name, sql }: Statement = typeof statement === 'string' ? { sql: statement } : statement;
  if (name === undefined || !preparesStatements(runner.dataSource)) {
    const { records, affected } = await runner.query(sql, values, true);
    return { rows: records as ObjectLiteral[], affected };
  }
  // As TypeORM's `query` does: `connect` would return a connection that another request uses by now.
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  const client = (await runner.connect()) as ClientBase;
  runner.dataSource.logger.logQuery(sql, values, runner);
  const { rows, rowCount } = await client.query<ObjectLiteral>({ name, text: sql, values });
  return { rows, affected: rowCount ?? undefined };
}

/** Never its text, which may have values: one without a name is any statement of the system. */
function spanNameOf(statement: string | Statement): string {
  return (typeof statement === 'string' ? undefined : statement.name) ?? 'postgresql';
}

function textOf(statement: string | Statement): string {
  return typeof statement === 'string' ? statement : statement.sql;
}
