import type { OpenAPIObject } from '@nestjs/swagger';
import { once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { newId } from '../../src/database/id';
import { References } from '../../src/http/openapi/openapi-references';
import { RawRequest, send as sendRaw } from '../support/answers';
import type { Error as ErrorBody, ValidationErrors } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { createBundle, createListing } from '../support/factories';

const MIB = 1_048_576;
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('Validation', () => {
  let test: TestApp;
  let token: string;

  beforeAll(async () => {
    test = await createTestApp();
    token = await test.token('alice');
  });

  afterAll(async () => {
    await test.close();
    expect(test.log.join('')).not.toContain(token.split('.')[2]);
  });

  const send = <Body = unknown>(path: string, request: RawRequest = {}) =>
    sendRaw<Body>(test.url + path, { token, ...request });
  /** @returns `type` at `loc` for each fault, sorted */
  const faultsOf = async (path: string, request?: RawRequest): Promise<string[]> => {
    const { status, body, text } = await send<ValidationErrors>(path, request);
    if (status !== 422) throw new Error(`${path} answered ${status}: ${text}`);
    return body.detail.map(({ loc, type }) => `${type} at ${loc.join(' ')}`).sort();
  };
  const post = (body: RawRequest['body'], headers: Record<string, string> = JSON_TYPE): RawRequest => ({
    method: 'POST',
    headers,
    body,
  });
  const bundle = (fields: object): RawRequest => post(JSON.stringify(fields));
  const chunks = (...parts: (string | Uint8Array)[]): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
        controller.close();
      },
    });

  /** A chunked body without any chunk; fetch would send a length of 0. */
  const answerToNoChunks = async (): Promise<unknown> => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}`, 'Transfer-Encoding': 'chunked' };
    const call = request(`${test.url}/v1/bundles`, { method: 'POST', headers }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return json(response);
  };

  describe('of a body', () => {
    it.each([
      ['a brace', '{'],
      ['a field without a value', '{"name":}'],
      ['single quotes', "{'name': 'a'}"],
      ['two values', '{"name": "a"} {}'],
      ['a form', 'name=a'],
      ['blanks', ' \n'],
      ['a line break in a string', '{"name": "\n"}'],
    ])('reports that %s is not JSON', async (_, body) => {
      expect(await faultsOf('/v1/bundles', post(body))).toEqual(['json_invalid at body']);
    });

    it('reports json_invalid for invalid UTF-8', async () => {
      const bytes = Buffer.from('{"name":"caf\xe9"}', 'latin1');
      expect(await faultsOf('/v1/bundles', post(bytes))).toEqual(['json_invalid at body']);
    });

    it.each(['[]', '"text"', 'null', '7', 'true', '[{"name":"a"}]'])('requires an object: %s', async (body) => {
      expect(await faultsOf('/v1/bundles', post(body))).toEqual(['dict_type at body']);
    });

    it('reports a missing body, with or without a Content-Length', async () => {
      const missing = ['missing at body'];
      expect(await faultsOf('/v1/bundles', { method: 'POST' })).toEqual(missing);
      expect(await faultsOf('/v1/bundles', post(''))).toEqual(missing);
      expect(await faultsOf('/v1/bundles', post(chunks()))).toEqual(missing);
      expect(await answerToNoChunks()).toMatchObject({ detail: [{ loc: ['body'], type: 'missing' }] });
    });

    it('reports every missing required field of every operation, before any lookup', async () => {
      const operations = bodiesOf(test.document);
      expect(operations).toContainEqual({ method: 'POST', path: '/v1/mcp/listings', required: ['server', 'category'] });
      for (const { method, path, required } of operations) {
        const address = path
          .replace('{category_id}', '1')
          .replace('{number}', '1')
          .replace(/\{\w+\}/g, newId());
        const faults = await faultsOf(address, { ...post('{}'), method });
        expect({ method, path, faults }).toMatchObject({
          faults: required.map((name) => `missing at body ${name}`).sort(),
        });
      }
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'text/json',
      'application/json; charset=latin1',
      'application/json; charset=utf-16',
      '',
    ])('answers 415 to the content type %s', async (type) => {
      const answer = await send(
        '/v1/bundles',
        post(new TextEncoder().encode('{"name":"a"}'), type ? { 'Content-Type': type } : {}),
      );
      expect(answer.status).toBe(415);
      expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
    });

    it.each(['application/json', 'Application/JSON; Charset="UTF-8"', 'application/merge-patch+json'])(
      'accepts the content type %s',
      async (type) => {
        expect((await send('/v1/bundles', post('{"name":"typed"}', { 'Content-Type': type }))).status).not.toBe(415);
      },
    );

    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ])('accepts a body compressed with %s', async (encoding, compress) => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding };
      expect((await send('/v1/bundles', post(compress(`{"name":"${encoding}"}`), headers))).status).toBe(201);
      const broken = compress('{"name":"broken"}').subarray(0, 12);
      expect(await faultsOf('/v1/bundles', post(broken, headers))).toEqual(['json_invalid at body']);
    });

    it('answers 415 to an unknown compression', async () => {
      const answer = await send('/v1/bundles', post('{}', { ...JSON_TYPE, 'Content-Encoding': 'rot13' }));
      expect(answer.body).toMatchObject({ code: 'unsupported_media_type' });
    });

    describe('by its size', () => {
      const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
      const codeOf = async (request: RawRequest) => {
        const { status, body } = await send<ErrorBody>('/v1/bundles', request);
        return [status, body.code];
      };
      const tooLarge = [413, 'payload_too_large'];

      it('accepts 1 MiB and not a byte more', async () => {
        expect(await faultsOf('/v1/bundles', post(sized(MIB)))).toEqual(['string_too_long at body name']);
        expect(await codeOf(post(sized(MIB + 1)))).toEqual(tooLarge);
      });

      it('counts a chunked body', async () => {
        const half = 'x'.repeat(MIB / 2);
        expect(await codeOf(post(chunks('{"name":"', half, half, '"}')))).toEqual(tooLarge);
      });

      it('counts a compressed body after decompression', async () => {
        const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
        expect(bomb.length).toBeLessThan(MIB / 8);
        expect(await codeOf(post(bomb, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }))).toEqual(tooLarge);
      });
    });

    it.each([
      ['nesting', `{"name":"a","slug":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['endless nesting', '['.repeat(100_000)],
      ['values', `{"target_url":"https://a.example","event_types":[${'0,'.repeat(9_997)}0]}`],
      ['the length of a field name', `{"name":"a","${'x'.repeat(1_025)}":1}`],
    ])('limits %s, so that one request cannot block others', async (_, body) => {
      expect(await faultsOf('/v1/webhooks', post(body))).toEqual(['value_error at body']);
    });

    it('reports at most 100 errors', async () => {
      const fields = Array.from({ length: 5_000 }, (_value, index) => `"field${index}":1`).join(',');
      expect(await faultsOf('/v1/bundles', post(`{${fields}}`))).toHaveLength(100);
      const packages = `[${'{},'.repeat(5_000)}{}]`;
      const server = `{"name":"a/b","description":"c","version":"1","packages":${packages}}`;
      expect(await faultsOf('/v1/mcp/listings', post(`{"category":"a","server":${server}}`))).toHaveLength(100);
    });

    it('checks the length of a list before its items', async () => {
      const body = `{"target_url":"https://a.example","event_types":[${'0,'.repeat(9_000)}0]}`;
      expect(await faultsOf('/v1/webhooks', post(body))).toEqual(['value_error at body event_types']);
    });

    it('repeats only the beginning of a long field name', async () => {
      const answer = await send('/v1/bundles', post(`{"name":"a","${'x'.repeat(1_000)}":1}`));
      expect(answer.body).toMatchObject({
        detail: [{ loc: ['body', `${'x'.repeat(100)}…`], type: 'extra_forbidden' }],
      });
    });
  });

  describe('of fields', () => {
    it('reports all missing and all unknown fields at once', async () => {
      const body = '{"x":1,"__proto__":{"name":"a"},"constructor":{},"toString":0,"hasOwnProperty":1}';
      expect(await faultsOf('/v1/webhooks', post(body))).toEqual([
        'extra_forbidden at body __proto__',
        'extra_forbidden at body constructor',
        'extra_forbidden at body hasOwnProperty',
        'extra_forbidden at body toString',
        'extra_forbidden at body x',
        'missing at body event_types',
        'missing at body target_url',
      ]);
      expect(({} as Record<string, unknown>).name).toBeUndefined();
    });

    it('reports the expected type of each field', async () => {
      const body = { target_url: 5, event_types: 'bundle.created', description: [], is_active: 'true', org_id: 'x' };
      expect(await faultsOf('/v1/webhooks', post(JSON.stringify(body)))).toEqual([
        'bool_type at body is_active',
        'list_type at body event_types',
        'string_type at body description',
        'string_type at body target_url',
        'uuid_parsing at body org_id',
      ]);
    });

    it('names the index in a list', async () => {
      const event_types = ['bundle.created', 'bundle.exploded', 7, null, 'BUNDLE.CREATED'];
      const body = JSON.stringify({ target_url: 'https://a.example', event_types });
      expect(await faultsOf('/v1/webhooks', post(body))).toEqual(
        [1, 2, 3, 4].map((index) => `enum at body event_types ${index}`),
      );
    });

    it.each([
      ['no name', { name: '' }, 'string_too_short at body name'],
      ['a long name', { name: 'x'.repeat(201) }, 'string_too_long at body name'],
      ['a long name of characters outside the BMP', { name: '𝒙'.repeat(201) }, 'string_too_long at body name'],
      ['a name of white space', { name: ' \t' }, 'value_error at body name'],
      ['null for a name', { name: null }, 'string_type at body name'],
      ['a slug with capitals', { slug: 'A B' }, 'value_error at body slug'],
      ['an empty slug', { slug: '' }, 'string_too_short at body slug'],
      ['an unknown visibility', { visibility: 'SECRET' }, 'enum at body visibility'],
      ['a number for a visibility', { visibility: 1 }, 'enum at body visibility'],
      ['an empty id', { org_id: '' }, 'uuid_parsing at body org_id'],
      ['an id and a line break', { org_id: `${newId()}\n` }, 'uuid_parsing at body org_id'],
      ['a long description', { description: 'x'.repeat(2_001) }, 'string_too_long at body description'],
    ])('reports %s', async (_, fields, fault) => {
      expect(await faultsOf('/v1/bundles', bundle({ name: 'a', ...fields }))).toEqual([fault]);
    });

    it('counts code points, not UTF-16 units', async () => {
      expect((await send('/v1/bundles', bundle({ name: '𝒙'.repeat(200) }))).status).toBe(201);
    });

    it.each([
      [{ position: '1' }, 'int_parsing at body position'],
      [{ position: 1.5 }, 'int_parsing at body position'],
      [{ position: -1 }, 'greater_than_equal at body position'],
      [{ config: [] }, 'dict_type at body config'],
    ])('reports %j', async (fields, fault) => {
      const { id } = await createBundle(await test.as('alice'));
      const body = bundle({ listing_id: newId(), ...fields });
      expect(await faultsOf(`/v1/bundles/${id}/entries`, body)).toEqual([fault]);
    });
  });

  describe('of text that the database cannot store', () => {
    it.each([
      ['a NUL', '"a\\u0000b"'],
      ['a lone high surrogate', '"\\ud83d"'],
      ['a lone low surrogate', '"\\ude00x"'],
    ])('reports %s in every field', async (_, text) => {
      const body = `{"name":${text},"description":${text},"slug":"A","x":1}`;
      expect(await faultsOf('/v1/bundles', post(body))).toEqual([
        'extra_forbidden at body x',
        'value_error at body description',
        'value_error at body name',
        'value_error at body slug',
      ]);
      const listing = await createListing(test.dataSource);
      const { id } = await createBundle(await test.as('alice'));
      const entry = (config: string) => post(`{"listing_id":"${listing}","config":${config}}`);
      const path = `/v1/bundles/${id}/entries` as const;
      expect(await faultsOf(path, entry(`{"ours":[{"A":${text}}]}`))).toEqual(['value_error at body config ours 0 A']);
      expect(await faultsOf(path, entry(`{"ours":{${text}:1}}`))).toEqual(['value_error at body config ours']);
    });

    it('reports it in the query and in the path', async () => {
      expect(await faultsOf('/v1/mcp/listings?category=a%00b')).toEqual(['value_error at query category']);
      expect(await faultsOf('/v1/mcp/listings?cursor=%00')).toEqual(['value_error at query cursor']);
      expect(await faultsOf('/v1/webhooks?created_at=2026&created_at=%00')).toEqual([
        'value_error at query created_at 1',
      ]);
      expect(await faultsOf('/v1/bundles/%00')).toHaveLength(1);
      // Unknown parameters are ignored, and invalid UTF-8 becomes the replacement character.
      expect((await send('/v1/mcp/listings?%00=%00')).status).toBe(200);
      expect(await faultsOf('/v1/mcp/listings?category=%ff')).toEqual(['value_error at query category']);
    });
  });

  describe('of path and query', () => {
    it.each(['x', '1', newId().slice(1), `${newId()}0`, `{${newId()}}`, newId().replaceAll('-', ''), '%20'])(
      'requires a UUID in the path: %s',
      async (id) => {
        expect(await faultsOf(`/v1/bundles/${id}`)).toEqual(['uuid_parsing at path bundle_id']);
      },
    );

    it('accepts a UUID in capitals as the same one', async () => {
      const { id } = await createBundle(await test.as('alice'));
      expect((await send(`/v1/bundles/${id.toUpperCase()}`)).body).toMatchObject({ id });
    });

    it.each(['true', 'TRUE', 'True', '1', 'yes', 'YES', 'on', 'On', 'false', 'False', '0', 'no', 'NO', 'off', 'oFF'])(
      'accepts %s as a boolean',
      async (value) => {
        for (const name of ['is_active', 'verify_locally']) {
          expect((await send(`/v1/webhooks?${name}=${value}`)).status).toBe(200);
        }
      },
    );

    it.each(['banana', '', '2', 't', 'y', 'null', '%20true', 'true,false', '-1', '00'])(
      'rejects %j as a boolean',
      async (value) => {
        expect(await faultsOf(`/v1/webhooks?is_active=${value}&verify_locally=${value}`)).toEqual([
          'bool_parsing at query is_active',
          'bool_parsing at query verify_locally',
        ]);
      },
    );

    it.each([
      ['/v1/webhooks?is_active=true&is_active=true', 'bool_parsing at query is_active'],
      ['/v1/webhooks?verify_locally=false&verify_locally=false', 'bool_parsing at query verify_locally'],
      ['/v1/mcp/listings?limit=1&limit=2', 'int_parsing at query limit'],
      ['/v1/mcp/listings?category=a&category=b', 'string_type at query category'],
      [`/v1/bundles?org_id=${newId()}&org_id=${newId()}`, 'string_type at query org_id'],
    ])('rejects a repeated parameter: %s', async (path, fault) => {
      expect(await faultsOf(path)).toEqual([fault]);
    });

    it.each([
      ['0', 'greater_than_equal'],
      ['-1', 'greater_than_equal'],
      ['101', 'less_than_equal'],
      ['abc', 'int_parsing'],
      ['', 'int_parsing'],
      ['1.5', 'int_parsing'],
      ['1e1', 'int_parsing'],
      ['9'.repeat(400), 'int_parsing'],
    ])('requires a limit from 1 to 100: %s is rejected', async (limit, type) => {
      expect(await faultsOf(`/v1/mcp/listings?limit=${limit}`)).toEqual([`${type} at query limit`]);
    });

    it('ignores unknown parameters, however they are spelled', async () => {
      const strange = 'x=1&x=2&__proto__=1&constructor[a]=1&toString=&=&&%zz=%zz&filter[limit]=0&__proto__[]=2';
      expect((await send(`/v1/mcp/listings?${strange}`)).status).toBe(200);
    });

    it.each([
      ['limit[]=0', 'greater_than_equal at query limit'],
      ['limit%5B0%5D=0', 'greater_than_equal at query limit'],
      ['limit=1&limit[]=1', 'int_parsing at query limit'],
      ['LIMIT=1', 'extra_forbidden at query LIMIT'],
      ['limit[lt]=1', 'extra_forbidden at query limit[lt]'],
      ['limit=1&category[x][y]=a', 'extra_forbidden at query category[x][y]'],
    ])('does not ignore known ones in another spelling: %s', async (query, fault) => {
      expect(await faultsOf(`/v1/mcp/listings?${query}`)).toEqual([fault]);
    });

    it('reads as many parameters as the address can hold', async () => {
      const many = 'a=&'.repeat(3_000);
      expect(await faultsOf(`/v1/mcp/listings?${many}limit=x`)).toEqual(['int_parsing at query limit']);
    });
  });

  it('reports errors in path, query and body at once', async () => {
    const body = post('{"role":"KING","user_id":"x","surprise":1}');
    expect(await faultsOf('/v1/organisations/x/members?verify_locally=banana', body)).toEqual([
      'bool_parsing at query verify_locally',
      'enum at body role',
      'extra_forbidden at body surprise',
      'uuid_parsing at body user_id',
      'uuid_parsing at path org_id',
    ]);
    expect(await faultsOf('/v1/organisations/x/members?verify_locally=banana', post('{'))).toEqual([
      'bool_parsing at query verify_locally',
      'json_invalid at body',
      'uuid_parsing at path org_id',
    ]);
  });

  it('reports errors beyond JSON Schema together with the others', async () => {
    const body = post('{"target_url":"https://127.0.0.1/","event_types":["nope"],"surprise":1}');
    expect(await faultsOf('/v1/webhooks', body)).toEqual([
      'enum at body event_types 0',
      'extra_forbidden at body surprise',
      'value_error at body target_url',
    ]);
    expect(await faultsOf('/v1/webhooks?created_at=2026&created_at=zz&is_active=x')).toEqual([
      'bool_parsing at query is_active',
      'datetime_parsing at query created_at 1',
    ]);
  });
});

interface Body {
  method: string;
  path: string;
  /** The required fields. */
  required: string[];
}

/** The operations of our own API whose body has a required field. */
function bodiesOf(document: OpenAPIObject): Body[] {
  const references = new References(document);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { requestBody?: RequestBody }>)
      .map(([method, operation]) => {
        const schema = operation.requestBody?.content['application/json']?.schema ?? {};
        return {
          method: method.toUpperCase(),
          path,
          required: references.resolve<{ required?: string[] }>(schema).required ?? [],
        };
      })
      .filter(({ required }) => required.length > 0 && !path.includes('/scim/v2/')),
  );
}

interface RequestBody {
  content: Record<string, { schema: object } | undefined>;
}
