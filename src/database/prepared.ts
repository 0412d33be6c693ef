import type { ClientBase, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';

/** A statement that PostgreSQL plans once per connection instead of each time. */
export interface PreparedStatement {
  /** Unique among all prepared statements. */
  name: string;
  sql: string;
}

/**
 * Runs a statement whose planning takes longer than its execution. TypeORM cannot name a statement, so this uses its
 * connection directly. Does not work behind a transaction-level pooler; neither do notifications.
 *
 * @param manager of a transaction
 * @throws what node-postgres throws
 */
export async function prepared<Row extends QueryResultRow>(
  manager: EntityManager,
  { name, sql }: PreparedStatement,
  values: unknown[],
): Promise<Row[]> {
  const { queryRunner } = manager;
  if (!queryRunner) throw new Error(`${name} was run outside a transaction.`);
  const client = (await queryRunner.connect()) as ClientBase;
  manager.dataSource.logger.logQuery(sql, values, queryRunner);
  return (await client.query<Row>({ name, text: sql, values })).rows;
}
