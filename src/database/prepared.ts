import type { EntityManager, ObjectLiteral } from 'typeorm';
import { many } from './statements';

/**
 * A statement that PostgreSQL plans once per connection instead of each time: for what is run often, and has one plan
 * that is good for all parameters, tables of any size included (the plan tests of each module show it). It lists its
 * columns: with `*` it would fail once a migration of the next release has added one.
 */
export interface PreparedStatement {
  /** Unique among all prepared statements. */
  name: string;
  sql: string;
}

/**
 * Runs a prepared statement of a transaction; outside of one, use the functions of `statements.ts`.
 *
 * @throws what node-postgres throws
 */
export async function prepared<Row extends ObjectLiteral>(
  manager: EntityManager,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (!manager.queryRunner) throw new Error(`${statement.name} was run outside a transaction.`);
  return many<Row>(manager, statement, values);
}
