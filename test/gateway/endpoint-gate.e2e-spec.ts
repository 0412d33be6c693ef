import { request as httpRequest } from 'node:http';
import { decodeJwt } from 'jose';
import { TokenStatus } from '../../src/auth/authorization-server/token-status';
import { PUBLIC_URL } from '../support/app';
import { createCast, unique } from '../support/factories';
import { createStage, type Endpoint, type Person, type Stage } from './support/endpoint-stage';
import { gotten, LegacyClient, MessageStream, MODERN, ModernClient, post } from './support/mcp-client';
import { type Json, TestUpstream, toolOf } from './support/test-upstream';

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const LIST = { jsonrpc: '2.0', id: 'l', method: 'tools/list', params: { _meta: META } };
const EXTENSION = 'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb';
const HEADERS = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };

let stage: Stage;
let upstream: TestUpstream;
let ada: Person;
let endpoint: Endpoint;
let token: string;

beforeAll(async () => {
  upstream = await TestUpstream.start();
  stage = await createStage(1, {
    env: { MCP_ALLOWED_ORIGINS: `https://app.example.com,${EXTENSION}`, RUN: 'api,worker' },
  });
  ada = await stage.person(unique('ada'));
  endpoint = await ada.endpoint([upstream.url]);
  token = await ada.tokenFor(endpoint.path);
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

const list = async (headers: Record<string, string> = {}, at = endpoint.url, by: string | null = token) =>
  gotten(await post(at, by ?? undefined, LIST, { ...HEADERS, ...headers }));
/** By a client that sends any header. */
const statusWith = (headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const all = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: '*/*',
      ...HEADERS,
      ...headers,
    };
    httpRequest(endpoint.url, { method: 'POST', headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(JSON.stringify(LIST));
  });

describe('Who may use an endpoint', () => {
  it('is asked for a token, and told where to get one', async () => {
    const { status, headers, answer } = await list({}, endpoint.url, null);
    expect([status, answer]).toEqual([
      401,
      { jsonrpc: '2.0', error: expect.objectContaining({ code: 401 }) as object },
    ]);
    const challenge = headers.get('www-authenticate') ?? '';
    expect(challenge).toContain(
      `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource${endpoint.path}"`,
    );
    expect(challenge).toContain('scope="mcp:read mcp:call"');
    expect(challenge).not.toContain('error=');
    const metadata = await fetch(
      stage.test.url + new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '').pathname,
    );
    expect(await metadata.json()).toMatchObject({ resource: PUBLIC_URL + endpoint.path });
  });

  it('has a token for exactly this endpoint', async () => {
    const other = await ada.endpoint([]);
    const tokens = [
      await stage.test.token(ada.name),
      await ada.tokenFor(other.path),
      await ada.tokenFor(`${endpoint.path}/x`),
      await ada.tokenFor(''),
      'nonsense',
      'tyb_' + 'a'.repeat(43),
      await other.bundleToken(),
    ];
    for (const wrong of tokens) {
      const { status, headers } = await list({}, endpoint.url, wrong);
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
    }
    expect((await list()).status).toBe(200);
  });

  it('uses no cookie and no personal access token', async () => {
    const scopes = ['bundles:read'];
    const made = await ada.api
      .raw('post', '/v1/users/me/access-tokens')
      .send({ name: 'x', scopes, expires_at: new Date(Date.now() + 86_400_000).toISOString() });
    const secret = (made.body as { token?: string }).token;
    expect(typeof secret).toBe('string');
    expect((await list({}, endpoint.url, secret)).status).toBe(401);
    expect((await list({ cookie: 'toolyard_session=x' }, endpoint.url, null)).status).toBe(401);
  });

  it('may be a program with an access token of the bundle', async () => {
    const secret = await endpoint.bundleToken();
    const client = new ModernClient([endpoint.url], secret);
    expect((await client.all('tools/list', 'tools')).length).toBe(6);
    await stage.test.dataSource.query(`DELETE FROM bundle_access_tokens WHERE bundle_id = $1`, [endpoint.bundleId]);
    expect((await client.request('tools/list')).status).toBe(401);
  });

  it('loses access with a token that was revoked, at the next request and in open streams', async () => {
    const revocable = await ada.tokenFor(endpoint.path);
    const client = new ModernClient([endpoint.url], revocable);
    expect((await client.request('tools/list')).status).toBe(200);
    const stream = new MessageStream(
      await client.send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    );
    await stream.nextOf('notifications/subscriptions/acknowledged');
    await stage.test.app.get(TokenStatus).deny(decodeJwt(revocable));
    const { status, headers } = await client.request('tools/list');
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    expect(await stream.next()).toHaveProperty('result');
    expect((await list()).status).toBe(200);
  });

  it('needs a scope for calling tools', async () => {
    const [reader] = [new ModernClient([endpoint.url], await endpoint.bundleToken(['read']))];
    const people = await ada.modern(endpoint, 'mcp:read');
    for (const client of [reader, people]) {
      const tools = await client.all('tools/list', 'tools');
      const name = tools[0]?.name as string;
      const { status, headers, answer } = await client.request('tools/call', { name, arguments: {} });
      expect([status, answer]).toMatchObject([403, { id: expect.any(Number) as number, error: { code: 403 } }]);
      expect(headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="mcp:call"/);
    }
    const none = await ada.modern(endpoint, 'openid');
    expect((await none.request('tools/list')).status).toBe(403);
  });

  it('may see the bundle; for others it does not exist', async () => {
    const cast = await createCast(stage.test);
    const eve = await stage.person(unique('eve'));
    const stranger = await eve.tokenFor(endpoint.path);
    const missing = `/mcp/bundles/${cast.orgId}`;
    const [hidden, absent] = [
      await list({}, endpoint.url, stranger),
      await list({}, stage.test.url + missing, await eve.tokenFor(missing)),
    ];
    const shown = ({ answer }: { answer: Json | undefined }) => JSON.stringify(answer).replace(/[0-9a-f-]{36}/, 'id');
    expect([hidden.status, absent.status]).toEqual([404, 404]);
    expect(shown(hidden)).toBe(shown(absent));
    const disabled = await ada.endpoint([]);
    await disabled.set({ is_enabled: false });
    expect((await list({}, disabled.url, await ada.tokenFor(disabled.path))).status).toBe(404);
  });

  it('loses access with the next request', async () => {
    const bundle = await ada.endpoint([upstream.url], {}, { visibility: 'PUBLIC' });
    const eve = await stage.person(unique('eve'));
    const client = await eve.modern(bundle);
    expect((await client.request('tools/list')).status).toBe(200);
    await ada.api.raw('patch', `/v1/bundles/${bundle.bundleId}`).send({ visibility: 'PRIVATE' });
    expect((await client.request('tools/list')).status).toBe(404);
  });

  it('sees only what listings they may see offer', async () => {
    const owner = await stage.test.as(ada.name);
    const { id: ownerId } = (await owner.get('/v1/users/me')).body;
    const bundle = await ada.endpoint([], {}, { visibility: 'PUBLIC' });
    await bundle.add(await stage.listing(upstream.url, { visibility: 'PRIVATE', ownerId }));
    const eve = await stage.person(unique('eve'));
    expect(await (await eve.modern(bundle)).all('tools/list', 'tools')).toEqual([]);
    expect(await (await ada.modern(bundle)).all('tools/list', 'tools')).toHaveLength(6);
  });
});

describe('Where a request may come from', () => {
  it.each([
    [PUBLIC_URL, 200],
    ['https://app.example.com', 200],
    [EXTENSION, 200],
    ['https://evil.example.com', 403],
    ['null', 403],
    ['chrome-extension://another', 403],
  ])('origin %s: %i', async (origin, expected) => {
    const { status, headers, answer } = await list({ origin });
    expect(status).toBe(expected);
    expect(headers.get('access-control-allow-origin')).toBe(expected === 200 ? origin : null);
    expect(headers.get('vary')).toMatch(/\borigin\b/i);
    if (expected === 403) expect(answer).toEqual({ jsonrpc: '2.0', error: expect.anything() as object });
  });

  it('makes a difference for caches, whether it is named or not, besides what does already', async () => {
    const { headers } = await list({ 'accept-encoding': 'gzip' });
    expect(headers.get('vary')?.split(/, */)).toContain('Origin');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is a host of this machine where it can only be reached from there', async () => {
    expect(await statusWith({ host: 'evil.example.com' })).toBe(403);
    expect(await statusWith({ host: 'localhost:1234' })).toBe(200);
    expect(await statusWith({ host: 'toolyard.test' })).toBe(200);
  });

  it('is asked by browsers before', async () => {
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-param-region,x-other',
    };
    const allowed = await fetch(endpoint.url, { method: 'OPTIONS', headers });
    expect([allowed.status, allowed.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization, mcp-param-region',
    ]);
    const refused = await fetch(endpoint.url, {
      method: 'OPTIONS',
      headers: { ...headers, origin: 'https://evil.example.com' },
    });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

describe('What is no request', () => {
  const refused = async (body: unknown, headers: Record<string, string> = {}) => {
    const { status, answer } = await gotten(await post(endpoint.url, token, body, { ...HEADERS, ...headers }));
    return [status, (answer?.error as Json | undefined)?.code, answer?.id];
  };
  const nested = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"x","params":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  it.each([
    ['no JSON', '{', {}, [400, -32700, undefined]],
    ['a batch', [LIST, LIST], {}, [400, -32600, undefined]],
    ['too deep', nested(64), {}, [400, -32600, undefined]],
    ['too large', ' '.repeat(1_048_577), {}, [413, 413, undefined]],
    ['another type', LIST, { 'content-type': 'text/plain' }, [415, -32600, undefined]],
    ['JSON alone accepted', LIST, { accept: 'application/json' }, [406, -32600, undefined]],
    ['events alone accepted', LIST, { accept: 'text/event-stream' }, [406, -32600, undefined]],
    ['an unknown method', { ...LIST, method: 'tools/burn' }, { 'mcp-method': 'tools/burn' }, [404, -32601, 'l']],
    ['a method of the other era', { ...LIST, method: 'ping' }, { 'mcp-method': 'ping' }, [404, -32601, 'l']],
    ['no metadata', { ...LIST, params: {} }, {}, [400, -32602, 'l']],
    ['a header that says something else', LIST, { 'mcp-method': 'tools/call' }, [400, -32020, 'l']],
    [
      'an unknown revision',
      { ...LIST, params: { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } } },
      { 'mcp-protocol-version': '2031-01-01' },
      [400, -32022, 'l'],
    ],
    ['a cursor of another list', { ...LIST, params: { _meta: META, cursor: 'x' } }, {}, [200, -32602, 'l']],
  ])('is refused: %s', async (_, body, headers, expected) => {
    expect(await refused(body, headers as Record<string, string>)).toEqual(expected);
  });

  it('is refused with the methods that there are', async () => {
    const response = await fetch(endpoint.url, { method: 'PUT', headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE, OPTIONS']);
    for (const path of ['/mcp/bundles/x', `${endpoint.path}/`, `${endpoint.path}/tools`, '/mcp/'])
      expect((await post(stage.test.url + path, token, LIST, HEADERS)).status).toBe(404);
  });

  it('is accepted as a notification', async () => {
    const response = await post(
      endpoint.url,
      token,
      { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: META } },
      HEADERS,
    );
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});

describe('A session', () => {
  it('is required after `initialize`, and opens for nobody else', async () => {
    const client = await ada.legacy(endpoint);
    const other = await ada.endpoint([]);
    const elsewhere = new LegacyClient([other.url], await ada.tokenFor(other.path));
    const token2 = new LegacyClient([endpoint.url], await endpoint.bundleToken());
    for (const thief of [elsewhere, token2]) {
      thief.sessionId = client.sessionId;
      expect((await thief.request('ping')).status).toBe(404);
      expect((await thief.open('DELETE')).status).toBe(404);
      expect((await thief.open('GET')).status).toBe(404);
      thief.sessionId = undefined;
      expect((await thief.request('ping')).status).toBe(400);
      thief.sessionId = `${client.sessionId}x`;
      expect((await thief.request('ping')).status).toBe(404);
    }
    expect(await client.result('ping')).toEqual({});
  });

  it('belongs to a revision that has sessions', async () => {
    const client = await ada.legacy(endpoint);
    for (const revision of [MODERN, '2031-01-01']) {
      const other = client.at(endpoint.url);
      other.revision = revision;
      expect((await other.open('GET')).status).toBe(400);
      expect((await other.open('DELETE')).status).toBe(400);
    }
    expect(await client.result('ping')).toEqual({});
  });

  it('ends by DELETE', async () => {
    const client = await ada.legacy(endpoint);
    expect((await client.open('DELETE')).status).toBe(204);
    expect((await client.request('ping')).status).toBe(404);
    expect((await client.open('GET')).status).toBe(404);
  });

  it.each([
    [{ protocolVersion: 1, capabilities: {}, clientInfo: {} }],
    [{ protocolVersion: '2025-11-25', clientInfo: {} }],
    [{ protocolVersion: '2025-11-25', capabilities: {} }],
    [{ protocolVersion: '2025-11-25', capabilities: { x: 'x'.repeat(5_000) }, clientInfo: {} }],
  ])('does not begin with %j', async (params) => {
    const { status, answer } = await gotten(
      await post(endpoint.url, token, { jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    );
    expect([status, answer]).toMatchObject([400, { id: 1, error: { code: -32602 } }]);
  });
});

describe('A deployment', () => {
  it('serves the version that it is bound to', async () => {
    const second = await TestUpstream.start();
    second.tools = [toolOf('second')];
    try {
      const bundle = await ada.endpoint([upstream.url]);
      const made = await ada.api
        .raw('post', `/v1/bundles/${bundle.bundleId}/deployments`)
        .send({ name: 'Production', environment: 'production', kind: 'ENDPOINT' });
      expect([made.status, made.body]).toMatchObject([201, { kind: 'ENDPOINT' }]);
      const { id, url } = made.body as { id: string; url: string };
      expect(url).toBe(`${PUBLIC_URL}/mcp/deployments/${id}`);
      await bundle.add(await stage.listing(second.url));
      const deployed = await ada.modern({ path: `/mcp/deployments/${id}` });
      const live = await ada.modern(bundle);
      expect(await live.all('tools/list', 'tools')).toHaveLength(7);
      expect(await deployed.all('tools/list', 'tools')).toHaveLength(6);
      const version = (await ada.api.get(`/v1/bundles/${bundle.bundleId}`)).body.version;
      await ada.api.raw('patch', `/v1/bundles/${bundle.bundleId}/deployments/${id}`).send({ bundle_version: version });
      expect(await deployed.all('tools/list', 'tools')).toHaveLength(7);
      const secret = await bundle.bundleToken();
      expect(
        (await new ModernClient([`${stage.test.url}/mcp/deployments/${id}`], secret).request('tools/list')).status,
      ).toBe(200);
    } finally {
      await second.close();
    }
  });
});
