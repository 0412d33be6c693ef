import { createDataSource } from '../../src/database/data-source';
import { newId } from '../../src/database/id';
import { migrate } from '../../src/database/migrate';
import { ENTITIES, MIGRATIONS } from '../../src/schema';
import { createDatabase, type TestDatabase } from '../support/database';

const FIRST = MIGRATIONS.findIndex(({ name }) => name.startsWith('DocumentAddresses'));
const GOOD = 'https://good.example/a@b';
const BAD = [
  'javascript:alert(1)',
  'https://user:secret@bad.example/x',
  'HTTPS:\\\\user@bad.example',
  'ftp://x.example/',
];
const STDIO = { registryType: 'pypi', identifier: 'kept', version: '1.0.0', transport: { type: 'stdio' } };

const named = (name: string) => ({ name, description: 'A tool server.', version: '1.0.0' });
const bad = (address: string, name: string) => ({
  ...named(name),
  websiteUrl: address,
  repository: { url: address, source: 'github' },
  icons: [{ src: address }, { src: GOOD }],
  remotes: [
    { type: 'sse', url: address },
    { type: 'streamable-http', url: GOOD },
  ],
  packages: [
    { ...STDIO, registryType: 'npm', transport: { type: 'sse', url: address } },
    { ...STDIO, registryBaseUrl: address },
  ],
  _meta: { other: { url: address } },
});
const mended = (address: string, name: string) => ({
  ...named(name),
  icons: [{ src: GOOD }],
  remotes: [{ type: 'streamable-http', url: GOOD }],
  packages: [STDIO],
  _meta: { other: { url: address } },
});

describe('The migration of addresses in stored documents', () => {
  let database: TestDatabase;
  const query = <T>(sql: string, parameters: unknown[] = []) => database.dataSource.query<T[]>(sql, parameters);

  async function add(server: ReturnType<typeof named>, shown: Partial<ReturnType<typeof bad>> = {}): Promise<void> {
    const id = newId();
    await query(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, published_at,
                             website_url, repository, icons, transports, registry_types)
       SELECT $1, $2, $2, $2, '', id, 'PUBLISHED', 'PUBLIC', now(), $3, $4, $5, server_transports($6), server_registry_types($6)
       FROM categories LIMIT 1`,
      [
        id,
        server.name,
        shown.websiteUrl ?? null,
        shown.repository ? JSON.stringify(shown.repository) : null,
        JSON.stringify(shown.icons ?? []),
        JSON.stringify(server),
      ],
    );
    await query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, '1.0.0', $2, true)`,
      [id, JSON.stringify(server)],
    );
  }
  const stored = () =>
    query<Record<string, unknown>>(
      `SELECT name, server, website_url, repository, listings.icons, transports, registry_types
       FROM listings JOIN listing_versions ON listing_id = listings.id ORDER BY name`,
    );

  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    const migrations = MIGRATIONS.slice(0, FIRST);
    const before = createDataSource({ url: database.url, poolSize: 2, entities: ENTITIES, migrations });
    await before.initialize();
    await migrate(before);
    await before.destroy();
    await query(
      `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('C', 'c', '', 'box', 1)`,
    );
  });

  afterAll(() => database.drop());

  it('drops what may not be opened, with what it belongs to, and nothing else', async () => {
    for (const [index, address] of BAD.entries()) {
      const document = bad(address, `io.bad/${index}`);
      await add(document, document);
    }
    const good = { ...bad(GOOD, 'io.good/all'), remotes: [{ type: 'sse', url: 'https://{tenant}.example/{path}' }] };
    await add(good, good);
    // Documents of the first releases were checked less, and fields may have any form.
    const odd = { ...named('io.odd/forms'), icons: 'x', remotes: [], packages: [{ transport: null }], repository: [] };
    await add(odd);
    const before = await stored();
    await migrate(database.dataSource);
    const rows = await stored();
    expect(rows.slice(0, BAD.length)).toEqual(
      BAD.map((address, index) => ({
        name: `io.bad/${index}`,
        server: mended(address, `io.bad/${index}`),
        website_url: null,
        repository: null,
        icons: [{ src: GOOD }],
        transports: ['stdio', 'streamable-http'],
        registry_types: ['pypi'],
      })),
    );
    expect(rows.slice(BAD.length)).toEqual(before.slice(BAD.length));
    expect(rows).toHaveLength(BAD.length + 2);
  });
});
