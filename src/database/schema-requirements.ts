import { compare } from 'semver';
import type { MigrationInterface } from 'typeorm';
import { type Connection, many, maybe } from './statements';

const SELECT_REQUIREMENTS = `SELECT migration, knows, release FROM schema_requirements`;

/** The schema needs a newer release than this. Its message says which, for the operator. */
export class NewerSchemaError extends Error {}

interface Requirement {
  migration: string;
  knows: string;
  release: string;
}

/**
 * Whether this release can serve with the schema. A schema that is newer usually can be served: migrations add. One that
 * takes something away writes a row into `schema_requirements`, in its transaction (ADR 36).
 *
 * @param known the migrations of this release
 * @returns what to tell the operator if it cannot
 */
export async function unmetRequirement(
  connection: Connection,
  known: readonly MigrationInterface[],
): Promise<string | undefined> {
  const names = new Set(known.map(({ name, constructor }) => name ?? constructor.name));
  const requirements = await many<Requirement>(connection, SELECT_REQUIREMENTS);
  const unmet = requirements.filter(({ knows }) => !names.has(knows)).toSorted((a, b) => compare(b.release, a.release));
  const [{ release, migration } = { release: undefined, migration: undefined }] = unmet;
  return release && `The schema is newer than this release: run Toolyard ${release} or newer (migration ${migration}).`;
}

/** @throws NewerSchemaError if this release cannot serve with the schema; a schema from before this rule is fine */
export async function requireKnownSchema(connection: Connection, known: readonly MigrationInterface[]): Promise<void> {
  const table = await maybe<{ name: string | null }>(
    connection,
    `SELECT to_regclass('schema_requirements')::text AS name`,
  );
  if (!table?.name) return;
  const problem = await unmetRequirement(connection, known);
  if (problem !== undefined) throw new NewerSchemaError(problem);
}
