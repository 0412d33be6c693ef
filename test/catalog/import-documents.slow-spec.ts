import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Import } from '../../src/catalog/import/import.service';
import { NO_MAP } from '../../src/catalog/import/category-map';
import type { ImportRun } from '../../src/catalog/import/import-run';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

interface Entry {
  server: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

const folder = mkdtempSync(join(tmpdir(), 'toolyard-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

let test: TestApp;

beforeEach(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief' } });
});

afterEach(() => test.close());

const importer = () => test.app.get(Import);
const entry = (name: string, version: string, server: object = {}, official: object = {}): Entry => ({
  server: { name, description: 'A tool server.', version, ...server },
  _meta: {
    [OFFICIAL]: {
      status: 'active',
      publishedAt: '2025-10-09T17:05:17.793149Z',
      updatedAt: '2025-10-09T17:05:17Z',
      ...official,
    },
  },
});

async function load(entries: unknown[]): Promise<ImportRun> {
  const path = join(folder, 'servers.json.gz');
  writeFileSync(path, gzipSync(JSON.stringify({ servers: entries })));
  return importer().run({ from: path, map: NO_MAP });
}

const select = <T>(sql: string) => test.dataSource.query<T[]>(sql);
const listings = () =>
  select<{ name: string; status: string; version: string }>(
    `SELECT name, listings.status, version FROM listings JOIN listing_versions ON listing_id = listings.id AND is_latest ORDER BY name`,
  );
const quarantine = () =>
  select<{ name: string; version: string; reasons: { path: string }[] }>(
    `SELECT name, version, reasons FROM import_quarantine ORDER BY name, version`,
  );

describe('An import of unusual documents', () => {
  it('leaves out what has an address that nobody may open, says so, and quarantines nothing for it', async () => {
    const good = { type: 'sse', url: 'https://good.example/sse' };
    const entries = () => [
      entry('io.a/script', '1.0.0', {
        websiteUrl: 'javascript:alert(1)',
        repository: { url: 'data:text/html,x', source: 'github' },
        icons: [{ src: 'https://good.example/i.png' }, { src: 'javascript:x' }],
        remotes: [
          good,
          { type: 'sse', url: 'https://user:secret@bad.example/sse' },
          { type: 'sse', url: 'ftp://x.example/' },
        ],
      }),
      entry('io.a/plain', '1.0.0', { websiteUrl: 'https://good.example/' }),
    ];
    await load(entries());
    expect(await quarantine()).toEqual([]);
    const [script] = await select<{ server: object; website_url: unknown; repository: unknown; icons: unknown }>(
      `SELECT server, website_url, repository, listings.icons FROM listings
       JOIN listing_versions ON listing_id = listings.id WHERE name = 'io.a/script'`,
    );
    const icons = [{ src: 'https://good.example/i.png' }];
    expect(script).toMatchObject({ website_url: null, repository: null, icons });
    expect(script?.server).toEqual({
      name: 'io.a/script',
      description: 'A tool server.',
      version: '1.0.0',
      icons,
      remotes: [good],
    });
    const noted = test.log.filter((line) => line.includes('addresses that are not http'));
    expect(noted).toHaveLength(1);
    expect(noted[0]).toContain('io.a/script 1.0.0 (/websiteUrl, /repository, /icons/1, /remotes/1, /remotes/2)');
    expect(noted[0]).not.toContain('secret');
    expect(await load(entries())).toMatchObject({ unchanged: 2, updated: 0, created: 0 });
  });

  it('treats names that differ only in case as one, owned by the first spelling', async () => {
    const reasons = async () => (await quarantine()).map(({ name, reasons: [reason] }) => [name, reason]);
    const same = (name: string) => ({
      path: '/name',
      message: `differs only in case from ${name}, which already exists: it counts as the same name`,
    });
    await load([entry('io.a/Case', '1.0.0'), entry('io.a/case', '1.0.0'), entry('io.a/case', '2.0.0')]);
    expect(await listings()).toEqual([{ name: 'io.a/Case', status: 'PUBLISHED', version: '1.0.0' }]);
    await load([entry('io.a/CASE', '3.0.0')]);
    expect(await reasons()).toEqual([
      ['io.a/CASE', same('io.a/Case')],
      ['io.a/case', same('io.a/Case')],
      ['io.a/case', same('io.a/Case')],
    ]);
    // It is found in any case.
    const inRegistry = await test.anonymous.get('/v0.1/servers/io.a%2FCASE/versions/latest');
    expect(inRegistry.body).toMatchObject({ server: { name: 'io.a/Case' } });
    const versions = await test.anonymous.get('/v0.1/servers/IO.A%2Fcase/versions');
    expect(versions.body).toMatchObject({ servers: [{ server: { name: 'io.a/Case' } }] });
    await test.anonymous.get('/v0.1/servers/io.a%2Fother/versions/latest', 404);
  });

  it('can use a name held only by a private, archived listing without an owner', async () => {
    await load([entry('io.a/first', '1.0.0')]);
    await test.dataSource.query(
      `INSERT INTO listings (id, name, slug, title, description, visibility, status, category_id)
       SELECT gen_random_uuid(), 'io.a/left', 'left', 'Left', 'Left.', 'PRIVATE', 'ARCHIVED', id FROM categories`,
    );
    expect(await load([entry('io.a/left', '1.0.0')])).toMatchObject({ created: 1, quarantined: 0 });
    expect(await load([entry('io.a/left', '1.0.0')])).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('quarantines documents over 128 KiB, unless they are stored already', async () => {
    const large = (letters: number) => entry('io.a/large', '1.0.0', { notes: 'é'.repeat(letters) });
    const rest = Buffer.byteLength(JSON.stringify(large(0).server));
    const most = (131_072 - rest) / 2;
    expect(await load([large(Math.floor(most) + 1)])).toMatchObject({ created: 0, quarantined: 1 });
    const [kept] = await quarantine();
    expect(kept?.reasons).toEqual([
      { path: '', message: expect.stringMatching(/at most 131,072 bytes .* it has 131,07[34]\.$/) as string },
    ]);
    expect(await load([large(Math.floor(most))])).toMatchObject({ created: 1, quarantined: 0 });
    await test.dataSource.query(`UPDATE listing_versions SET server = $1`, [JSON.stringify(large(80_000).server)]);
    expect(await load([large(80_000)])).toMatchObject({ unchanged: 1, quarantined: 0 });
    const shown = await test.anonymous.get('/v0.1/servers/io.a%2Flarge/versions/latest');
    expect(shown.body.server).toEqual(large(80_000).server);
  });

  it('keeps empty fields, and restores those that the previous release dropped', async () => {
    const bare = entry('io.a/bare', '1.0.0', { repository: {}, $schema: '' });
    await load([bare]);
    const shown = async () => (await test.anonymous.get('/v0.1/servers/io.a%2Fbare/versions/latest')).body;
    expect(JSON.stringify((await shown()).server)).toBe(JSON.stringify(bare.server));
    const { repository, $schema, ...cleaned } = bare.server;
    expect([repository, $schema]).toEqual([{}, '']);
    await test.dataSource.query(`UPDATE listing_versions SET server = $1`, [JSON.stringify(cleaned)]);
    // Written past the program, so its memory of the registry hears of it by notification.
    await eventually(shown, ({ server }) => JSON.stringify(server) === JSON.stringify(cleaned), 1_000);
    expect(await load([bare])).toMatchObject({ updated: 1, quarantined: 0 });
    expect((await shown()).server).toEqual(bare.server);
    expect(await load([bare])).toMatchObject({ updated: 0, unchanged: 1, quarantined: 0 });
  });

  it('restores the field order that the previous release lost, without reporting a change', async () => {
    const [sorted, withdrawn] = [
      entry('io.a/sorted', '1.0.0', { zulu: 1, alpha: 2 }),
      entry('io.a/withdrawn', '1.0.0'),
    ];
    await load([sorted, withdrawn]);
    const rows = () =>
      select<{ text: string; updated_at: Date }>(
        `SELECT server::text AS text, updated_at FROM listing_versions ORDER BY server_name`,
      );
    const [first] = await rows();
    expect(first?.text).toBe(JSON.stringify(sorted.server));
    await test.dataSource.query(`UPDATE listing_versions SET server = server::jsonb::json`);
    const before = await rows();
    expect(before.map(({ text }) => text)).not.toContain(first?.text);
    const deleted = entry('io.a/withdrawn', '1.0.0', {}, { status: 'deleted' });
    expect(await load([sorted, deleted])).toMatchObject({ unchanged: 1, updated: 1, quarantined: 0 });
    const after = await rows();
    expect(after.map(({ text }) => text)).toEqual([sorted, withdrawn].map(({ server }) => JSON.stringify(server)));
    expect(after[0]?.updated_at).toEqual(before[0]?.updated_at);
    expect(after[1]?.updated_at).not.toEqual(before[1]?.updated_at);
    // A document with other content is a change.
    await test.dataSource.query(
      `UPDATE listing_versions SET server = '{"name": "io.a/sorted"}' WHERE server_name = 'io.a/sorted'`,
    );
    expect((await rows())[0]?.updated_at).not.toEqual(after[0]?.updated_at);
  });
});
