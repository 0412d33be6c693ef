import request from 'supertest';
import type { Api } from '../support/api';
import type { ListingCreate, Visibility } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { expectRegistryList, expectServerResponse, type Listed } from '../support/registry-schema';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  await (await test.as('chief')).post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

interface Made {
  id: string;
  name: string;
}

async function publish(fields: { name?: string; visibility?: Visibility; document?: object } = {}): Promise<Made> {
  const name = fields.name ?? `io.github.acme/${unique('server')}`;
  const server = { name, description: 'A tool server.', version: '1.0.0', ...fields.document };
  const body: ListingCreate = {
    server,
    category: 'weather',
    org_id: cast.orgId,
    visibility: fields.visibility ?? 'PUBLIC',
  };
  const { id } = (await cast.owner.post('/v1/mcp/listings', body)).body;
  await cast.owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  return { id, name };
}

const addVersion = (of: Made, version: string, document: object = {}) =>
  cast.owner.post(`/v1/mcp/listings/${of.id}/versions`, {
    server: { name: of.name, description: 'A tool server.', version, ...document },
  });

const get = (path: string, status = 200, api: Api = test.anonymous) => api.get(path, status);
const list = async (query = '', api?: Api, base = '/v0.1') =>
  expectRegistryList((await get(`${base}/servers?${query}`, 200, api)).body);
const one = async (name: string, version = 'latest', query = '') =>
  expectServerResponse(
    (await get(`/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}${query}`)).body,
  );
const names = (page: Listed) => page.servers.map(({ server }) => `${server.name} ${server.version}`);

/** Every row, by following the cursor as VS Code does: unencoded. */
async function crawl(query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const rows: string[] = [];
  let page = await list(query);
  for (;;) {
    rows.push(...names(page));
    const { nextCursor } = page.metadata;
    if (!nextCursor) return rows;
    await between?.();
    page = await list(`limit=50&cursor=${nextCursor}`);
  }
}

describe('The registry’s list of servers', () => {
  it('contains every version of each published, public listing, by name and version', async () => {
    const b = await publish({ name: 'io.github.list/b' });
    await addVersion(b, '1.1.0');
    await publish({ name: 'io.github.list/A' });
    await publish({ name: 'io.github.list/c', visibility: 'PRIVATE' });
    expect(names(await list('search=github.list/'))).toEqual([
      'io.github.list/A 1.0.0',
      'io.github.list/b 1.0.0',
      'io.github.list/b 1.1.0',
    ]);
    expect(names(await list('search=GITHUB.LIST/&version=latest'))).toEqual([
      'io.github.list/A 1.0.0',
      'io.github.list/b 1.1.0',
    ]);
    expect(names(await list('search=github.list/&version=1.0.0'))).toEqual([
      'io.github.list/A 1.0.0',
      'io.github.list/b 1.0.0',
    ]);
    for (const text of ['%25', '_', '%5C']) expect(names(await list(`search=${text}`))).toEqual([]);
  });

  it('shows status, times and isLatest in `_meta`, and only the publisher’s part of the document’s `_meta`', async () => {
    const provided = { 'io.modelcontextprotocol.registry/publisher-provided': { github: { readme: '# Hello' } } };
    const server = await publish({
      document: { _meta: { ...provided, 'com.example/other': { secret: 1 } }, extra: true },
    });
    const found = await one(server.name);
    expect(found.server).toMatchObject({ name: server.name, extra: true });
    expect(found.server._meta).toEqual(provided);
    expect(found._meta).toEqual({
      'io.modelcontextprotocol.registry/official': {
        status: 'active',
        statusChangedAt: expect.any(String) as string,
        publishedAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        isLatest: true,
      },
      'com.toolyard/listing': { id: server.id, category: 'weather' },
      // Its name in release 0.1.
      'toolyard/listing': { id: server.id, category: 'weather' },
    });
  });

  it.each([
    ['limit=0', 422],
    ['limit=101', 422],
    ['limit=many', 422],
    ['updated_since=yesterday', 400],
    ['updated_since=2026-01-01T00:00:00Z&include_deleted=false', 400],
    ['cursor=made-up', 400],
    ['search=%00', 422],
  ])('rejects %s with %i, with an error body that fits both specifications', async (query, status) => {
    const { body, headers } = await get(`/v0.1/servers?${query}`, status);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body).toMatchObject({ error: expect.any(String) as string, title: expect.any(String) as string, status });
  });

  it('accepts a limit of 1 and of 100', async () => {
    expect((await list('limit=1')).servers).toHaveLength(1);
    expect((await list('limit=100')).metadata.count).toBeLessThanOrEqual(100);
  });
});

