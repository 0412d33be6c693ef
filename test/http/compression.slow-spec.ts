import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import { SECRET_EXTENSION } from '../../src/http/answers/answers';
import { createTestApp, type TestApp } from '../support/app';
import { createListing, unique } from '../support/factories';
import { createDirectory, newUser } from '../support/scim';

const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes };
type Coding = keyof typeof DECODE;

interface Exchange {
  status: number;
  headers: IncomingHttpHeaders;
  /** As received. */
  bytes: Buffer;
  /** Decompressed. */
  text: string;
}

describe('Compression', () => {
  let test: TestApp;
  let token: string;

  beforeAll(async () => {
    // Long enough to compress.
    test = await createTestApp({ env: { RUN: 'api' } });
    token = await test.token('alice');
    for (let count = 0; count < 20; count++) {
      await test.dataSource.query(
        `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ($1, $2, $3, 'box', $4)`,
        [unique('Category'), unique('category'), 'Tool servers for one kind of work.', count],
      );
      await createListing(test.dataSource);
    }
  });

  afterAll(() => test.close());

  /** Without a client library, which would decompress on its own. */
  async function exchange(
    path: string,
    accept: string | undefined,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: object } = {},
  ): Promise<Exchange> {
    const call = httpRequest(test.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(accept === undefined ? {} : { 'Accept-Encoding': accept }),
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
    }).end(body && JSON.stringify(body));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const bytes = await buffer(response);
    const coding = (response.headers['content-encoding'] ?? 'identity') as Coding;
    const text = bytes.length === 0 ? '' : DECODE[coding](bytes).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, bytes, text };
  }

  describe.each(['/v1/mcp/categories', '/v1/webhooks/event-types', '/docs/openapi.json'])(
    'of the prepared answer at %s',
    (path) => {
      it.each(['br', 'gzip', undefined] as const)('uses the accepted encoding: %s', async (coding) => {
        const plain = await exchange(path, undefined);
        const answer = await exchange(path, coding);
        expect(answer.text).toBe(plain.text);
        expect(answer.headers['content-encoding']).toBe(coding);
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        expect(answer.headers.vary).toBe('Accept-Encoding');
        expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      });

      it('has a different strong ETag per encoding, and answers 304 only to the matching one', async () => {
        const forms = await Promise.all(['br', 'gzip', undefined].map((accept) => exchange(path, accept)));
        const tags = forms.map(({ headers }) => headers.etag ?? '');
        expect(new Set(tags).size).toBe(3);
        for (const [index, accept] of ['br', 'gzip', undefined].entries()) {
          for (const [other, tag] of tags.entries()) {
            const answer = await exchange(path, accept, { headers: { 'If-None-Match': tag } });
            expect(answer.status).toBe(index === other ? 304 : 200);
            expect(answer.headers.etag).toBe(tags[index]);
            expect(answer.headers.vary).toBe('Accept-Encoding');
          }
        }
      });

      it('sends the same headers for HEAD', async () => {
        const get = await exchange(path, 'gzip');
        const head = await exchange(path, 'gzip', { method: 'HEAD' });
        expect(head.bytes).toHaveLength(0);
        for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) {
          expect(head.headers[name]).toBe(get.headers[name]);
        }
      });
    },
  );

  it.each(['gzip', 'br'])('of any other answer over 2 KiB is done while sending: %s', async (coding) => {
    for (const path of ['/v1/mcp/listings', '/docs/swagger-ui-init.js']) {
      const plain = await exchange(path, undefined);
      const answer = await exchange(path, coding);
      expect(plain.bytes.length).toBeGreaterThan(2_048);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length);
      expect(answer.text).toBe(plain.text);
      for (const { headers } of [plain, answer]) expect(headers.vary).toContain('Accept-Encoding');
      // A strong ETag would be wrong for these bytes.
      expect(answer.headers.etag ?? 'W/').toMatch(/^W\//);
    }
  });

  it.each(['/v1/mcp/categories', '/v1/webhooks/event-types', '/docs/openapi.json', '/v0.1/servers'])(
    'of the prepared answer at %s falls back to identity for an encoding that is not prepared',
    async (path) => {
      const plain = await exchange(path, undefined);
      const answer = await exchange(path, 'deflate');
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers.etag).toBe(plain.headers.etag);
      expect(answer.text).toBe(plain.text);
    },
  );

  it.each(['/v1/mcp/listings', '/v0.1/servers', '/docs/swagger-ui-init.js'])(
    'of %s sends the headers of GET for HEAD, without a different Content-Length',
    async (path) => {
      const plain = await exchange(path, undefined, { method: 'HEAD' });
      expect(Number(plain.headers['content-length'])).toBeGreaterThan(2_048);
      const get = await exchange(path, 'gzip');
      const head = await exchange(path, 'gzip', { method: 'HEAD' });
      expect(get.headers['content-encoding']).toBe('gzip');
      expect(head.status).toBe(200);
      expect([undefined, get.headers['content-length']]).toContain(head.headers['content-length']);
      expect(head.headers.vary).toBe(get.headers.vary);
    },
  );

  it('is skipped for smaller answers', async () => {
    const { headers } = await exchange('/healthz', 'gzip');
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('works for SCIM too, including conditional requests', async () => {
    const { provider } = await createDirectory(test);
    const headers = { Authorization: `Bearer ${provider.token}` };
    const long = {
      emails: Array.from({ length: 60 }, () => ({ value: `${unique('mail')}@example.com`, type: 'other' })),
    };
    const user = (await provider.api.post(`${provider.base}/Users`, newUser(long))).body;
    const path = `${provider.base}/Users/${user.id}` as const;
    const answer = await exchange(path, 'gzip', { headers });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const again = await exchange(path, 'gzip', { headers: { ...headers, 'If-None-Match': answer.headers.etag ?? '' } });
    expect(again.status).toBe(304);
    expect(again.headers).toMatchObject({ etag: answer.headers.etag, vary: 'Accept-Encoding' });
  });

  describe('of answers with secrets', () => {
    it('is not done, neither by the service nor by proxies, however long the answer', async () => {
      const event_types = ['bundle.created'];
      const description = 'x'.repeat(2_000);
      const body = { target_url: 'https://hooks.example.com/', description, event_types };
      const answer = await exchange('/v1/webhooks', 'gzip, br', { method: 'POST', body });
      expect(answer.status).toBe(201);
      expect(answer.bytes.length).toBeGreaterThan(2_048);
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store, no-transform');
    });

    it('is not done where the query of a target URL is shown', async () => {
      const description = 'x'.repeat(2_000);
      const body = {
        target_url: 'https://hooks.example.com/?key=secret',
        description,
        event_types: ['bundle.created'],
      };
      const { id } = JSON.parse((await exchange('/v1/webhooks', undefined, { method: 'POST', body })).text) as {
        id: string;
      };
      for (const answer of [
        await exchange('/v1/webhooks', 'gzip'),
        await exchange(`/v1/webhooks/${id}`, 'gzip'),
        await exchange(`/v1/webhooks/${id}`, 'gzip', { method: 'PATCH', body: { description } }),
      ]) {
        expect(answer.status).toBe(200);
        expect(answer.text).toContain('key=secret');
        expect(answer.headers['content-encoding']).toBeUndefined();
        expect(answer.headers['cache-control']).toBe('no-store, no-transform');
      }
    });

    it('is ruled out by a mark on every operation whose answer contains a secret', () => {
      const operations = operationsWithSecrets(test.document);
      expect(operations.length).toBeGreaterThanOrEqual(4);
      expect(operations.filter(({ isMarked }) => !isMarked)).toEqual([]);
    });
  });
});

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>;
  [SECRET_EXTENSION]?: boolean;
}

/** A target URL may have a secret in its query. */
const SECRET_NAME = /^(.*_)?(token|secret|password|api_key|private_key|target_url)$/;

/** Operations with a string of such a name in a successful answer. */
function operationsWithSecrets(document: OpenAPIObject): { id: string; isMarked: boolean }[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const holds = (schema: Schema | undefined, seen: readonly string[] = []): boolean => {
    if (!schema) return false;
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return !seen.includes(name) && holds(schemas[name], [...seen, name]);
    const properties = Object.entries(schema.properties ?? {});
    return (
      properties.some(([field, { type }]) => SECRET_NAME.test(field) && [type].flat().includes('string')) ||
      [
        ...properties.map(([, part]) => part),
        schema.items,
        ...(schema.allOf ?? []),
        ...(schema.anyOf ?? []),
        ...(schema.oneOf ?? []),
      ].some((part) => holds(part, seen))
    );
  };
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item as Record<string, Operation>))
    .filter(({ responses }) =>
      Object.entries(responses).some(
        ([status, { content = {} }]) =>
          status.startsWith('2') && Object.values(content).some(({ schema }) => holds(schema)),
      ),
    )
    .map((operation) => ({ id: operation.operationId, isMarked: operation[SECRET_EXTENSION] === true }));
}
