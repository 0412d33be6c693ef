import { gzipSync } from 'node:zlib';
import { PATCH_URN, USER_URN } from './directory';

/** Something that no friendly client would send. */
export interface Hostile {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** The body is in chunked encoding, for `Transfer-Encoding: chunked`. */
  isInChunks?: boolean;
  /** Sent with the SCIM token instead of the access token. */
  isScim?: boolean;
}

/** The resources that they are sent to. */
export interface Targets {
  orgId: string;
  bundleId: string;
  listingId: string;
  userId: string;
  groupId: string;
}

const MIB = 1_048_576;
const HEADERS_BYTES = 15_000;
const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const list = (count: number, item: string) => `[${times(count, () => item).join(',')}]`;
const uuid = (n: number) => `019a9f5e-7c1d-7b3e-9a44-${n.toString(16).padStart(12, '0')}`;
const text = (bytes: number, piece = 'x') => piece.repeat(Math.floor(bytes / piece.length));

/** The five of issue 10 first; then the same kinds of error wherever a caller can put much into a request. */
export function hostileRequests({ orgId, bundleId, listingId, userId, groupId }: Targets): Hostile[] {
  const scimPath = `/v1/organisations/${orgId}/scim/v2`;
  const post = (name: string, path: string, body: string | Buffer, headers = {}, method = 'POST'): Hostile => {
    return { name, method, path, headers, body: Buffer.from(body) };
  };
  const scim = (name: string, method: string, path: string, body: object | string): Hostile => ({
    ...post(name, scimPath + path, typeof body === 'string' ? body : JSON.stringify(body), {}, method),
    isScim: true,
  });
  const get = (name: string, path: string, headers: Record<string, string> = {}): Hostile => {
    return { name, method: 'GET', path, headers };
  };
  const webhook = (fields: string) => `{"target_url":"https://a.example/","event_types":[],${fields}}`;
  const server = (fields: string) =>
    `{"category":"a","server":{"name":"a/b","description":"c","version":"1.0.0",${fields}}}`;
  const ring = (count: number) => ({
    schemas: [BULK_URN],
    Operations: times(count, (n) => ({
      method: 'POST',
      path: '/Groups',
      bulkId: `g${n}`,
      data: { schemas: [GROUP_URN], displayName: `G${n}`, members: [{ value: `bulkId:g${(n + 1) % count}` }] },
    })),
  });
  const patches = (operations: object[]) => ({ schemas: [PATCH_URN], Operations: operations });
  const emails = (count: number) => times(count, (n) => ({ value: `a${n}@example.com`, type: `t${n}` }));
  return [
    post(
      'event_types, 99,000 × 1',
      '/v1/webhooks',
      `{"target_url":"https://a.example/","event_types":${list(99_000, '1')}}`,
    ),
    post('packages, 99,000 × {}', '/v1/mcp/listings', server(`"packages":${list(99_000, '{}')}`)),
    post('headers, 80,000 names', '/v1/webhooks', webhook(`"headers":{${times(80_000, (n) => `"${n}":1`).join(',')}}`)),
    scim('SCIM bulk, 500 groups in a ring', 'POST', '/Bulk', ring(500)),
    scim(
      'SCIM PATCH, 1,000 filtered operations',
      'PATCH',
      `/Users/${userId}`,
      patches(times(1_000, (n) => ({ op: 'replace', path: `emails[value eq "a${n}@example.com"].type`, value: 'x' }))),
    ),

    post(
      'event_types, 9,900 × 1',
      '/v1/webhooks',
      `{"target_url":"https://a.example/","event_types":${list(9_900, '1')}}`,
    ),
    post('headers, 9,900 names', '/v1/webhooks', webhook(`"headers":{${times(9_900, (n) => `"${n}":1`).join(',')}}`)),
    post(
      'headers, 20 × 50 kB',
      '/v1/webhooks',
      webhook(`"headers":{${times(20, (n) => `"x${n}":"${text(50_000)}\\u0001"`).join(',')}}`),
    ),
    post('packages, 9,900 × {}', '/v1/mcp/listings', server(`"packages":${list(9_900, '{}')}`)),
    post(
      'packages, 2,400 with wrong transports',
      '/v1/mcp/listings',
      server(`"packages":${list(2_400, '{"transport":{"type":"sse","url":""}}')}`),
    ),
    post('icons, 4,900 × wrong address', '/v1/mcp/listings', server(`"icons":${list(4_900, '{"src":"x"}')}`)),
    post(
      'arguments, 3,000 wrong ones',
      '/v1/mcp/listings',
      server(`"packages":[{"runtimeArguments":${list(3_000, '{"type":"named","isRequired":1}')}}]`),
    ),
    post(
      'choices below a long name',
      '/v1/mcp/listings',
      server(
        `"remotes":[{"type":"sse","url":"https://a.example","variables":{"${text(1_020)}":{"choices":${list(9_000, '1')}}}}]`,
      ),
    ),
    post('server, a MiB of version', '/v1/mcp/listings', server(`"x":1`).replace('1.0.0', text(MIB - 200, '1.'))),
    post('server, a MiB of name', '/v1/mcp/listings', server(`"x":1`).replace('a/b', text(MIB - 200, 'a/'))),
    post('server, a MiB of _meta', '/v1/mcp/listings', server(`"_meta":{"a":"${text(MIB - 200)}"}`)),
    post('unknown fields, 9,900', '/v1/bundles', `{${times(9_900, (n) => `"f${n}":1`).join(',')}}`),
    post('the same field, 9,900 times', '/v1/bundles', `{${times(9_900, () => '"name":1').join(',')}}`),
    post('NULs, 9,900', '/v1/bundles', `{"name":${list(9_900, '"\\u0000"')}}`),
    post('a MiB of blanks in a name', '/v1/bundles', `{"name":"${text(MIB - 100, ' ')}"}`),
    post('a MiB in a slug', '/v1/bundles', `{"name":"a","slug":"${text(MIB - 100, 'a-')}"}`),
    post('a MiB in an address', '/v1/webhooks', `{"target_url":"https://${text(MIB - 100, 'a.')}","event_types":[]}`),
    post('a MiB of escapes', '/v1/bundles', `{"name":"${text(MIB - 100, '\\u00e9')}"}`),
    post('a number of a MiB', '/v1/bundles', `{"name":${text(MIB - 100, '7')}}`),
    post('a MiB of brackets', '/v1/bundles', text(MIB, '[')),
    post('a MiB of commas', '/v1/bundles', `[${text(MIB - 2, ',')}`),
    post('64 levels, 150 times', '/v1/bundles', `{"name":${list(150, text(60, '[') + text(60, ']'))}}`),
    post('64 MiB in 64 kB of gzip', '/v1/bundles', gzipSync(Buffer.alloc(64 * MIB, ' ')), {
      'Content-Encoding': 'gzip',
    }),
    {
      ...post(
        'a MiB in chunks of 64 bytes',
        '/v1/bundles',
        `40\r\n{"name":"${text(55)}\r\n` + `40\r\n${text(64)}\r\n`.repeat(16_300) + '2\r\n"}\r\n0\r\n\r\n',
      ),
      isInChunks: true,
    },
    {
      ...post(
        'a MiB in chunks of one byte',
        '/v1/bundles',
        Array.from(`{"name":"${text(MIB - 100)}"}`, (byte) => `1\r\n${byte}\r\n`).join('') + '0\r\n\r\n',
      ),
      isInChunks: true,
    },
    post(
      'entries, 500 with 2 kB of configuration',
      `/v1/bundles/${bundleId}/entries`,
      `{"base_version":1,"entries":${list(500, `{"listing_id":"${listingId}","config":{"A":"${text(2_000)}"}}`)}}`,
      {},
      'PUT',
    ),
    post(
      'entries, 500 with 15 variables',
      `/v1/bundles/${bundleId}/entries`,
      `{"base_version":1,"entries":${list(500, `{"listing_id":"${listingId}","config":{${times(15, (n) => `"V${n}":"x"`).join(',')}}}`)}}`,
      {},
      'PUT',
    ),
    post(
      'sync preview, 3,000 mappings',
      `/v1/organisations/${orgId}/scim/sync/preview`,
      JSON.stringify({
        role_mappings: {
          create: times(1_000, (n) => ({ group_name: `G${n}`, role: 'ADMIN' })),
          update: times(1_000, (n) => ({ id: uuid(n), role: 'ADMIN' })),
          delete: times(1_000, uuid),
        },
      }),
    ),

    get('created_at, 2,400 values in one', `/v1/webhooks?created_at=${list(2_400, '2026').slice(1, -1)}`),
    get('created_at, 800 times', `/v1/webhooks?${times(800, () => 'created_at=2026').join('&')}`),
    get('created_at, 7,000 empty values', `/v1/webhooks?created_at=${text(14_000, ',')}`),
    get('parameters, 7,000', `/v1/mcp/listings?${text(14_000, 'a&')}`),
    get('limit, 2,000 times', `/v1/mcp/listings?${text(14_000, 'limit=&')}`),
    get('a search of 200 strange characters', `/v1/mcp/listings?search=${encodeURIComponent(text(200, '%_\\"(&|!'))}`),
    get('a search of 100 words', `/v1/mcp/listings?search=${text(198, 'a+')}`),
    get('a cursor of 15 kB', `/v1/mcp/listings?cursor=${text(HEADERS_BYTES, 'a')}`),
    get('a path of 15 kB', `/v1/${text(HEADERS_BYTES, 'a')}`),
    get('a path of 7,500 parts', `/v1${text(HEADERS_BYTES, '/a')}`),
    get('a path of 15 kB of slashes', text(HEADERS_BYTES, '/')),
    get('a path of 5,000 %', `/v1/bundles/${text(HEADERS_BYTES, '%2e')}`),
    get('If-None-Match of 7,000 tags', '/v1/mcp/categories', { 'If-None-Match': text(14_000, 'a,') }),
    get('Accept-Encoding of 7,000 codings', '/v1/mcp/listings', { 'Accept-Encoding': text(14_000, 'a,') }),
    get('Authorization of 15 kB', '/v1/bundles', { Authorization: `Bearer ${text(14_000, 'a.')}=!` }),
    get('a token of 15 kB', '/v1/bundles', { Authorization: `Bearer ${text(14_000, 'a')}.a.a` }),
    get('1,500 headers', '/v1/bundles', Object.fromEntries(times(1_500, (n) => [`x${n}`, 'y']))),
    get('the document', '/docs/openapi.json', { 'Accept-Encoding': 'br' }),
    get('the documentation', '/docs/swagger-ui-init.js', { 'Accept-Encoding': 'gzip' }),

    scim('SCIM user with 1,000 e-mail addresses', 'POST', '/Users', {
      schemas: [USER_URN],
      userName: 'many@example.com',
      emails: emails(1_000),
    }),
    scim('SCIM user with 9,000 unknown attributes', 'POST', '/Users', {
      schemas: [USER_URN],
      userName: 'odd@example.com',
      ...Object.fromEntries(times(9_000, (n) => [`a${n}`, n])),
    }),
    scim('SCIM group with 18,000 members', 'PUT', `/Groups/${groupId}`, {
      schemas: [GROUP_URN],
      displayName: 'G',
      members: times(18_000, (n) => ({ value: uuid(n) })),
    }),
    scim(
      'SCIM group PATCH, 18,000 members',
      'PATCH',
      `/Groups/${groupId}`,
      patches([{ op: 'add', path: 'members', value: times(18_000, (n) => ({ value: uuid(n) })) }]),
    ),
    scim('SCIM group with 37,000 members of short ids', 'PUT', `/Groups/${groupId}`, {
      schemas: [GROUP_URN],
      displayName: 'G',
      members: times(37_000, (n) => ({ value: n.toString(36) })),
    }),
    scim(
      'SCIM group PATCH, 37,000 members of short ids',
      'PATCH',
      `/Groups/${groupId}`,
      patches([{ op: 'add', path: 'members', value: times(37_000, (n) => ({ value: n.toString(36) })) }]),
    ),
    scim(
      'SCIM group PATCH, 1,000 removals',
      'PATCH',
      `/Groups/${groupId}`,
      patches(times(1_000, (n) => ({ op: 'remove', path: `members[value eq "${uuid(n)}"]` }))),
    ),
    scim(
      'SCIM PATCH, 9,000 operations',
      'PATCH',
      `/Users/${userId}`,
      patches(times(3_000, () => ({ op: 'add', value: {} }))),
    ),
    scim('SCIM bulk, 4 MiB of one user', 'POST', '/Bulk', {
      schemas: [BULK_URN],
      Operations: [
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'a',
          data: { schemas: [USER_URN], userName: 'b', title: text(4 * MIB - 300) },
        },
      ],
    }),
    scim('SCIM bulk, 99,000 values', 'POST', '/Bulk', {
      schemas: [BULK_URN],
      Operations: times(490, (n) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${n}`,
        data: { schemas: [USER_URN], userName: `u${n}`, emails: emails(60) },
      })),
    }),
    scim('SCIM bulk, 500 deletions', 'POST', '/Bulk', {
      schemas: [BULK_URN],
      Operations: times(500, (n) => ({ method: 'DELETE', path: `/Users/${uuid(n)}` })),
    }),
    scim(
      'SCIM bulk, 400,000 values',
      'POST',
      '/Bulk',
      `{"schemas":["${BULK_URN}"],"Operations":${list(400_000, '{}')}}`,
    ),
    {
      ...get(
        'SCIM filter of 4,000 characters',
        `${scimPath}/Users?filter=${encodeURIComponent(times(60, () => 'userName co "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"').join(' or '))}`,
      ),
      isScim: true,
    },
    { ...get('SCIM filter of 14,000 brackets', `${scimPath}/Users?filter=${text(14_000, '(')}`), isScim: true },
    { ...get('SCIM attributes, 3,000', `${scimPath}/Users?attributes=${text(14_000, 'name,')}`), isScim: true },
  ];
}