describe('One server in the registry', () => {
  it('has its versions, newest first, and each by name; names and versions may need encoding', async () => {
    const server = await publish({ name: 'io.github.One/Server_1.x' });
    await addVersion(server, '1.0.0+build.7');
    await addVersion(server, '0.9.0');
    const { body } = await get(`/v0.1/servers/${encodeURIComponent(server.name)}/versions`);
    const all = expectRegistryList(body);
    expect(all.servers.map(({ server: { version } }) => version)).toEqual(['0.9.0', '1.0.0+build.7', '1.0.0']);
    expect((await one(server.name)).server.version).toBe('1.0.0+build.7');
    expect((await one(server.name, '1.0.0+build.7')).server.version).toBe('1.0.0+build.7');
    expect((await one(server.name, '0.9.0')).server.version).toBe('0.9.0');
  });

  it.each([
    ['nothing%2Flike-it/versions', 404],
    ['nothing%2Flike-it/versions/latest', 404],
    ['a%00b/versions/latest', 400],
    ['%E0%A4%A/versions', 400],
  ])('is not found or has an invalid name: %s', async (path, status) => {
    const { body } = await get(`/v0.1/servers/${path}`, status);
    expect(body).toMatchObject({ error: expect.any(String) as string, status });
  });
});

describe('A listing that was archived, made private or deleted', () => {
  it('leaves the list at once, and appears as deleted to clients that poll for changes', async () => {
    const before = new Date(Date.now() - 1_000).toISOString();
    const archived = await publish();
    const hidden = await publish({ document: { packages: [] } });
    const other = await publish();
    await cast.owner.post(`/v1/mcp/listings/${archived.id}/archive`, undefined, 200);
    await cast.owner.patch(`/v1/mcp/listings/${hidden.id}`, { visibility: 'PRIVATE' });

    expect(names(await list(`search=${archived.name}`))).toEqual([]);
    await get(`/v0.1/servers/${encodeURIComponent(archived.name)}/versions/latest`, 404);
    expect((await one(archived.name, 'latest', '?include_deleted=true'))._meta).toMatchObject({
      'io.modelcontextprotocol.registry/official': { status: 'deleted' },
    });
    const changes = await crawl(`updated_since=${encodeURIComponent(before)}`);
    expect(changes).toEqual(
      expect.arrayContaining([`${archived.name} 1.0.0`, `${hidden.name} 1.0.0`, `${other.name} 1.0.0`]),
    );
    // A listing that is now private is shown as deleted, and nothing else of it.
    const goner = await one(hidden.name, '1.0.0', '?include_deleted=true');
    expect(goner.server).toEqual({ name: hidden.name, description: 'No longer available.', version: '1.0.0' });
    expect(goner._meta['com.toolyard/listing']).toEqual({ id: hidden.id });

    await cast.owner.post(`/v1/mcp/listings/${hidden.id}/archive`, undefined, 200);
    expect((await one(hidden.name, '1.0.0', '?include_deleted=true')).server.description).toBe('No longer available.');

    await cast.owner.post(`/v1/mcp/listings/${archived.id}/restore`, undefined, 200);
    expect(names(await list(`search=${archived.name}`))).toEqual([`${archived.name} 1.0.0`]);
  });

  it('appears strictly after `updated_since`, which can have any offset', async () => {
    const server = await publish();
    const { updatedAt } = (await one(server.name))._meta['io.modelcontextprotocol.registry/official'] as {
      updatedAt: string;
    };
    const since = (instant: string) => list(`search=${server.name}&updated_since=${encodeURIComponent(instant)}`);
    expect(names(await since(updatedAt))).toEqual([]);
    const earlier = new Date(Date.parse(updatedAt) - 1);
    expect(names(await since(earlier.toISOString()))).toHaveLength(1);
    expect(names(await since(earlier.toISOString().replace('Z', '+00:00')))).toHaveLength(1);
  });

  it('does not appear at all if it was only ever a draft or private', async () => {
    const secret = await publish({ visibility: 'PRIVATE' });
    await cast.owner.post(`/v1/mcp/listings/${secret.id}/archive`, undefined, 200);
    expect(names(await list(`search=${secret.name}&include_deleted=true`))).toEqual([]);
  });
});

