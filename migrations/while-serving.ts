import type { QueryRunner } from 'typeorm';

/**
 * What migrations with `transaction = false` are made of: steps on large tables that keep nobody waiting. Each step may have
 * been done already, wholly or in part, since such a migration is repeated from its beginning (ADR 36).
 */

/**
 * Creates an index while the table is written. It waits for every transaction that is open when it begins, as long as that
 * takes: nobody waits for it meanwhile. What an earlier try left behind is removed first.
 *
 * @param name of the index
 * @param definition what follows the name: `ON users (id) WHERE is_platform_admin`
 */
export async function createIndex(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  const existing = (await queryRunner.query(
    `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)`,
    [name],
  )) as { isValid: boolean }[];
  if (existing[0]?.isValid) return;
  await patiently(queryRunner, async () => {
    if (existing.length > 0) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await queryRunner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  });
}

/** Drops an index while the table is read and written, waiting as `createIndex` does. */
export async function dropIndex(queryRunner: QueryRunner, name: string): Promise<void> {
  await patiently(queryRunner, () => queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

/** For statements that keep nobody waiting while they wait. */
async function patiently(queryRunner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  const [{ limit }] = (await queryRunner.query(`SELECT current_setting('lock_timeout') AS limit`)) as [
    { limit: string },
  ];
  await queryRunner.query(`SET lock_timeout = 0`);
  try {
    await work();
  } finally {
    await queryRunner.query(`SET lock_timeout = '${limit}'`);
  }
}

/**
 * Makes a column NOT NULL without reading the table while it is locked: PostgreSQL believes a constraint that was validated
 * before. Fails if there are rows without a value.
 */
export async function requireValues(queryRunner: QueryRunner, table: string, column: string): Promise<void> {
  const [{ isRequired }] = (await queryRunner.query(
    `SELECT attnotnull AS "isRequired" FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2`,
    [table, column],
  )) as [{ isRequired: boolean }];
  if (isRequired) return;
  const constraint = `${table}_${column}_present_check`;
  await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${constraint}`);
  await queryRunner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${constraint} CHECK (${column} IS NOT NULL) NOT VALID`);
  await queryRunner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
  await queryRunner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL`);
  await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`);
}
