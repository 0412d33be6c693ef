import type { ListingDetail } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint, unique } from '../support/factories';
import { watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  const chief = await test.as('chief');
  for (const slug of ['weather', 'databases']) await chief.post('/v1/mcp/categories', { name: slug });
});

afterAll(() => test.close());

const server = (name: string, fields: object = {}) => ({
  name,
  description: 'Forecasts for any place.',
  version: '1.0.0',
  ...fields,
});
const newName = () => `io.github.acme/${unique('weather')}`;

async function create(api = cast.owner, fields: object = {}, document: object = {}): Promise<ListingDetail> {
  const body = { server: server(newName(), document), category: 'weather', org_id: cast.orgId, ...fields };
  return (await api.post('/v1/mcp/listings', body)).body;
}

const read = async (id: string, api = cast.owner) => (await api.get(`/v1/mcp/listings/${id}`)).body;

describe('A listing', () => {
  it('begins as a draft with the fields of its document', async () => {
    const npm = { registryType: 'npm', identifier: '@acme/weather', version: '1.0.0', transport: { type: 'stdio' } };
    const remotes = [{ type: 'streamable-http', url: 'https://weather.example.com/mcp' }];
    const repository = { url: 'https://github.com/acme/weather', source: 'github' };
    const response = await cast.member.post('/v1/mcp/listings', {
      server: server('io.github.acme/first', {
        title: 'Weather',
        packages: [npm],
        remotes,
        repository,
        extra: { kept: 1 },
      }),
      category: 'weather',
      org_id: cast.orgId,
    });
    const created = response.body;
    expect(response.headers.location).toBe(`/v1/mcp/listings/${created.id}`);
    expect(created).toMatchObject({
      name: 'io.github.acme/first',
      slug: 'io-github-acme-first',
      title: 'Weather',
      status: 'DRAFT',
      visibility: 'PRIVATE',
      category: 'weather',
      org_id: cast.orgId,
      version: '1.0.0',
      repository,
      transports: ['stdio', 'streamable-http'],
      registry_types: ['npm'],
      published_at: null,
      server: { extra: { kept: 1 } },
    });
    expect(await read(created.id, cast.member)).toEqual(created);
    await cast.outsider.get(`/v1/mcp/listings/${created.id}`, 404);
  });

  it.each<[string, object, string[], string]>([
    ['no name', { name: undefined }, ['name'], 'missing'],
    ['a name without a slash', { name: 'weather' }, ['name'], 'value_error'],
    ['a description of 101 characters', { description: 'x'.repeat(101) }, ['description'], 'string_too_long'],
    ['an empty description', { description: '' }, ['description'], 'string_too_short'],
    ['a version range', { version: '^1.0.0' }, ['version'], 'value_error'],
    [
      'a repository without a source',
      { repository: { url: 'https://a.example' } },
      ['repository', 'source'],
      'missing',
    ],
    [
      'a package without a transport',
      { packages: [{ registryType: 'npm', identifier: 'a' }] },
      ['packages', '0', 'transport'],
      'missing',
    ],
    ['an invalid remote', { remotes: [{ type: 'stdio', url: 'https://a.example' }] }, ['remotes', '0', 'type'], 'enum'],
    [
      'a package reached by HTTP without a URL',
      { packages: [{ registryType: 'npm', identifier: 'a', transport: { type: 'sse' } }] },
      ['packages', '0', 'transport', 'url'],
      'missing',
    ],
    [
      'a positional argument with neither hint nor value',
      {
        packages: [
          {
            registryType: 'npm',
            identifier: 'a',
            transport: { type: 'stdio' },
            packageArguments: [{ type: 'positional' }],
          },
        ],
      },
      ['packages', '0', 'packageArguments', '0', 'valueHint'],
      'missing',
    ],
  ])('is refused with %s, and the error names the field', async (_, fields, where, type) => {
    const body = { server: server(newName(), fields), category: 'weather' };
    const { detail } = (await cast.owner.post('/v1/mcp/listings', body, 422)).body;
    expect(detail.map(({ loc, type }) => ({ loc, type }))).toEqual([{ loc: ['body', 'server', ...where], type }]);
  });

  it('cannot be created in an unknown category, with a name its owner already uses, or in an organisation of others', async () => {
    const { name } = await create();
    await cast.owner.post('/v1/mcp/listings', { server: server(newName()), category: 'nowhere' }, 422);
    const again = { server: server(name.toUpperCase()), category: 'weather', org_id: cast.orgId };
    const taken = await cast.member.post('/v1/mcp/listings', again, 409);
    expect(taken.body).toMatchObject({ code: 'listing_conflict' });
    const foreign = { server: server(newName()), category: 'weather', org_id: cast.orgId };
    await cast.outsider.post('/v1/mcp/listings', foreign, 404);
  });

  it('is published, archived and restored; each step emits an event once, repeating it emits none', async () => {
    const { id } = await create(cast.owner, { visibility: 'PUBLIC' });
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    const step = async (name: string) => (await cast.admin.post(`/v1/mcp/listings/${id}/${name}`, undefined, 200)).body;
    expect(await step('publish')).toMatchObject({ status: 'PUBLISHED', published_at: expect.any(String) as string });
    await step('publish');
    await cast.outsider.get(`/v1/mcp/listings/${id}`);
    expect(await step('archive')).toMatchObject({ status: 'ARCHIVED', archived_at: expect.any(String) as string });
    await step('archive');
    await cast.outsider.get(`/v1/mcp/listings/${id}`, 404);
    expect(await step('restore')).toMatchObject({ status: 'PUBLISHED', archived_at: null });
    await cast.admin.post(`/v1/mcp/listings/${id}/restore`, undefined, 409);
    expect((await events()).map(({ type }) => type)).toEqual([
      'listing.published',
      'listing.archived',
      'listing.published',
    ]);
  });

  it('can be deleted only as a draft, and a draft cannot be archived', async () => {
    const { id } = await create();
    await cast.owner.post(`/v1/mcp/listings/${id}/archive`, undefined, 409);
    await cast.owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
    expect((await cast.owner.delete(`/v1/mcp/listings/${id}`, 409)).body).toMatchObject({ code: 'listing_conflict' });
    const draft = await create();
    await cast.owner.delete(`/v1/mcp/listings/${draft.id}`);
    await cast.owner.get(`/v1/mcp/listings/${draft.id}`, 404);
    const left = await test.dataSource.query<object[]>(`SELECT 1 FROM listing_versions WHERE listing_id = $1`, [
      draft.id,
    ]);
    expect(left).toEqual([]);
  });

  it('that is published and deleted concurrently ends up as one or the other', async () => {
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    for (let round = 0; round < 5; round++) {
      const { id } = await create();
      const path = `/v1/mcp/listings/${id}` as const;
      const publish = () => cast.owner.call('post', `${path}/publish`, undefined);
      const remove = () => cast.owner.call('delete', path, undefined);
      const order = round % 2 === 0 ? [publish, remove, publish, remove] : [remove, publish, remove, publish];
      const statuses = (await Promise.all(order.map((step) => step()))).map(({ status }) => status);
      const isLeft = (await cast.owner.call('get', path, undefined)).status === 200;
      expect(statuses.filter((status) => status === 204)).toHaveLength(isLeft ? 0 : 1);
      expect(new Set(statuses)).toEqual(new Set(isLeft ? [200, 409] : [204, 404]));
      expect((await events()).map(({ type }) => type)).toEqual(isLeft ? ['listing.published'] : []);
    }
  });

  it('can be changed by its creator while a draft, then by ADMINs; a MEMBER changes only their own drafts', async () => {
    const own = await create(cast.member);
    await cast.member.patch(`/v1/mcp/listings/${own.id}`, { visibility: 'PUBLIC' });
    await cast.member.post(`/v1/mcp/listings/${own.id}/publish`, undefined, 200);
    await cast.member.patch(`/v1/mcp/listings/${own.id}`, { visibility: 'PRIVATE' }, 403);
    await cast.member.post(`/v1/mcp/listings/${own.id}/archive`, undefined, 403);
    await cast.admin.patch(`/v1/mcp/listings/${own.id}`, { visibility: 'PRIVATE' });
    const other = await create(cast.owner);
    await cast.member.patch(`/v1/mcp/listings/${other.id}`, { visibility: 'PUBLIC' }, 403);
  });

  it('can be moderated by platform administrators only while it is public', async () => {
    const chief = await test.as('chief');
    const draft = await create();
    await chief.get(`/v1/mcp/listings/${draft.id}`, 404);
    await chief.post(`/v1/mcp/listings/${draft.id}/archive`, undefined, 404);
    const shown = await create(cast.owner, { visibility: 'PUBLIC' });
    await cast.owner.post(`/v1/mcp/listings/${shown.id}/publish`, undefined, 200);
    await chief.post(`/v1/mcp/listings/${shown.id}/archive`, undefined, 200);
    expect((await read(shown.id)).status).toBe('ARCHIVED');
    await cast.owner.post(`/v1/mcp/listings/${shown.id}/restore`, undefined, 200);
    const hidden = await chief.patch(`/v1/mcp/listings/${shown.id}`, { visibility: 'PRIVATE' });
    expect(hidden.body).toMatchObject({ visibility: 'PRIVATE' });
    await chief.get(`/v1/mcp/listings/${shown.id}`, 404);
  });

  describe('that platform administrators archive with a reason', () => {
    const REASON = 'It sends what people type to another server.';
    const REASONS = { archived_by: 'PLATFORM', archive_reason: REASON };

    async function createPublic(): Promise<string> {
      const { id } = await create(cast.owner, { visibility: 'PUBLIC' });
      await cast.owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
      return id;
    }

    it('shows it to its owner and in the event, and only they restore it, which forgets the reason', async () => {
      const chief = await test.as('chief');
      const id = await createPublic();
      const events = watchEvents(test.dataSource, cast.orgId);
      await events();
      const archive = (reason: string) => chief.post(`/v1/mcp/listings/${id}/archive`, { reason }, 200);
      expect((await archive(REASON)).body).toMatchObject({ status: 'ARCHIVED', ...REASONS });
      await archive(REASON);
      expect(await read(id)).toMatchObject(REASONS);
      for (const step of ['restore', 'publish'] as const) {
        const refused = await cast.owner.post(`/v1/mcp/listings/${id}/${step}`, undefined, 409);
        expect(refused.body).toMatchObject({
          code: 'listing_conflict',
          detail: expect.stringContaining(REASON) as string,
        });
      }
      await cast.owner.patch(`/v1/mcp/listings/${id}`, { visibility: 'PRIVATE' }, 409);
      await cast.owner.post(`/v1/mcp/listings/${id}/archive`, { reason: 'We gave up.' }, 200);
      await archive('It names a customer.');
      const restored = await chief.post(`/v1/mcp/listings/${id}/restore`, undefined, 200);
      expect(restored.body).toMatchObject({ status: 'PUBLISHED', archived_by: null, archive_reason: null });
      expect((await events()).map(({ type, data }) => [type, data.archived_by, data.reason])).toEqual([
        ['listing.archived', 'PLATFORM', REASON],
        ['listing.archived', 'PLATFORM', 'It names a customer.'],
        ['listing.published', undefined, undefined],
      ]);
    });

    it('stays archived by them although its owner had archived it before', async () => {
      const chief = await test.as('chief');
      const id = await createPublic();
      const reason = 'We use another one.';
      await cast.owner.post(`/v1/mcp/listings/${id}/archive`, { reason }, 200);
      expect(await read(id)).toMatchObject({ archived_by: 'OWNER', archive_reason: reason });
      await chief.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
      expect(await read(id)).toMatchObject({ archived_by: 'OWNER', archive_reason: reason });
      await chief.post(`/v1/mcp/listings/${id}/archive`, { reason: REASON }, 200);
      expect(await read(id)).toMatchObject(REASONS);
      await cast.owner.post(`/v1/mcp/listings/${id}/restore`, undefined, 409);
    });

    it.each([[''], ['   '], ['x'.repeat(501)]])('needs words, at most 500 characters of them: %j', async (reason) => {
      const chief = await test.as('chief');
      const id = await createPublic();
      const { detail } = (await chief.post(`/v1/mcp/listings/${id}/archive`, { reason }, 422)).body;
      expect(detail).toMatchObject([{ loc: ['body', 'reason'] }]);
    });

    it('is found by them alone in a list of all that are or were public', async () => {
      const chief = await test.as('chief');
      const id = await createPublic();
      const draft = await create(cast.owner, { visibility: 'PUBLIC' });
      await chief.post(`/v1/mcp/listings/${id}/archive`, { reason: REASON }, 200);
      const found = await allPages(chief, '/v1/mcp/listings?scope=moderated&status=ARCHIVED');
      expect(found.find((listing) => listing.id === id)).toMatchObject(REASONS);
      const all = (await allPages(chief, '/v1/mcp/listings?scope=moderated')).map((listing) => listing.id);
      expect(all).toContain(id);
      expect(all).not.toContain(draft.id);
      await cast.owner.get('/v1/mcp/listings?scope=moderated', 403);
      await cast.owner.get('/v1/mcp/listings/facets?scope=moderated', 403);
    });
  });

  it('changes category, visibility and slug, with an event; null and absent fields keep their values', async () => {
    const { id } = await create();
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    const changed = await cast.owner.patch(`/v1/mcp/listings/${id}`, {
      category: 'databases',
      visibility: 'PUBLIC',
      slug: null,
    });
    expect(changed.body).toMatchObject({ category: 'databases', visibility: 'PUBLIC' });
    expect((await events()).map(({ type, data }) => [type, data.changed])).toEqual([
      ['listing.updated', ['category', 'visibility']],
    ]);
    const again = await cast.owner.patch(`/v1/mcp/listings/${id}`, { category: 'databases' });
    expect(again.body).toEqual(changed.body);
    expect(await events()).toEqual([]);
  });
});

