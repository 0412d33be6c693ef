import { compare, parse } from 'semver';
import { type KnownVersion, type Newest, newestInTime } from '../../migrations/newest-in-time';
import { newId } from '../../src/database/id';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('BundlesWhole'));

describe('The migration of existing bundles', () => {
  let database: TestDatabase;
  const [owner, follower, full, empty] = [newId(), newId(), newId(), newId()];
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const before = createDataSource({
      url: database.url,
      poolSize: 2,
      entities: ENTITIES,
      migrations: MIGRATIONS.slice(0, FIRST),
    });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(`INSERT INTO users (id) VALUES ($1), ($2)`, [owner, follower]);
    await query(
      `INSERT INTO bundles (id, name, slug, owner_id) VALUES ($1, 'Full', 'full', $3), ($2, 'Empty', 'empty', $3)`,
      [full, empty, owner],
    );
    const names = ['io.github.acme/weather', 'com.other/Weather', 'a/工具', 'b/!!', `c/${'x'.repeat(150)}`];
    for (const [position, name] of names.entries()) {
      await query(
        `INSERT INTO bundle_entries (id, bundle_id, listing_name, position, config) VALUES ($1, $2, $3, $4, '{"a": 1}')`,
        [newId(), full, name, position],
      );
    }
    await query(`INSERT INTO bundle_follows (bundle_id, user_id) VALUES ($1, $2)`, [full, follower]);
    await query(
      `INSERT INTO bundle_access_tokens (id, bundle_id, name, prefix, digest) VALUES ($1, $2, 'Old', 'tyb_', '\\x00')`,
      [newId(), full],
    );
    await query(
      `INSERT INTO bundle_deployments (id, bundle_id, name, environment, status) VALUES ($1, $2, 'D', 'test', 'RUNNING')`,
      [newId(), full],
    );
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('counts their entries and followers, and keeps the entries as their first version', async () => {
    const rows = await query<object>(`SELECT id, version, entry_count, follower_count FROM bundles ORDER BY name`);
    expect(rows).toEqual([
      { id: empty, version: 1, entry_count: 0, follower_count: 0 },
      { id: full, version: 1, entry_count: 5, follower_count: 1 },
    ]);
    const [emptyVersion, fullVersion] = await query<{ entries: object[]; action: string; made_by: null }>(
      `SELECT bundle_versions.* FROM bundle_versions JOIN bundles ON bundles.id = bundle_id ORDER BY name`,
    );
    expect(emptyVersion).toMatchObject({ number: 1, entries: [], entry_count: 0, action: 'CREATED', made_by: null });
    expect(fullVersion?.entries).toEqual(
      await query(`
        SELECT id, listing_id, listing_name, key, version, NULL AS listing_version, is_enabled, config
        FROM bundle_entries ORDER BY position`),
    );
  });

  it('gives every entry a unique key', async () => {
    const keys = (await query<{ key: string }>(`SELECT key FROM bundle_entries ORDER BY position`)).map(
      ({ key }) => key,
    );
    expect(keys[0]).toBe('weather');
    expect(keys[1]).toMatch(/^weather-[0-9a-f]{8}$/);
    expect(keys[2]).toBe('server');
    expect(keys[3]).toMatch(/^server-[0-9a-f]{8}$/);
    expect(keys.every((key) => /^[a-z0-9-]{1,64}$/.test(key))).toBe(true);
  });

  it('binds deployments to that version, and tokens to the owner', async () => {
    expect(await query(`SELECT bundle_version FROM bundle_deployments`)).toEqual([{ bundle_version: 1 }]);
    expect(await query(`SELECT created_by FROM bundle_access_tokens`)).toEqual([{ created_by: owner }]);
  });

  it('keeps counting followers', async () => {
    await query(`INSERT INTO bundle_follows (bundle_id, user_id) VALUES ($1, $2), ($3, $2)`, [full, owner, empty]);
    await query(`DELETE FROM bundle_follows WHERE user_id = $1`, [follower]);
    expect(await query(`SELECT follower_count FROM bundles ORDER BY name`)).toEqual([
      { follower_count: 1 },
      { follower_count: 1 },
    ]);
  });

  it('can be reverted without losing existing data', async () => {
    for (let left = MIGRATIONS.length; left > FIRST; left--)
      await database.dataSource.undoLastMigration({ transaction: 'each' });
    expect(await query(`SELECT count(*)::int AS count FROM bundle_entries`)).toEqual([{ count: 5 }]);
    expect(await query(`SELECT count(*)::int AS count FROM bundle_deployments`)).toEqual([{ count: 1 }]);
  });
});

/** The rule in its naive form: at each moment, the highest of the versions that existed. */
function naiveNewestInTime(versions: readonly KnownVersion[]): Newest[] {
  const moments = versions.flatMap(({ created_at, deleted_at }) => [created_at, ...(deleted_at ? [deleted_at] : [])]);
  const found: Newest[] = [];
  for (const moment of moments.toSorted((a, b) => a.getTime() - b.getTime())) {
    const existing = versions.filter(({ created_at }) => created_at <= moment);
    const living = existing.filter(({ deleted_at }) => deleted_at === null || deleted_at > moment);
    const [newest] = (living.length > 0 ? living : existing).toSorted((a, b) => {
      const [left, right] = [parse(a.version), parse(b.version)];
      const precedence = left && right ? compare(right, left) : Number(right !== null) - Number(left !== null);
      return precedence || b.date.getTime() - a.date.getTime() || (b.version < a.version ? -1 : 1);
    });
    if (newest && newest.version !== found.at(-1)?.version) {
      found.push({ listing_id: 'x', version: newest.version, since: found.length === 0 ? null : moment });
    }
  }
  return found;
}

describe('The newest version of a listing over time', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
  /** A deterministic sequence of numbers below `most`. */
  const numbers = (seed: number) => {
    let state = seed;
    return (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  };

  it('agrees with a naive search of all versions at each moment', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const pick = numbers(seed);
      const names = ['1.0.0', '1.1.0', '2.0.0-rc.1', '2.0.0', '2.0.0+build', '2026-01', 'beta'].slice(pick(6));
      const versions = names.map((version) => ({
        listing_id: 'x',
        version,
        date: day(pick(3)),
        created_at: day(pick(6)),
        deleted_at: pick(2) === 0 ? day(pick(8)) : null,
      }));
      expect([seed, newestInTime(versions)]).toEqual([seed, naiveNewestInTime(versions)]);
    }
  });

  it('is computed fast for 20,000 versions, half of them deleted', () => {
    const versions = Array.from({ length: 20_000 }, (_, n) => ({
      listing_id: 'x',
      version: `1.${n}.0`,
      date: day(n),
      created_at: day(n),
      deleted_at: n % 2 === 0 ? null : day(40_000 - n),
    }));
    expect(newestInTime(versions).at(-1)).toMatchObject({ version: '1.19998.0' });
  });
});
