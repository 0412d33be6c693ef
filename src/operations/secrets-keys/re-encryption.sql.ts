import type { SealedColumn } from '../../database/sealed-column';

export const BATCH_SIZE = 500;

/** $1 the last key of the previous batch, or null. */
export function selectBatch({ table, column, key, keyType, context }: SealedColumn): string {
  return `
  SELECT ${key} AS key, ${key}::text AS name, ${context} AS context, ${column} AS sealed FROM ${table}
  WHERE ${column} IS NOT NULL AND ($1::${keyType} IS NULL OR ${key} > $1) ORDER BY ${key} LIMIT ${BATCH_SIZE}`;
}

/** $1 keys, $2 values as they were read, $3 the same values sealed again. */
export function writeBatch({ table, column, key, keyType }: SealedColumn): string {
  return `
  WITH given AS (
    SELECT stored.${key} AS key, resealed FROM unnest($1::${keyType}[], $2::bytea[], $3::bytea[]) AS given (key, sealed, resealed)
      JOIN ${table} AS stored ON stored.${key} = given.key AND stored.${column} = given.sealed
    ORDER BY stored.${key} FOR NO KEY UPDATE OF stored SKIP LOCKED
  )
  UPDATE ${table} AS stored SET ${column} = given.resealed FROM given WHERE stored.${key} = given.key`;
}