describe('The versions of a listing', () => {
  const add = (id: string, document: object, status = 201, documentation?: string) =>
    cast.owner.post(`/v1/mcp/listings/${id}/versions`, { server: document, documentation }, status);

  it('are immutable, and the listing shows the latest by precedence, whenever it was added', async () => {
    const { id, name } = await create();
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    const later = await add(
      id,
      server(name, { version: '2.0.0', description: 'Better forecasts.', title: 'Weather 2' }),
    );
    expect(later.body).toMatchObject({ version: '2.0.0', title: 'Weather 2', description: 'Better forecasts.' });
    expect((await add(id, server(name, { version: '1.5.0' }))).body).toMatchObject({
      version: '2.0.0',
      title: 'Weather 2',
    });
    expect((await add(id, server(name, { version: '2.0.0' }), 409)).body).toMatchObject({
      code: 'listing_version_conflict',
    });
    const other = await add(id, server('io.github.acme/other', { version: '3.0.0' }), 422);
    expect(other.body).toMatchObject({ detail: [{ loc: ['body', 'server', 'name'] }] });
    expect((await events()).map(({ data }) => data.changed)).toEqual([['title', 'description', 'version']]);
    const rows = await allPages(cast.owner, `/v1/mcp/listings/${id}/versions?limit=1`);
    expect(rows.map(({ version, is_latest }) => [version, is_latest])).toEqual([
      ['1.5.0', false],
      ['2.0.0', true],
      ['1.0.0', false],
    ]);
    const first = await cast.owner.get(`/v1/mcp/listings/${id}/versions/1.0.0`);
    expect(first.body).toMatchObject({ version: '1.0.0', server: server(name) });
    await cast.owner.get(`/v1/mcp/listings/${id}/versions/9.9.9`, 404);
  });

  it('can contain characters that need URL encoding', async () => {
    const { id, name } = await create();
    await add(id, server(name, { version: '1.0.0+build/7' }));
    const found = await cast.owner.get(`/v1/mcp/listings/${id}/versions/${encodeURIComponent('1.0.0+build/7')}`);
    expect(found.body).toMatchObject({ version: '1.0.0+build/7' });
  });

  it('have a documentation each, which the listing shows of its latest version', async () => {
    const { id, name, documentation } = await create(cast.owner, { documentation: '# First' });
    expect(documentation).toBe('# First');
    await add(id, server(name, { version: '2.0.0' }), 201, '# Second\n\nÜber 🙂');
    expect((await read(id)).documentation).toBe('# Second\n\nÜber 🙂');
    await add(id, server(name, { version: '3.0.0' }));
    expect((await read(id)).documentation).toBeNull();
    const old = await cast.owner.get(`/v1/mcp/listings/${id}/versions/1.0.0`);
    expect(old.body.documentation).toBe('# First');
    const published = {
      'io.modelcontextprotocol.registry/publisher-provided': { github: { readme: '# From GitHub' } },
    };
    await add(id, server(name, { version: '4.0.0', _meta: published }));
    expect((await read(id)).documentation).toBe('# From GitHub');
    await add(id, server(name, { version: '5.0.0', _meta: published }), 201, '# Of its own');
    expect((await read(id)).documentation).toBe('# Of its own');
  });

  it('have at most 64 KiB of documentation, in bytes', async () => {
    const { id, name } = await create();
    const next = (documentation: string, version: string, status: number) =>
      add(id, server(name, { version }), status, documentation);
    await next('x'.repeat(65_536), '2.0.0', 201);
    for (const [text, type] of [
      ['x'.repeat(65_537), 'string_too_long'],
      ['é'.repeat(32_769), 'value_error'],
      ['a\0b', 'value_error'],
    ] as const) {
      const refused = await next(text, '3.0.0', 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'documentation'], type }] });
    }
  });

  it('end with one latest version when added concurrently', async () => {
    const { id, name } = await create();
    const versions = Array.from({ length: 12 }, (_, minor) => `1.${minor + 1}.0`);
    await Promise.all(versions.map((version) => add(id, server(name, { version }))));
    expect((await read(id)).version).toBe('1.12.0');
    const latest = await test.dataSource.query<object[]>(
      `SELECT version FROM listing_versions WHERE listing_id = $1 AND is_latest`,
      [id],
    );
    expect(latest).toEqual([{ version: '1.12.0' }]);
  });
});

it('Events of a listing are sent to the endpoints of its organisation', async () => {
  const endpoint = await createEndpoint(cast.owner, { org_id: cast.orgId, event_types: ['listing.published'] });
  const { id } = await create();
  await cast.owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  const [event] = await test.dataSource.query<{ org_id: string }[]>(
    `SELECT org_id FROM events WHERE type = 'listing.published' AND data ->> 'listing_id' = $1`,
    [id],
  );
  expect(event).toEqual({ org_id: cast.orgId });
  await cast.owner.delete(`/v1/webhooks/${endpoint.id}`);
});
