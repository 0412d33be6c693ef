import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

/** The migrations that introduced pinned entries and limits for organisations. */
const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('OrganisationCreators'));

/** The data of the first release, which stored neither who created an organisation nor the version of an entry. */
describe('The migrations of a database of the first release', () => {
  let database: TestDatabase;
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);
  const [founder, heir, gone] = [newId(), newId(), newId()];
  const [audited, unaudited, unknown] = [newId(), newId(), newId()];
  const [weather, maps, bundle] = [newId(), newId(), newId()];
  const deletedListing = newId();
  const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00.000Z`;

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

    await query(`INSERT INTO users (id) VALUES ($1), ($2)`, [founder, heir]);
    for (const id of [audited, unaudited, unknown]) {
      await query(`INSERT INTO organisations (id, name, slug, created_at) VALUES ($1, 'A', $2, $3)`, [id, id, day(1)]);
    }
    const audit = `INSERT INTO audit_log (id, org_id, action, actor_type, subject_type, subject_id, reason)
      VALUES ($1, $2, 'member.added', 'user', 'member', $3, $4)`;
    await query(audit, [newId(), audited, founder, 'created_organisation']);
    await query(audit, [newId(), audited, heir, 'manual']);
    await query(audit, [newId(), unknown, gone, 'created_organisation']);
    const member = `INSERT INTO memberships (org_id, user_id, manual_role, role, created_at) VALUES ($1, $2, $3, $3, $4)`;
    await query(member, [audited, heir, 'OWNER', day(1)]);
    await query(member, [unaudited, heir, 'OWNER', day(2)]);
    await query(member, [unaudited, founder, 'OWNER', day(1)]);
    await query(member, [unknown, heir, 'OWNER', day(2)]);

    await query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('C', 'c', '', 'box', 1)`,
    );
    for (const [id, name] of [
      [weather, 'io.github.acme/weather'],
      [maps, 'io.github.acme/maps'],
    ]) {
      await query(
        `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility)
         SELECT $1, $2, $2, $2, 'A server.', id, 'PUBLISHED', 'PUBLIC' FROM categories`,
        [id, name],
      );
    }
    // In the order of creation: the newest is by precedence, and 2.0.0 was withdrawn on day 8.
    for (const [listing, version, created, deleted, latest] of [
      [weather, '1.9.0', day(2), null, false],
      [weather, '1.10.0', day(4), null, true],
      [weather, '1.2.0', day(5), null, false],
      [weather, '2.0.0', day(6), day(8), false],
      [maps, 'odd', day(3), null, true],
    ] as const) {
      await query(
        `INSERT INTO listing_versions (listing_id, version, server, is_latest, created_at, status, status_changed_at)
         VALUES ($1, $2, '{}', $3, $4, CASE WHEN $5::timestamptz IS NULL THEN 'active' ELSE 'deleted' END, $5)`,
        [listing, version, latest, created, deleted],
      );
    }
    await query(`INSERT INTO bundles (id, name, slug, owner_id, version) VALUES ($1, 'B', 'b', $2, 6)`, [
      bundle,
      founder,
    ]);
    const entries = [weather, maps, deletedListing, null].map((listing_id, n) => ({
      ...{ id: newId(), listing_id, listing_name: `listing ${n}`, key: `key-${n}`, is_enabled: true, config: { n } },
    }));
    const changes = { added: 0, removed: 0, moved: 0, enabled: 0, disabled: 0, reconfigured: 0 };
    for (const [number, created] of [day(1), day(3), day(5), day(7), day(9)].entries()) {
      await query(
        `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes, created_at)
         VALUES ($1, $2, $3, 4, 'ENTRY_ADDED', $4, $5)`,
        [bundle, number + 2, JSON.stringify(entries), changes, created],
      );
    }
    await query(
      `INSERT INTO bundle_versions (bundle_id, number, entries, entry_count, action, changes)
       VALUES ($1, 1, '[]', 0, 'CREATED', $2)`,
      [bundle, changes],
    );
    await query(
      `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position) VALUES ($1, $2, $3, 'w', 'w', 0)`,
      [newId(), bundle, weather],
    );
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('find who created an organisation in the audit log or by matching times, without guessing', async () => {
    const rows = await query<{ id: string; created_by: string | null }>(`SELECT id, created_by FROM organisations`);
    expect(new Map(rows.map(({ id, created_by }) => [id, created_by]))).toEqual(
      new Map([
        [audited, founder],
        [unaudited, founder],
        [unknown, null],
      ]),
    );
  });

  it('record in existing bundle versions which listing versions were the newest then', async () => {
    const rows = await query<{ number: number; entries: Record<string, unknown>[] }>(
      `SELECT number, entries FROM bundle_versions ORDER BY number`,
    );
    expect(rows.map(({ entries }) => entries.map(({ listing_version }) => listing_version))).toEqual([
      [],
      ['1.9.0', 'odd', null, null], // from before either was published
      ['1.9.0', 'odd', null, null],
      ['1.10.0', 'odd', null, null],
      ['2.0.0', 'odd', null, null],
      ['1.10.0', 'odd', null, null],
    ]);
    const [, first] = rows;
    expect(first?.entries.map(({ key, version, config }) => [key, version, config])).toEqual(
      [0, 1, 2, 3].map((n) => [`key-${n}`, null, { n }]),
    );
  });

  it('leave existing entries following the newest version', async () => {
    expect(await query(`SELECT version FROM bundle_entries`)).toEqual([{ version: null }]);
  });

  it('can be reverted without losing existing data', async () => {
    for (let left = MIGRATIONS.length; left > FIRST; left--)
      await database.dataSource.undoLastMigration({ transaction: 'each' });
    const [row] = await query<{ entries: object[] }>(`SELECT entries FROM bundle_versions WHERE number = 3`);
    expect(Object.keys(row?.entries[0] ?? {}).sort()).toEqual(
      ['id', 'listing_id', 'listing_name', 'key', 'is_enabled', 'config'].sort(),
    );
    expect(await query(`SELECT number FROM bundle_versions WHERE entries = '[]'`)).toEqual([{ number: 1 }]);
  });
});
