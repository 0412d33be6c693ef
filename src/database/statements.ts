import type { DataSource, EntityManager, ObjectLiteral } from 'typeorm';

/** Where a statement runs: the data source for one that stands alone, the manager of a transaction otherwise. */
export type Connection = Pick<DataSource | EntityManager, 'query'>;

/**
 * Named SQL statements, with one result for all verbs. TypeORM answers `SELECT` with rows, and `UPDATE` and `DELETE` with a
 * pair of rows and their number, with or without `RETURNING`; whoever forgets which reads the wrong thing. These are the
 * only callers of `query`.
 *
 * @param parameters of `$1`, `$2` and so on; a Date is an instant, an array an array
 * @returns the rows that the statement selects or returns, in its order
 * @throws what the driver throws; `database-errors.ts` translates it
 */
export async function many<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return rowsOf<Row>(await connection.query<unknown>(sql, [...parameters]));
}

/** @returns the row, or undefined if there is none; for a statement that gives one at most */
export async function maybe<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row | undefined> {
  const [row] = await many<Row>(connection, sql, parameters);
  return row;
}

/**
 * For a statement that always gives a row: `INSERT … RETURNING`, an aggregate.
 *
 * @throws Error if there is none, which is a defect
 */
export async function one<Row extends ObjectLiteral>(
  connection: Connection,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row> {
  const row = await maybe<Row>(connection, sql, parameters);
  if (!row) throw new Error(`A statement that gives a row gave none: ${sql.trim().slice(0, 80)}`);
  return row;
}

/** @returns how many rows an `UPDATE` or `DELETE` has changed; 0 for an `INSERT`, of which TypeORM does not say it */
export async function execute(connection: Connection, sql: string, parameters: readonly unknown[] = []): Promise<number> {
  const result = await connection.query<unknown>(sql, [...parameters]);
  return isPair(result) ? result[1] : 0;
}

function rowsOf<Row>(result: unknown): Row[] {
  return (isPair(result) ? result[0] : result) as Row[];
}

/** An `UPDATE` or `DELETE`, as TypeORM answers it. Rows are objects, so their list is never mistaken for it. */
function isPair(result: unknown): result is [unknown[], number] {
  return Array.isArray(result) && Array.isArray(result[0]) && typeof result[1] === 'number';
}