describe('Polling for changes since the last change seen', () => {
  const since = async (instant: string, of: Made[]) => {
    const page = await list(`updated_since=${encodeURIComponent(instant)}&limit=100`);
    return page.servers
      .filter(({ server: { name } }) => of.some((made) => made.name === name))
      .map(({ server: { name }, _meta }) => ({ name, updatedAt: changeOf(_meta) }));
  };
  const changeOf = (meta: Record<string, unknown>) =>
    (meta['io.modelcontextprotocol.registry/official'] as { updatedAt: string }).updatedAt;
  const archive = (made: Made) => cast.owner.post(`/v1/mcp/listings/${made.id}/archive`, undefined, 200);
  const archiving = (made: Made) => `UPDATE listings SET status = 'ARCHIVED' WHERE id = '${made.id}'`;

  it('misses no change that began before it and was committed after it', async () => {
    const [late, early] = [await publish(), await publish()];
    const start = changeOf((await one(early.name))._meta);
    await holding(test.dataSource, archiving(late), async (commit) => {
      await archive(early);
      const [seen, ...others] = await since(start, [late, early]);
      expect([seen?.name, others]).toEqual([early.name, []]);
      await commit();
      expect(await since(seen?.updatedAt ?? '', [late, early])).toMatchObject([{ name: late.name }]);
    });
  });

  it('misses no change that is stamped but not committed; later ones wait for it', async () => {
    const [first, second] = [await publish(), await publish()];
    const start = changeOf((await one(second.name))._meta);
    await holding(test.dataSource, `${archiving(first)}; SET CONSTRAINTS ALL IMMEDIATE`, async (commit) => {
      let isOver = false;
      const archived = archive(second).finally(() => (isOver = true));
      await untilBlocked(test.dataSource, 1, () => isOver);
      expect(await since(start, [first, second])).toEqual([]);
      await commit();
      await archived;
    });
    expect((await since(start, [first, second])).map(({ name }) => name)).toEqual([first.name, second.name]);
  });

  it('misses no change when the clock goes back, or ticks too slowly', async () => {
    const [first, second] = [await publish(), await publish()];
    await test.dataSource.query(`UPDATE listing_version_clock SET last_stamp = now() + interval '1 hour'`);
    await archive(first);
    const start = changeOf((await one(first.name, 'latest', '?include_deleted=true'))._meta);
    expect(Date.parse(start)).toBeGreaterThan(Date.now() + 3_500_000);
    await archive(second);
    expect(await since(start, [first, second])).toMatchObject([{ name: second.name }]);
  });
});

describe('A crawl of the registry', () => {
  it('returns every permanent row exactly once while others are published and archived', async () => {
    const staying: string[] = [];
    for (let i = 0; i < 30; i++) staying.push(`${(await publish({ name: `io.github.crawl/s${i}-stays` })).name} 1.0.0`);
    const passing: Made[] = [];
    let round = 0;
    const churn = async () => {
      round++;
      passing.push(await publish({ name: `io.github.crawl/a${round}-passes` }));
      passing.push(await publish({ name: `io.github.crawl/z${round}-passes` }));
      const gone = passing.shift();
      if (gone) await cast.owner.post(`/v1/mcp/listings/${gone.id}/archive`, undefined, 200);
    };
    const first = await list('limit=4&search=github.crawl/');
    const rows = [...names(first)];
    let cursor = first.metadata.nextCursor;
    while (cursor) {
      await churn();
      const page = await list(`limit=4&cursor=${cursor}`);
      rows.push(...names(page));
      cursor = page.metadata.nextCursor;
    }
    expect(round).toBeGreaterThan(5);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.filter((row) => row.includes('-stays')).sort()).toEqual([...staying].sort());
  });
});

