import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { inTransaction } from '../../src/database/transaction';
import { ListingWriter } from '../../src/catalog/listings/listing-writer';
import type { ServerDocument } from '../../src/catalog/listings/server-document';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createListing, idOf } from '../support/factories';
import { allPages, nextPage } from '../support/pages';
import { describeRegistries } from '../support/registries';

let test: TestApp;
let cast: Cast;
let api: Api;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  api = cast.outsider;
  const chief = await test.as('chief');
  for (const name of ['Databases', 'Weather and maps', 'Other']) await chief.post('/v1/mcp/categories', { name });
});

afterAll(() => test.close());

async function publish(name: string, fields: Partial<ServerDocument> & { category?: string; orgId?: string } = {}) {
  const { category = 'other', orgId = null, ...document } = fields;
  const [row] = await test.dataSource.query<{ id: number }[]>(`SELECT id FROM categories WHERE slug = $1`, [category]);
  const writer = test.app.get(ListingWriter);
  const server = { name, description: 'A tool server.', version: '1.0.0', ...document };
  return inTransaction(test.dataSource, async (manager) => {
    const draft = {
      categoryId: row?.id ?? 0,
      visibility: orgId ? 'PRIVATE' : 'PUBLIC',
      server,
      orgId,
      ownerId: null,
    } as const;
    const id = await writer.create(manager, draft);
    await writer.publish(manager, [id]);
    return id;
  });
}

const names = async (query: string, by = api) =>
  (await allPages(by, `/v1/mcp/listings?${query}`)).map(({ name }) => name);
const found = (text: string, more = '', by = api) => names(`search=${encodeURIComponent(text)}${more}`, by);

