import fc from 'fast-check';
import type { RegistryBundles } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import type { Api } from '../support/api';
import { createBundle, createCast, createListing, idOf, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { type Answered, expectRegistryList, expectServerResponse } from '../support/registry-schema';

const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided';
const LARGEST = 131_072;
const PAGE = 1_048_576;

let test: TestApp;
let person: Api;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  person = await test.as('person');
  await (await test.as('chief')).post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

const document = (fields: object = {}) => ({
  name: `com.example/${unique('server')}`,
  description: 'A tool server.',
  version: '1.0.0',
  ...fields,
});

const create = <S extends number = 201>(server: object, status = 201 as S) =>
  person.call('post', '/v1/mcp/listings', status, { server, category: 'weather', visibility: 'PUBLIC' });

async function publish(server: object): Promise<string> {
  const { id } = (await create(server)).body;
  await person.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  return id;
}

/** A document of that many bytes, mostly two-byte letters. */
function ofBytes(bytes: number, fields: object = {}): Record<string, unknown> {
  const empty = document({ ...fields, notes: '' });
  const missing = bytes - Buffer.byteLength(JSON.stringify(empty));
  return { ...empty, notes: 'é'.repeat(Math.floor(missing / 2)) + 'x'.repeat(missing % 2) };
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('The addresses in a server document', () => {
  it.each([
    ['javascript:alert(1)', 'url_scheme'],
    ['data:text/html,x', 'url_scheme'],
    ['https://user:secret@example.com/', 'value_error'],
  ])('are http or https, and have no password: %s', async (address, type) => {
    const remote = { type: 'streamable-http', url: address };
    const server = document({
      websiteUrl: address,
      repository: { url: address, source: 'github' },
      icons: [{ src: address }],
      remotes: [remote],
      packages: [
        { registryType: 'npm', registryBaseUrl: address, identifier: 'x', version: '1.0.0', transport: remote },
      ],
    });
    const { id } = (await create(document())).body;
    const answers = [
      await create(server, 422),
      await person.call('post', `/v1/mcp/listings/${id}/versions`, 422, { server: { ...server, version: '2.0.0' } }),
    ];
    for (const { body } of answers) {
      const { detail } = body as { detail: { loc: string[]; type: string }[] };
      const faults = detail.map(({ loc, type }) => `${loc.slice(2).join('.')} ${type}`);
      for (const place of ['websiteUrl', 'repository.url', 'icons.0.src', 'packages.0.registryBaseUrl'])
        expect(faults).toContain(`${place} ${type}`);
      for (const place of ['remotes.0.url', 'packages.0.transport.url'])
        expect(faults.filter((fault) => fault.startsWith(place))).not.toEqual([]);
      expect(JSON.stringify(detail)).not.toContain('secret');
    }
  });
});

describe('A server document', () => {
  // Unknown fields can be any JSON that PostgreSQL can store.
  const text = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((one) => !one.includes('\0') && one.isWellFormed());
  const anything = fc
    .jsonValue({ maxDepth: 4 })
    .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown)
    .filter((value) => JSON.stringify(value).isWellFormed() && !/\\ud[89a-f]/i.test(JSON.stringify(value)));
  const field = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '', 'zz', 'a', '$x', 'title2'));
  const fields = fc.uniqueArray(fc.tuple(field, anything), { maxLength: 6, selector: ([name]) => name });
  const known = fc.record(
    {
      title: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme-ascii' }),
      $schema: fc.constant('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
      repository: fc.record({
        url: fc.constant('https://example.com/x'),
        source: fc.constant('github'),
        more: anything,
      }),
      packages: fc.array(
        fc.record(
          {
            transport: fc.record({ type: fc.constant('stdio'), zeta: anything, alpha: anything }),
            registryType: fc.constantFrom('npm', 'pypi'),
            identifier: fc.constant('@example/x'),
            environmentVariables: fc.array(
              fc.record({ name: fc.constant('A'), isSecret: fc.boolean(), extra: anything }),
            ),
          },
          { requiredKeys: ['transport', 'registryType', 'identifier'] },
        ),
        { maxLength: 2 },
      ),
      icons: fc.constant([]),
      _meta: fc.constantFrom({}, { [PUBLISHER]: { zz: 1, a: { '10': 1, b: [] } } }),
    },
    { requiredKeys: [] },
  );
  const SPECIFIED = new Set(['name', 'title', 'description', 'version', '$schema', 'repository', 'packages', 'icons']);

  it('is returned as published, with its fields in order, by every operation that shows it', async () => {
    await fc.assert(
      fc.asyncProperty(fields, known, fc.boolean(), async (extra, more, isFirst) => {
        const others = extra.filter(([name]) => ![...SPECIFIED, '_meta', 'websiteUrl', 'remotes'].includes(name));
        // Not by spreading: __proto__ can be a field too.
        const entries = isFirst
          ? [...others, ...Object.entries(more), ...Object.entries(document())]
          : [...Object.entries(document()), ...Object.entries(more), ...others];
        const server = Object.fromEntries(entries) as Record<string, unknown> & { name: string };
        const id = await publish(server);
        const wire = JSON.stringify(server);
        const [listing, version, registry] = await Promise.all([
          person.get(`/v1/mcp/listings/${id}`),
          person.get(`/v1/mcp/listings/${id}/versions/1.0.0`),
          test.anonymous.get(`/v0.1/servers/${encodeURIComponent(server.name)}/versions/1.0.0`),
        ]);
        for (const { text: body } of [listing, version, registry]) expect(body).toContain(`"server":${wire}`);
      }),
      { numRuns: 40 },
    );
  });

  it('has only the publisher’s part of its `_meta` in the registry, and all of it elsewhere', async () => {
    const server = document({
      _meta: { 'com.example/x': { a: 1 }, [PUBLISHER]: { b: 2 } },
      websiteUrl: 'https://a.example',
    });
    const id = await publish(server);
    const inRegistry = await test.anonymous.get(`/v0.1/servers/${encodeURIComponent(server.name)}/versions/latest`);
    expect(JSON.stringify(expectServerResponse(inRegistry.body).server)).toBe(
      JSON.stringify({ ...server, _meta: { [PUBLISHER]: { b: 2 } } }),
    );
    expect((await person.get(`/v1/mcp/listings/${id}`)).body).toMatchObject({ server });
  });

  it('cannot contain a number that would lose precision', async () => {
    const raw = JSON.stringify({ server: document({ deep: [{ limit: 0 }] }), category: 'weather' });
    const sent = person.raw('post', '/v1/mcp/listings').type('json').send(raw.replace('"limit":0', '"limit":1e400'));
    const answer = await sent;
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'server', 'deep', '0', 'limit'], type: 'value_error' }] },
    ]);
  });

  it('can have at most 128 KiB of JSON, counted in bytes, however it is submitted', async () => {
    const [fits, large] = [ofBytes(LARGEST), ofBytes(LARGEST + 1)];
    expect([sizeOf(fits), sizeOf(large)]).toEqual([LARGEST, LARGEST + 1]);
    const refused = {
      detail: [
        {
          loc: ['body', 'server'],
          msg: 'Must have at most 131,072 bytes of JSON (128 KiB); it has 131,073.',
          type: 'value_error',
        },
      ],
    };
    expect((await create(large, 422)).body).toEqual(refused);
    const { id } = (await create(fits)).body;
    const path = `/v1/mcp/listings/${id}/versions` as const;
    const version = (bytes: number) => ({ server: { ...ofBytes(bytes, { version: '2.0.0' }), name: fits.name } });
    const namesLength = String(fits.name).length - String(document().name).length;
    expect((await person.post(path, version(LARGEST + 1 - namesLength), 422)).body).toEqual(refused);
    await person.call('post', path, 201, version(LARGEST - namesLength));
  });
});