describe('What well-known registry clients need', () => {
  it('VS Code: a cursor that needs no encoding and carries the search', async () => {
    for (const letter of ['a', 'b', 'c']) await publish({ name: `io.github.trap/${letter}` });
    const { nextCursor } = (await list('limit=1&version=latest&search=github.trap/')).metadata;
    expect(nextCursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(names(await list(`limit=50&version=latest&cursor=${nextCursor}`))).toEqual([
      'io.github.trap/b 1.0.0',
      'io.github.trap/c 1.0.0',
    ]);
    await get(`/v0.1/servers?search=other&cursor=${nextCursor}`, 422);
    expect((await list('cursor=&limit=1')).metadata.count).toBe(1);
  });

  it('VS Code: `_meta` and a description in every row, and a probe with limit=1', async () => {
    for (const { server, _meta } of (await list('limit=100&include_deleted=true')).servers) {
      expect(_meta).toEqual(expect.any(Object));
      expect([server.name, server.description, server.version].every((text) => text.length > 0)).toBe(true);
    }
    expect((await list('limit=1')).metadata.count).toBe(1);
  });

  it.each([
    '/v0.1/servers',
    '/v0.1/servers/a%2Fb/versions',
    '/v0.1/servers/a%2Fb/versions/latest',
    '/v0.1/servers?limit=0',
    '/v0.1/nothing-here',
  ])('Copilot: CORS headers on %s, and an answer to its preflight', async (path) => {
    const expected = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type',
    };
    const preflight = await request(test.url).options(path).set('Origin', 'https://github.com');
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject(expected);
    expect((await request(test.url).get(path)).headers).toMatchObject(expected);
  });

  it('Copilot: reading without a token, or with a wrong one', async () => {
    const answer = await request(test.url).get('/v0.1/servers').set('Authorization', 'Bearer nonsense');
    expect(answer.status).toBe(200);
  });

  it('any client: 501 or 405 for operations that are not supported', async () => {
    expect((await test.anonymous.post('/v0.1/publish', {}, 501)).body).toMatchObject({ status: 501 });
    const wrong = await request(test.url).delete('/v0.1/servers/a%2Fb/versions/1.0.0');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(wrong.body).toMatchObject({ status: 405, error: expect.any(String) as string });
  });
});

describe('The extensions of the registry API', () => {
  it('return categories and counts without a token', async () => {
    const { categories } = (await test.anonymous.get('/v0.1/x/com.toolyard/categories')).body;
    expect(categories.map(({ slug }) => slug)).toContain('weather');
    await publish({ name: 'io.github.facet/one' });
    expect((await get('/v0.1/x/com.toolyard/facets?search=github.facet/')).body).toEqual({
      total: 1,
      facets: [{ category: 'weather', count: 1 }],
    });
  });
});

describe('The registry of an organisation', () => {
  const base = () => `/v1/organisations/${cast.orgId}/registry/v0.1` as const;

  it('contains its private listings among the public ones, for its members only', async () => {
    const secret = await publish({ name: 'io.github.mine/b-secret', visibility: 'PRIVATE' });
    await publish({ name: 'io.github.mine/a-public' });
    await publish({ name: 'io.github.mine/c-public' });
    expect(names(await list('search=github.mine/', cast.member, base()))).toEqual([
      'io.github.mine/a-public 1.0.0',
      'io.github.mine/b-secret 1.0.0',
      'io.github.mine/c-public 1.0.0',
    ]);
    // A public listing of the organisation is in both parts, and is returned once.
    expect(names(await list('search=github.mine/&include_deleted=true', cast.member, base()))).toEqual([
      'io.github.mine/a-public 1.0.0',
      'io.github.mine/b-secret 1.0.0',
      'io.github.mine/c-public 1.0.0',
    ]);
    const path = `${base()}/servers/${encodeURIComponent(secret.name)}/versions/latest`;
    expectServerResponse((await get(path, 200, cast.member)).body);
    expect((await get(`${base()}/servers`, 404, cast.outsider)).body).toMatchObject({
      status: 404,
      error: expect.any(String) as string,
    });
    const anonymous = await get(`${base()}/servers`, 401);
    expect(anonymous.headers['www-authenticate']).toMatch(/^Bearer realm="MCP Registry", resource_metadata=/);
    const wrong = await request(test.url).get(`${base()}/servers`).set('Authorization', 'Bearer nonsense');
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('"invalid_token"'),
    ]);
    const { nextCursor } = (await list('limit=1&search=github.mine/', cast.member, base())).metadata;
    await get(`/v0.1/servers?cursor=${nextCursor}`, 400);
  });

  it('shows archived listings to its members as deleted', async () => {
    const secret = await publish({ visibility: 'PRIVATE' });
    await cast.owner.post(`/v1/mcp/listings/${secret.id}/archive`, undefined, 200);
    expect(names(await list(`search=${secret.name}`, cast.member, base()))).toEqual([]);
    const changes = await list(`search=${secret.name}&updated_since=2026-01-01T00:00:00Z`, cast.member, base());
    expect(names(changes)).toEqual([`${secret.name} 1.0.0`]);
  });
});