describe('The search for listings', () => {
  beforeAll(async () => {
    await publish('io.github.acme/postgres', { title: 'PostgreSQL', category: 'databases' });
    await publish('io.github.acme/postgres-tools', { title: 'Tools for PostgreSQL', category: 'databases' });
    await publish('io.github.zeta/query', {
      title: 'Query anything',
      description: 'Reads postgres and other databases.',
    });
    await publish('io.github.zeta/sqlite', { title: 'SQLite', category: 'databases' });
    await publish('io.github.sun/forecast', {
      title: 'Forecast',
      description: 'Weather forecasts for any place.',
      category: 'weather-and-maps',
      packages: [{ registryType: 'pypi', identifier: 'forecast', transport: { type: 'stdio' } }],
    });
    await publish('io.github.odd/100%_real', { title: '100%_real' });
  });

  it('ranks the exact name first, then the same title, then name prefixes, then words', async () => {
    expect(await found('io.github.acme/postgres')).toEqual([
      'io.github.acme/postgres',
      'io.github.acme/postgres-tools',
    ]);
    expect(await found('postgres')).toEqual([
      'io.github.acme/postgres',
      'io.github.acme/postgres-tools',
      'io.github.zeta/query',
    ]);
    expect(await found('PostgreSQL')).toEqual(['io.github.acme/postgres', 'io.github.acme/postgres-tools']);
    expect(await found('tools postgres')).toEqual(['io.github.acme/postgres-tools']);
  });

  it('finds words of the description, prefixes of words, and by category', async () => {
    expect(await found('forecasts place')).toEqual(['io.github.sun/forecast']);
    expect(await found('weath')).toEqual(['io.github.sun/forecast']);
    expect(await found('databases')).toEqual([
      'io.github.acme/postgres',
      'io.github.acme/postgres-tools',
      'io.github.zeta/query',
      'io.github.zeta/sqlite',
    ]);
  });

  it('tolerates a typo if nothing matches the exact spelling', async () => {
    expect(await found('forcast')).toEqual(['io.github.sun/forecast']);
    expect((await found('posgresql'))[0]).toBe('io.github.acme/postgres');
    expect(await found('xyzzyplugh')).toEqual([]);
  });

  it('tolerates one wrong letter anywhere in a word', async () => {
    await publish('io.github.kiln/deploy-bot', { title: 'Deploy bot' });
    await publish('io.github.kiln/redis', { title: 'Redis' });
    const swapped = ['deplyo-bot', 'edploy-bot', 'rdeis', 'redsi'];
    const missing = ['deply-bot', 'eploy-bot', 'rdis', 'edis', 'reds'];
    const added = ['deployy-bot', 'dxeploy-bot', 'redxis', 'xredis'];
    const wrong = ['deplox-bot', 'xeploy bot', 'rexis', 'redix', 'xedis', 'Rédix'];
    for (const text of [...swapped, ...missing, ...added, ...wrong]) {
      const name = text.includes('e') && /bot$/.test(text) ? 'io.github.kiln/deploy-bot' : 'io.github.kiln/redis';
      expect([text, await found(text)]).toEqual([text, [name]]);
    }
    for (const text of ['rxdxs', 'deplyo xyzzy', 'bto']) expect([text, await found(text)]).toEqual([text, []]);
  });

  it('ignores case and accents, and works in every script', async () => {
    await publish('io.github.kiln/cafe', { title: 'Café Ünïque', description: 'Погода и карты' });
    await publish('io.github.kiln/tenki', { title: '東京の天気予報' });
    for (const text of ['cafe unique', 'CAFÉ', 'cafe\u0301 ', 'погода', 'КАРТЫ'])
      expect([text, await found(text)]).toEqual([text, ['io.github.kiln/cafe']]);
    for (const text of ['天気', '東京', '予報 東京']) expect(await found(text)).toEqual(['io.github.kiln/tenki']);
  });

  it('does not try typos within a category if another category matches the exact spelling', async () => {
    await publish('io.github.kiln/quartz', { category: 'databases' });
    await publish('io.github.kiln/quarts', { category: 'other' });
    expect(await found('quartz')).toEqual(['io.github.kiln/quartz']);
    expect(await found('quartz', '&category=other')).toEqual([]);
    expect((await api.get('/v1/mcp/listings/facets?search=quartz&category=other')).body).toMatchObject({ total: 1 });
    expect(await found('quorts', '&category=other')).toEqual(['io.github.kiln/quarts']);
  });

  it('keeps its mode across pages when something is published in between', async () => {
    for (const name of ['granit-a', 'granit-b', 'granit-c']) await publish(`io.github.kiln/${name}`);
    for (const sort of ['relevance', 'name', 'newest']) {
      const first = await api.get(`/v1/mcp/listings?search=grxnit&limit=1&sort=${sort}`);
      await publish(`io.github.kiln/grxnit-${sort}`);
      const rest = await allPages(api, nextPage(first) as `/v1/mcp/listings?${string}`);
      expect(
        [...first.body, ...rest]
          .map(({ name }) => name)
          .filter((name) => /granit/.test(name))
          .sort(),
      ).toEqual(['a', 'b', 'c'].map((letter) => `io.github.kiln/granit-${letter}`));
      await test.dataSource.query(`DELETE FROM listings WHERE name = $1`, [`io.github.kiln/grxnit-${sort}`]);
    }
  });

  it('accepts any text of up to 200 characters, and rejects longer ones', async () => {
    const texts = [
      '😀',
      'x',
      'é'.repeat(200),
      'wort '.repeat(40),
      "'' \\ $1 ~redi",
      '~redis',
      '((a|b)&!c):*A',
      'redis\t\nredis',
    ];
    for (const text of texts) await found(text);
    expect(await found('~rdis')).toEqual(['io.github.kiln/redis']);
    await api.get(`/v1/mcp/listings?search=${'x'.repeat(201)}`, 422);
  });

  it('returns pages that add up to the list, and facets that equal its counts, for every order and filter', async () => {
    const all = [
      'limit=100',
      'category=databases',
      'transport=stdio',
      'registry_type=pypi',
      'scope=visible',
      'status=PUBLISHED',
    ];
    for (const text of [undefined, 'postgres', 'posgres', 'github', 'i', 'granot', 'databases']) {
      for (const sort of ['newest', 'name', 'rating', ...(text === undefined ? [] : ['relevance'])]) {
        for (const filter of all) {
          const query = `${filter}&sort=${sort}${text === undefined ? '' : `&search=${text}`}`;
          const whole = (await api.get(`/v1/mcp/listings?${query.replace(/limit=\d+&/, '')}&limit=100`)).body;
          expect([query, await names(`${query.replace(/limit=\d+&/, '')}&limit=2`)]).toEqual([
            query,
            whole.map(({ name }) => name),
          ]);
          const facets = (await api.get(`/v1/mcp/listings/facets?${query}`)).body;
          const counted =
            filter === 'category=databases'
              ? facets.categories.find(({ category }) => category === 'databases')?.count
              : facets.total;
          expect([query, counted ?? 0]).toEqual([query, whole.length]);
        }
      }
    }
  });

  it.each(['%', '_', '100%_real', '\\', "'", '":*', '!!!', '& | !', '<->', '漢字'])(
    'treats %j as plain text',
    async (text) => {
      const expected = text === '100%_real' ? ['io.github.odd/100%_real'] : [];
      expect(await found(text)).toEqual(expected);
    },
  );

  it('can be filtered by category, transport and registry, with counts by category', async () => {
    expect(await found('postgres', '&category=databases')).toEqual([
      'io.github.acme/postgres',
      'io.github.acme/postgres-tools',
    ]);
    expect(await names('registry_type=pypi')).toEqual(['io.github.sun/forecast']);
    expect(await names('transport=stdio')).toEqual(['io.github.sun/forecast']);
    expect(await names('transport=sse')).toEqual([]);
    const facets = await api.get('/v1/mcp/listings/facets?search=postgres&category=databases');
    expect(facets.body).toMatchObject({
      total: 3,
      categories: [
        { category: 'databases', name: 'Databases', count: 2 },
        { category: 'other', name: 'Other', count: 1 },
      ],
    });
  });

  it('is counted by the transports and registries of the listings', async () => {
    expect((await api.get('/v1/mcp/listings/facets')).body).toMatchObject({
      transports: [{ transport: 'stdio', count: 1 }],
      registry_types: [{ registry_type: 'pypi', count: 1 }],
    });
  });

  it.each([
    '',
    'category=databases',
    'registry_type=pypi',
    'transport=stdio',
    'search=postgres',
    'search=i',
    'scope=visible',
  ])('is counted by transport and registry, each without its own filter: %s', async (query) => {
    const { transports, registry_types } = (await api.get(`/v1/mcp/listings/facets?${query}`)).body;
    const lengthWith = async (name: string, value: string) => {
      const parameters = new URLSearchParams(query);
      parameters.set(name, value);
      return (await names(parameters.toString())).length;
    };
    for (const { transport, count } of transports) {
      expect([transport, await lengthWith('transport', transport)]).toEqual([transport, count]);
    }
    for (const { registry_type: registry, count } of registry_types) {
      expect([registry, await lengthWith('registry_type', registry)]).toEqual([registry, count]);
    }
    expect(await lengthWith('transport', 'sse')).toBe(0);
    expect(transports.map(({ transport }) => transport)).not.toContain('sse');
  });

  it('returns every hit once over its pages, in the same order', async () => {
    const whole = await found('postgres');
    expect(await found('postgres', '&limit=1')).toEqual(whole);
    const byName = await names('sort=name&limit=2');
    expect(byName).toEqual([...byName].sort());
    expect(byName).toEqual(expect.arrayContaining(whole));
  });

  it('rejects contradictory parameters', async () => {
    await api.get('/v1/mcp/listings?sort=relevance', 422);
    await cast.member.get(`/v1/mcp/listings?scope=mine&org_id=${cast.orgId}`, 422);
    await api.get('/v1/mcp/listings?search=%20', 422);
    const first = await api.get('/v1/mcp/listings?search=postgres&limit=1');
    const cursor = /cursor=([^&>]+)/.exec(String(first.headers.link))?.[1];
    await api.get(`/v1/mcp/listings?search=other&cursor=${cursor}`, 422);
  });
});