describe('A page of the registry', () => {
  const SIXTY = 60;
  const prefix = 'com.large';

  const serverNames = (servers: Answered[]) => servers.map(({ server }) => server.name);

  /** Every page, each checked to be as full as possible. */
  async function pages(path: string, api = test.anonymous): Promise<{ names: string[]; sizes: number[] }> {
    const [names, sizes]: [string[], number[]] = [[], []];
    for (let next: string | undefined = path; next !== undefined;) {
      const answer = await api.get(next);
      const { servers, metadata } = expectRegistryList(answer.body);
      names.push(...serverNames(servers));
      sizes.push(Buffer.byteLength(answer.text));
      next = metadata.nextCursor && `${path.split('?')[0]}?limit=100&cursor=${metadata.nextCursor}`;
    }
    return { names, sizes };
  }

  beforeAll(async () => {
    const { orgId } = await createCast(test, 'large');
    for (let n = 0; n < SIXTY; n++) {
      const isPrivate = n % 10 === 9;
      const fields = { visibility: isPrivate ? 'PRIVATE' : 'PUBLIC', ...(isPrivate && { orgId }) };
      const id = await createListing(test.dataSource, fields);
      const name = `${prefix}/s${String(n).padStart(2, '0')}`;
      await test.dataSource.query(`UPDATE listings SET name = $2 WHERE id = $1`, [id, name]);
      await test.dataSource.query(`UPDATE listing_versions SET server_name = $2, server = $3 WHERE listing_id = $1`, [
        id,
        name,
        JSON.stringify({ ...ofBytes(LARGEST), name }),
      ]);
    }
  });

  it('ends at 1 MiB, and all pages together contain every row once', async () => {
    const { names, sizes } = await pages(`/v0.1/servers?limit=100&search=${prefix}/`);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toHaveLength(54);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(PAGE);
    // Seven documents of 128 KiB with their envelopes, not six.
    expect(sizes).toHaveLength(Math.ceil(54 / 7));
  });

  it('ends at 1 MiB in the registry of an organisation too, and with updated_since', async () => {
    const owner = await test.as('owner-of-large');
    const [{ org_id: orgId } = { org_id: '' }] = (await owner.get('/v1/users/me')).body.organisations;
    const base = `/v1/organisations/${orgId}/registry/v0.1/servers` as const;
    for (const query of [`search=${prefix}/`, `search=${prefix}/&updated_since=2020-01-01T00:00:00Z`]) {
      const { names, sizes } = await pages(`${base}?limit=100&${query}`, owner);
      expect([...names].sort()).toEqual([...new Set(names)].sort());
      expect(names).toHaveLength(SIXTY);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(PAGE);
    }
  });

  it('contains a single document larger than a page, stored by an earlier release', async () => {
    const server = document({ name: `${prefix}er/huge` });
    const id = await publish(server);
    await publish(document({ name: `${prefix}er/small` }));
    await test.dataSource.query(`UPDATE listing_versions SET server = $2 WHERE listing_id = $1`, [
      id,
      JSON.stringify({ ...server, notes: 'x'.repeat(2 * PAGE) }),
    ]);
    const { names, sizes } = await pages(`/v0.1/servers?limit=100&search=${prefix}er/`);
    expect(names).toEqual([`${prefix}er/huge`, `${prefix}er/small`]);
    expect(sizes[0]).toBeGreaterThan(2 * PAGE);
  });

  it('of one server’s versions ends at 1 MiB too, newest first', async () => {
    const server = document();
    const id = await publish(server);
    for (let n = 1; n <= 20; n++) {
      await test.dataSource.query(
        `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, $2, $3, false)`,
        [id, `0.0.${n}`, JSON.stringify({ ...ofBytes(LARGEST), name: server.name, version: `0.0.${n}` })],
      );
    }
    const path = `/v0.1/servers/${encodeURIComponent(server.name)}/versions` as const;
    const seen: string[] = [];
    for (let query: string | undefined = ''; query !== undefined;) {
      const answer = await test.anonymous.get(path + query);
      const { servers, metadata } = expectRegistryList(answer.body);
      seen.push(...servers.map(({ server: { version } }) => version));
      expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(PAGE);
      query = metadata.nextCursor && `?cursor=${metadata.nextCursor}`;
    }
    expect(seen).toEqual([...Array.from({ length: 20 }, (_, n) => `0.0.${20 - n}`), '1.0.0']);
    await test.anonymous.get(`${path}?cursor=nonsense`, 400);
  });

  it('of listings or bundles, outside the registry, ends at 1 MiB too', async () => {
    const icons = Array.from({ length: 400 }, (_, n) => ({ src: `https://example.com/${'x'.repeat(200)}/${n}` }));
    const listingIds: string[] = [];
    for (let n = 0; n < 24; n++) listingIds.push(await publish(document({ name: `com.icons/s${n}`, icons })));
    const rows = await allPages(person, '/v1/mcp/listings?limit=100&search=com.icons');
    expect(rows.map(({ id }) => id).sort()).toEqual([...listingIds].sort());
    const page = await person.get('/v1/mcp/listings?limit=100&search=com.icons');
    expect(page.body.length).toBeGreaterThan(8);
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(PAGE);

    const ids = await Promise.all(Array.from({ length: 12 }, () => createBundle(person, { visibility: 'PUBLIC' })));
    await test.dataSource.query(`UPDATE bundles SET description = repeat('é', 100000) WHERE owner_id = $1`, [
      await idOf(person),
    ]);
    const bundles: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { text: string; body: RegistryBundles } = await test.anonymous.get(
        `/v0.1/x/com.toolyard/bundles?limit=100${query}`,
      );
      bundles.push(...page.body.bundles.map(({ id }) => id));
      expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(PAGE);
      cursor = page.body.metadata.nextCursor;
    }
    expect(bundles).toEqual(
      ids
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
  });
});
