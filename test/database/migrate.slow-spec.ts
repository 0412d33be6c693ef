import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, requireValues } from '../../migrations/while-serving';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { MIGRATIONS } from '../../src/schema';
import { createTestApp, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { holding, untilBlocked } from '../support/held-lock';

class People1000000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE people (id integer, name text)`);
    await queryRunner.query(`INSERT INTO people VALUES (1, 'Ada'), (2, 'Ada')`);
  }

  async down(): Promise<void> {}
}

class Nickname1000000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE first_step (id integer)`);
    await queryRunner.query(`ALTER TABLE people ADD COLUMN nickname text`);
  }

  async down(): Promise<void> {}
}

class UniqueNames1000000000003 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'people_name_key', 'ON people (name)', { unique: true });
    await requireValues(queryRunner, 'people', 'name');
  }

  async down(): Promise<void> {}
}

const COUNT = `SELECT count(*)::int AS count FROM people`;

describe('The migration runner', () => {
  let database: TestDatabase;
  const warnings: string[] = [];
  const log = { info: () => undefined, debug: () => undefined, warn: (text: string) => void warnings.push(text) };

  const query = <T>(sql: string) => database.dataSource.query<T[]>(sql);
  const columns = async () =>
    (
      await query<{ name: string }>(`SELECT attname AS name FROM pg_attribute WHERE attrelid = 'people'::regclass
      AND attnum > 0 ORDER BY attnum`)
    ).map(({ name }) => name);

  /** As a process does whose release has these. */
  async function run(migrations: (new () => MigrationInterface)[], options = {}): Promise<string[]> {
    const release = createDataSource({ url: database.url, poolSize: 1, entities: [], migrations });
    await release.initialize();
    try {
      return await migrate(release, { log, lockTimeout: 50, ...options });
    } finally {
      await release.destroy();
    }
  }

  beforeEach(async () => {
    warnings.length = 0;
    database = await createDatabase({ migrated: false });
    await run([People1000000000001]);
  });

  afterEach(() => database.drop());

  it('lets others use a table while a migration waits for a transaction that is open on it', async () => {
    const running = holding(database.dataSource, COUNT, async (release) => {
      const migration = run([People1000000000001, Nickname1000000000002]);
      await eventually(
        () => warnings.length,
        (count) => count > 0,
        10_000,
      );
      expect(await query(COUNT)).toEqual([{ count: 2 }]);
      await query(`INSERT INTO people VALUES (3, 'Grace')`);
      await release();
      return migration;
    });
    expect(await running).toEqual(['Nickname1000000000002']);
    expect(warnings[0]).toContain('Nickname1000000000002');
    expect(await columns()).toEqual(['id', 'name', 'nickname']);
  });

  it('gives up after some time, says which migration it was, and leaves nothing of it', async () => {
    await holding(database.dataSource, COUNT, async () => {
      await expect(run([People1000000000001, Nickname1000000000002], { patience: 0 })).rejects.toThrow(
        /Nickname1000000000002 did not get its locks/,
      );
    });
    expect(await columns()).toEqual(['id', 'name']);
    expect(await query(`SELECT to_regclass('first_step') AS name`)).toEqual([{ name: null }]);
    expect(await run([People1000000000001, Nickname1000000000002])).toEqual(['Nickname1000000000002']);
  });

  it('builds an index beside writers, and beside another process that waits for its turn', async () => {
    await query(`DELETE FROM people WHERE id = 2`);
    const release = [People1000000000001, UniqueNames1000000000003];
    const [first, second] = await holding(database.dataSource, `UPDATE people SET id = 5`, async (commit) => {
      const runs = [run(release), run(release)];
      await untilBlocked(database.dataSource, 1);
      await query(`INSERT INTO people VALUES (3, 'Grace')`);
      await commit();
      return Promise.all(runs);
    });
    expect([...(first ?? []), ...(second ?? [])]).toEqual(['UniqueNames1000000000003']);
    await expect(query(`INSERT INTO people VALUES (4, 'Grace')`)).rejects.toThrow('people_name_key');
    await expect(query(`INSERT INTO people VALUES (4, NULL)`)).rejects.toThrow('not-null');
  });

  it('repeats a migration that was interrupted between its steps, and removes the index that it left behind', async () => {
    const release = [People1000000000001, UniqueNames1000000000003];
    await expect(run(release)).rejects.toThrow('people_name_key');
    const isValid = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'people_name_key'::regclass`;
    expect(await query(isValid)).toEqual([{ valid: false }]);
    await query(`DELETE FROM people WHERE id = 2`);
    expect(await run(release)).toEqual(['UniqueNames1000000000003']);
    expect(await query(isValid)).toEqual([{ valid: true }]);
  });
});

describe('A release that meets a newer schema', () => {
  let toolyard: TestApp;
  const newest = MIGRATIONS.at(-1)?.name;

  beforeAll(async () => {
    toolyard = await createTestApp();
    await toolyard.dataSource.query(
      `INSERT INTO migrations ("timestamp", name) VALUES (1999999999999, 'Added1999999999999')`,
    );
  });

  afterAll(() => toolyard.close());

  const readiness = async () => {
    const answer = await fetch(`${toolyard.url}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };

  it('serves if the newer migrations only add', async () => {
    expect(await migrate(toolyard.dataSource)).toEqual([]);
    expect((await readiness()).status).toBe(200);
  });

  it('serves if something was taken away that it does not need', async () => {
    await toolyard.dataSource.query(`INSERT INTO schema_requirements VALUES ('Removed1999999999998', $1, '0.2.0')`, [
      newest,
    ]);
    expect(await migrate(toolyard.dataSource)).toEqual([]);
    expect((await readiness()).status).toBe(200);
  });

  it('says which release to run if something was taken away that it needs, and is not ready', async () => {
    await toolyard.dataSource.query(
      `INSERT INTO schema_requirements VALUES ('Removed1999999999999', 'Added1999999999999', '0.10.0'),
         ('Removed1999999999997', 'Added1999999999999', '0.9.0')`,
    );
    const problem =
      'The schema is newer than this release: run Toolyard 0.10.0 or newer (migration Removed1999999999999).';
    await expect(migrate(toolyard.dataSource)).rejects.toThrow(problem);
    expect(await readiness()).toEqual({ status: 503, body: { code: 'service_unavailable', detail: problem } });
  });
});
