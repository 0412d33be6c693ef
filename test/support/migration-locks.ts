import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a migration sends, and how. */
export interface MigrationText {
  name: string;
  statements: string[];
  /** Whether all of it is one transaction, which holds its locks until it ends. */
  isTransaction: boolean;
}

type Migration = new () => MigrationInterface & { transaction?: boolean };

/**
 * Runs a migration without a database, to read its SQL. Its questions get no rows, so helpers take the way of a database on
 * which nothing has been done yet.
 */
export async function textOf(migration: Migration): Promise<MigrationText> {
  const statements: string[] = [];
  const recorder = {
    query: (sql: string) => {
      const statement = plain(sql);
      statements.push(statement);
      return Promise.resolve(answerTo(statement));
    },
  };
  const instance = new migration();
  await instance.up(recorder as unknown as QueryRunner);
  return { name: migration.name, statements, isTransaction: instance.transaction !== false };
}

function answerTo(statement: string): unknown[] {
  if (/^(?:UPDATE|DELETE)/i.test(statement)) return [[], 0];
  if (statement.includes('current_setting')) return [{ limit: '0' }];
  return statement.includes('attnotnull') ? [{ isRequired: false }] : [];
}

/** @returns the tables that those migrations create */
export function tablesOf(migrations: readonly MigrationText[]): Set<string> {
  return new Set(
    migrations
      .flatMap(({ statements }) => statements)
      .flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1] ?? []),
  );
}

/** Evaluated once for the whole table, so that existing rows need not be rewritten. */
const STABLE = /^(?:now|current_timestamp|current_date)\b/i;

/**
 * What in a migration keeps others from a table that has rows already (https://www.postgresql.org/docs/15/explicit-locking.html,
 * https://www.postgresql.org/docs/15/sql-altertable.html, "Notes"), or takes away what the previous release uses.
 *
 * @param existing the tables of the previous release; others are empty, and nobody uses them yet
 * @returns for each, what to do instead
 */
export function longLocks({ statements, isTransaction }: MigrationText, existing: ReadonlySet<string>): string[] {
  const records = statements.some((statement) => /^INSERT INTO schema_requirements\b/i.test(statement));
  return statements.flatMap((statement) => {
    const complain = (advice: string) => `${statement.slice(0, 80)}: ${advice}`;
    return [...scans(statement, isTransaction, existing), ...(records ? [] : removals(statement, existing))].map(
      complain,
    );
  });
}

function scans(statement: string, isTransaction: boolean, existing: ReadonlySet<string>): string[] {
  const index = /^CREATE (?:UNIQUE )?INDEX (?<concurrently>CONCURRENTLY )?.*? ON (?:ONLY )?(?<table>\w+)/i.exec(
    statement,
  )?.groups;
  if (index && existing.has(index.table ?? ''))
    return index.concurrently && !isTransaction ? [] : ['createIndex() of while-serving.ts, with transaction = false'];
  if (
    /^(?:CLUSTER|VACUUM FULL|LOCK|REINDEX (?!.*CONCURRENTLY)|REFRESH MATERIALIZED VIEW (?!CONCURRENTLY))/i.test(
      statement,
    )
  )
    return ['it keeps everyone out until it has gone through the table'];
  const changed = /^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/i.exec(statement)?.[1];
  if (changed !== undefined && existing.has(changed) && isTransaction)
    return ['in batches, each a transaction of its own: transaction = false'];
  const altered = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?<table>\w+) (?<actions>.*)$/i.exec(statement)?.groups;
  return altered && existing.has(altered.table ?? '')
    ? topLevel(altered.actions ?? '').flatMap((action) => scanOf(action.trim(), isTransaction) ?? [])
    : [];
}

/** @returns what to do instead of an action of ALTER TABLE that reads or rewrites the table while it is locked */
function scanOf(action: string, isTransaction: boolean): string | undefined {
  if (/^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i.test(action)) return 'a new column, which a later release reads';
  if (/^ALTER (?:COLUMN )?\w+ SET NOT NULL/i.test(action))
    return isTransaction ? 'requireValues() of while-serving.ts, with transaction = false' : undefined;
  if (/^VALIDATE CONSTRAINT/i.test(action))
    return isTransaction ? 'it reads the table: transaction = false, so that no lock is held meanwhile' : undefined;
  const constraint = /^ADD (?:CONSTRAINT \w+ )?(?<kind>CHECK|FOREIGN KEY|UNIQUE|PRIMARY KEY|EXCLUDE)\b/i.exec(action)
    ?.groups?.kind;
  if (constraint !== undefined)
    return /\bNOT VALID$|\bUSING INDEX\b/i.test(action)
      ? undefined
      : 'NOT VALID, then VALIDATE CONSTRAINT; or USING INDEX';
  return /^ADD (?!CONSTRAINT)/i.test(action) ? scanOfNewColumn(action) : undefined;
}

function scanOfNewColumn(action: string): string | undefined {
  if (/\b(?:PRIMARY KEY|UNIQUE|REFERENCES|CHECK)\b/i.test(action)) return 'add the constraint on its own, NOT VALID';
  if (/\b(?:GENERATED|(?:big|small)?serial)\b/i.test(action)) return 'it rewrites the table: fill it in batches';
  const preset = /\bDEFAULT (?<value>.*)$/i.exec(action)?.groups?.value;
  if (preset === undefined)
    return /\bNOT NULL\b/i.test(action) ? 'it fails if there are rows: give it a default' : undefined;
  return /\w\(/.test(preset) && !STABLE.test(preset)
    ? 'a default that differs from row to row rewrites the table: SET DEFAULT on its own, then fill it in batches'
    : undefined;
}

/** Contracting needs two releases: one that does without, and a later one whose migration says so. */
function removals(statement: string, existing: ReadonlySet<string>): string[] {
  const advice = 'the previous release may use it. Insert into schema_requirements which release does without (ADR 36)';
  const dropped = /^DROP TABLE (?:IF EXISTS )?(\w+)/i.exec(statement)?.[1];
  if (dropped !== undefined) return existing.has(dropped) ? [advice] : [];
  if (/^DROP (?:FUNCTION|TYPE|VIEW|EXTENSION)|^ALTER (?:TYPE|FUNCTION) .* RENAME/i.test(statement)) return [advice];
  const altered = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?<table>\w+) (?<actions>.*)$/i.exec(statement)?.groups;
  if (!altered || !existing.has(altered.table ?? '')) return [];
  const removed = topLevel(altered.actions ?? '').some((action) =>
    /^\s*(?:DROP (?!CONSTRAINT|NOT NULL)(?:COLUMN )?\w+|RENAME\b|ALTER (?:COLUMN )?\w+ DROP DEFAULT)/i.test(action),
  );
  return removed ? [advice] : [];
}

/** Without comments, with single spaces. */
function plain(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().replace(/;$/, '');
}

/** Splits at commas outside of parentheses and texts. */
function topLevel(actions: string): string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  let isText = false;
  for (const character of actions) {
    if (character === "'") isText = !isText;
    if (!isText && character === '(') depth++;
    if (!isText && character === ')') depth--;
    if (character === ',' && depth === 0 && !isText) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part];
}
