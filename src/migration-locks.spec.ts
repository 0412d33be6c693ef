import { MIGRATIONS } from '../migrations/migrations';
import previous from '../migrations/previous-release.json';
import { longLocks, type MigrationText, tablesOf, textOf } from '../test/support/migration-locks';

describe('Migrations since the previous release', () => {
  let released: MigrationText[];
  let added: MigrationText[];

  beforeAll(async () => {
    const texts = await Promise.all(MIGRATIONS.map(textOf));
    const last = texts.findIndex(({ name }) => name === previous.lastMigration);
    expect(last).toBeGreaterThan(0);
    released = texts.slice(0, last + 1);
    added = texts.slice(last + 1);
  });

  it('hold no lock for long on a table that has rows, and take nothing away that the previous release uses', () => {
    const existing = tablesOf(released);
    expect(existing.size).toBeGreaterThan(35);
    expect(
      added.flatMap((migration) => longLocks(migration, existing).map((lock) => `${migration.name}: ${lock}`)),
    ).toEqual([]);
  });
});

describe('The check of migrations', () => {
  const existing = new Set(['users']);
  const check = (statements: string[], isTransaction = true) =>
    longLocks({ name: 'One', statements, isTransaction }, existing);

  it.each([
    'CREATE INDEX users_name_idx ON users (name)',
    'CREATE UNIQUE INDEX CONCURRENTLY users_name_key ON users (name)',
    'ALTER TABLE users ALTER COLUMN name TYPE varchar(100)',
    'ALTER TABLE users ALTER name SET DATA TYPE varchar(100)',
    'ALTER TABLE users ALTER COLUMN name SET NOT NULL',
    'ALTER TABLE users ADD COLUMN age integer NOT NULL',
    'ALTER TABLE users ADD age integer NOT NULL',
    'ALTER TABLE users ADD COLUMN key uuid DEFAULT gen_random_uuid()',
    'ALTER TABLE users ADD COLUMN nick text, ADD COLUMN number bigserial',
    'ALTER TABLE users ADD COLUMN org_id uuid REFERENCES organisations (id)',
    `ALTER TABLE users ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED`,
    `ALTER TABLE users ADD CONSTRAINT users_name_check CHECK (name <> ',')`,
    'ALTER TABLE users ADD CONSTRAINT users_name_key UNIQUE (name)',
    'ALTER TABLE users VALIDATE CONSTRAINT users_name_check',
    'UPDATE users SET name = upper(name)',
    'DELETE FROM users WHERE name IS NULL',
    'LOCK TABLE users',
    'REINDEX TABLE users',
  ])('objects to a long lock: %s', (statement) => {
    expect(check([statement])).toHaveLength(1);
  });

  it.each([
    'DROP TABLE users',
    'ALTER TABLE users DROP COLUMN name',
    'ALTER TABLE users DROP name',
    'ALTER TABLE users RENAME COLUMN name TO title',
    'ALTER TABLE users RENAME TO people',
    'ALTER TABLE users ALTER COLUMN name DROP DEFAULT',
    'DROP FUNCTION address_key(text)',
  ])('objects to a removal that names no release: %s', (statement) => {
    expect(check([statement])).toHaveLength(1);
    expect(check([statement, `INSERT INTO schema_requirements VALUES ('One', 'Other', '0.3.0')`])).toEqual([]);
  });

  it.each([
    'CREATE INDEX notes_name_idx ON notes (name)',
    'ALTER TABLE notes ALTER COLUMN name SET NOT NULL',
    'ALTER TABLE users ADD COLUMN age integer',
    'ALTER TABLE users ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now()',
    `ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'person'`,
    'ALTER TABLE users ALTER COLUMN key SET DEFAULT uuid_v7()',
    `ALTER TABLE users ADD CONSTRAINT users_name_check CHECK (name <> '') NOT VALID`,
    'ALTER TABLE users ADD CONSTRAINT users_name_key UNIQUE USING INDEX users_name_idx',
    'ALTER TABLE users DROP CONSTRAINT users_name_check',
    'INSERT INTO users (name) VALUES (1)',
  ])('accepts what is short, and anything on new tables: %s', (statement) => {
    expect(check([statement])).toEqual([]);
  });

  it('accepts long work that is not in one transaction', () => {
    const steps = [
      'CREATE INDEX CONCURRENTLY users_name_idx ON users (name)',
      'UPDATE users SET name = upper(name) WHERE id > $1',
      'ALTER TABLE users VALIDATE CONSTRAINT users_name_check',
    ];
    expect(check(steps, false)).toEqual([]);
  });
});