describe('The results of a listing search', () => {
  it('depend on scope and membership', async () => {
    const secret = await publish('io.github.acme/inside-job', { orgId: cast.orgId });
    const draft = await createListing(test.dataSource, { status: 'DRAFT', orgId: cast.orgId });
    const mine = await createListing(test.dataSource, { status: 'DRAFT', ownerId: await idOf(cast.member) });
    const ids = async (query: string, by: Api) => (await allPages(by, `/v1/mcp/listings?${query}`)).map(({ id }) => id);

    expect(await found('inside-job')).toEqual([]);
    expect(await found('inside-job', '&scope=visible')).toEqual([]);
    expect(await found('inside-job', '&scope=visible', cast.member)).toEqual(['io.github.acme/inside-job']);
    expect(await ids(`org_id=${cast.orgId}`, cast.member)).toEqual([draft, secret]);
    expect(await ids(`org_id=${cast.orgId}&status=DRAFT`, cast.member)).toEqual([draft]);
    expect(await ids('scope=mine', cast.member)).toEqual([mine]);
    expect(await ids('scope=mine', cast.outsider)).toEqual([]);
    const visible = await ids('scope=visible&limit=3', cast.member);
    expect(visible).toEqual(expect.arrayContaining([secret, draft, mine]));
    expect(await ids('', cast.member)).not.toEqual(expect.arrayContaining([secret]));
    await cast.outsider.get(`/v1/mcp/listings?org_id=${cast.orgId}`, 404);
  });

  it('do not depend on listings that the caller cannot see', async () => {
    await publish('io.github.zephyrus/probes', { title: 'Zephyrus probes' });
    expect(await found('zephyrus probez')).toEqual(['io.github.zephyrus/probes']);
    await publish('io.github.acme/private-words', { description: 'About zephyrus probez.', orgId: cast.orgId });
    expect(await found('zephyrus probez')).toEqual(['io.github.zephyrus/probes']);
  });
});

describeRegistries('Searches for the exact name of every server', (file) => {
  it('each find their own listing first', async () => {
    const bytes = readFileSync(file.path);
    const isZipped = file.path.endsWith('.gz');
    const { servers } = JSON.parse((isZipped ? gunzipSync(bytes) : bytes).toString()) as {
      servers: { server: ServerDocument }[];
    };
    const documents = new Map(servers.map(({ server }) => [server.name, server]));
    const writer = test.app.get(ListingWriter);
    const [other] = await test.dataSource.query<{ id: number }[]>(`SELECT id FROM categories WHERE slug = 'other'`);
    await inTransaction(test.dataSource, async (manager) => {
      for (const server of documents.values()) {
        const draft = { categoryId: other?.id ?? 0, visibility: 'PUBLIC', server, orgId: null, ownerId: null } as const;
        await writer.publish(manager, [await writer.create(manager, draft)]);
      }
    });
    const wrong: string[] = [];
    for (const name of documents.keys()) {
      const answer = await api.get(`/v1/mcp/listings?limit=1&search=${encodeURIComponent(name)}`);
      if (answer.body[0]?.name !== name) wrong.push(name);
    }
    expect(documents.size).toBe(file.servers);
    expect(wrong).toEqual([]);
  });
});
