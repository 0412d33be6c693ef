import sample from '../../src/catalog/sample/sample-catalogue.json';
import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('Documents'));

describe('The migration of an existing catalogue', () => {
  let database: TestDatabase;
  const [owner, other] = [newId(), newId()];
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);
  const documents = sample.listings.map(({ server }) => server as { name: string; version: string });

  async function add(
    server: { name: string; version: string },
    fields: { owner?: string; status?: string; visibility?: string; source?: string; publishedAt?: string } = {},
  ): Promise<string> {
    const id = newId();
    await query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, owner_id, import_source,
                             published_at, icons, website_url)
       SELECT $1, $2, $2, $2, 'A tool server.', id, $4::listing_status, $5::visibility, $3, $6, $7, '[{"src": "é"}]', 'https://a.example'
       FROM categories`,
      [
        id,
        server.name,
        fields.owner ?? null,
        fields.status ?? 'PUBLISHED',
        fields.visibility ?? 'PUBLIC',
        fields.source ?? null,
        fields.publishedAt ?? '2026-01-01T00:00:00Z',
      ],
    );
    await version(id, server);
    return id;
  }
  const version = (id: string, server: { version: string }, isLatest = true) =>
    query(`INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, $2, $3, $4)`, [
      id,
      server.version,
      JSON.stringify(server),
      isLatest,
    ]);
  const tool = (name: string) => ({ zulu: { b: 1, a: 'é' }, name, version: '1.0.0', description: 'A tool server.' });

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
    await query(`INSERT INTO users (id) VALUES ($1), ($2)`, [owner, other]);
    await query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('C', 'c', '', 'box', 1)`,
    );
    const [unchanged, archived, extended, owned, imported, ...rest] = documents;
    if (!unchanged || !archived || !extended || !owned || !imported) throw new Error('The sample has more than that.');
    await add(unchanged);
    await add(archived, { status: 'ARCHIVED' });
    await version(await add(extended), { ...extended, version: '99.0.0' }, false);
    await add(owned, { owner });
    await add(imported, { source: 'file' });
    await add({ ...rest[0], name: String(rest[0]?.name), version: '1.0.0-changed' });
    for (const one of rest.slice(1)) await add(one);

    const [done, cut] = [newId(), newId()];
    await query(`INSERT INTO import_sources (address, changed_until) VALUES ('https://a.example', now())`);
    await query(
      `INSERT INTO import_runs (id, source, mode, status, next_cursor, started_at, updated_at)
       VALUES ($1, 'https://a.example', 'whole', 'finished', NULL, now(), now()),
              ($2, 'https://a.example', 'whole', 'failed', 'half-way', now(), now())`,
      [done, cut],
    );
    await add(tool('io.twin/B'), { owner, publishedAt: '2026-02-01T00:00:00Z' });
    await add(tool('io.twin/b'), { owner: other, publishedAt: '2026-01-01T00:00:00Z' });
    await add(tool('io.own/B'), { owner, status: 'DRAFT' });
    await add(tool('io.own/b'), { owner, status: 'DRAFT' });
    await add(tool('io.free/B'), { owner, visibility: 'PRIVATE' });
    await add(tool('io.free/b'), { owner: other });
    await migrate(database.dataSource);
  });

  afterAll(() => database.drop());

  it('marks unchanged sample listings as samples, archived or not', async () => {
    const rows = await query<{ name: string }>(`SELECT name FROM listings WHERE is_sample`);
    const [unchanged, archived, , , , , ...rest] = documents;
    const expected = [unchanged, archived, ...rest].map((one) => one?.name);
    expect(rows.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  it('makes the next import of each source start from the beginning', async () => {
    expect(await query(`SELECT changed_until FROM import_sources`)).toEqual([{ changed_until: null }]);
    expect(await query(`SELECT status, next_cursor FROM import_runs ORDER BY id`)).toEqual([
      { status: 'finished', next_cursor: null },
      { status: 'failed', next_cursor: null },
    ]);
  });

  it('keeps names that differ only in case; the first public listing owns the name from now on', async () => {
    const rows = await query(
      `SELECT name, shares_name FROM listings WHERE name LIKE 'io.%/_' ORDER BY name COLLATE "C"`,
    );
    expect(rows).toEqual([
      { name: 'io.free/B', shares_name: false },
      { name: 'io.free/b', shares_name: false },
      { name: 'io.own/B', shares_name: false },
      { name: 'io.own/b', shares_name: true },
      { name: 'io.twin/B', shares_name: true },
      { name: 'io.twin/b', shares_name: false },
    ]);
    await expect(add(tool('IO.twin/b'))).rejects.toThrow(/listings_public_name_key/);
    await expect(add(tool('IO.own/b'), { owner, status: 'DRAFT' })).rejects.toThrow(/listings_owner_name_key/);
    // They work as before.
    await query(`UPDATE listings SET status = 'ARCHIVED' WHERE name = 'io.twin/B'`);
    await query(`UPDATE listings SET status = 'PUBLISHED' WHERE name = 'io.twin/B'`);
  });

  it('keeps every document, and records its size and that of its listing', async () => {
    const [row] = await query<{ server: object; bytes: number; text: string; shown: number }>(
      `SELECT server, server_bytes AS bytes, server::text AS text, shown_bytes AS shown
       FROM listing_versions JOIN listings ON listings.id = listing_id WHERE name = 'io.own/B'`,
    );
    expect(row?.server).toEqual(tool('io.own/B'));
    expect(row?.bytes).toBe(Buffer.byteLength(row?.text ?? ''));
    expect(row?.shown).toBe(Buffer.byteLength('[{"src": "é"}]https://a.example{}'));
    await add(tool('io.new/a'));
    const [fresh] = await query<{ text: string; bytes: number; shown: number }>(
      `SELECT server::text AS text, server_bytes AS bytes, shown_bytes AS shown
       FROM listing_versions JOIN listings ON listings.id = listing_id WHERE name = 'io.new/a'`,
    );
    const wire = JSON.stringify(tool('io.new/a'));
    expect(fresh).toEqual({ text: wire, bytes: Buffer.byteLength(wire), shown: row?.shown });
  });

  it('keeps stamping changes in the order of commits', async () => {
    const times = async () =>
      query<{ updated_at: Date }>(`SELECT updated_at FROM listing_versions ORDER BY updated_at DESC LIMIT 1`);
    const [before] = await times();
    await query(`UPDATE listing_versions SET status = 'deprecated' WHERE server_name = 'io.new/a'`);
    const [after] = await times();
    expect(after?.updated_at.getTime()).toBeGreaterThan(before?.updated_at.getTime() ?? Infinity);
  });

  it('can be reverted without losing a document', async () => {
    const [before] = await query<{ count: number }>(`SELECT count(*)::int AS count FROM listing_versions`);
    for (let left = MIGRATIONS.length; left > FIRST; left--)
      await database.dataSource.undoLastMigration({ transaction: 'each' });
    expect(await query(`SELECT count(*)::int AS count FROM listing_versions`)).toEqual([before]);
    expect(await query(`SELECT server FROM listing_versions WHERE server_name = 'io.own/B'`)).toEqual([
      { server: tool('io.own/B') },
    ]);
  });
});
