import { FakeClock, PUBLIC_URL } from '../../support/app';
import { targetOf } from '../../support/cookie-browser';
import { TestAuthorizationServer } from '../support/authorization-server';
import {
  browserOf,
  connect,
  type ConnectStage,
  connectUrl,
  createConnectStage,
  hiddenFields,
  personalEndpoint,
  press,
  withServers,
} from '../support/connect-stage';
import type { Endpoint, Person } from '../support/endpoint-stage';
import { JSON_TYPE } from '../support/test-upstream';

const isOurs = ({ origin }: URL) => origin === PUBLIC_URL;

describe('Connecting an account, attacked', () => {
  const clock = new FakeClock(new Date());
  let shared: ConnectStage;
  let at: ConnectStage;
  let ada: Person;
  let endpoint: Endpoint;
  let entryId: string;
  beforeAll(async () => {
    shared = await createConnectStage(1, { clock });
  });
  beforeEach(async () => {
    clock.time = new Date();
    at = await withServers(shared.stage);
    ada = await at.stage.person();
    ({ endpoint, entryId } = await personalEndpoint(at, ada));
  });
  afterEach(() => at.close());
  afterAll(() => shared.close());

  const count = async () => {
    const sql = `SELECT count(*)::int AS count FROM credentials WHERE entry_id = $1`;
    const [row] = await at.stage.test.dataSource.query<{ count: number }[]>(sql, [entryId]);
    return row?.count;
  };

  /** Goes as far as the answer of the authorization server. */
  const away = async (person = ada) => {
    const browser = await browserOf(at.stage, person);
    const shown = await press(browser, await connectUrl(person, endpoint, entryId), isOurs);
    return { browser, back: targetOf(shown) };
  };

  /** What every answer that is not ours gets. */
  const stray = { status: 400, text: expect.stringContaining('Nothing was connected.') as string };

  it('takes an answer once', async () => {
    const { browser, back } = await away();
    expect((await browser.visit(back.href)).status).toBe(200);
    const versions = () =>
      at.stage.test.dataSource.query<object[]>(`SELECT version FROM credentials WHERE entry_id = $1`, [entryId]);
    expect(await versions()).toEqual([{ version: 1 }]);
    expect(await browser.visit(back.href)).toMatchObject(stray);
    expect(await versions()).toEqual([{ version: 1 }]);
  });

  it('takes it in the session in which it began only, and leaves it to that one', async () => {
    const { browser, back } = await away();
    const bob = await at.stage.person();
    const others = [await browserOf(at.stage, bob), await browserOf(at.stage, ada)];
    for (const other of others) expect(await other.visit(back.href)).toMatchObject(stray);
    const nobody = await browserOf(at.stage, ada);
    nobody.setCookie(PUBLIC_URL, '__Host-toolyard', '');
    expect(await nobody.visit(back.href)).toMatchObject(stray);
    expect(await count()).toBe(0);
    expect((await browser.visit(back.href)).status).toBe(200);
  });

  it('takes it within ten minutes', async () => {
    const { browser, back } = await away();
    clock.advance(10 * 60_000 + 1_000);
    expect(await browser.visit(back.href)).toMatchObject(stray);
    expect(await count()).toBe(0);
  });

  it.each(['', 'state=', 'state=AAAA', `state=${'A'.repeat(43)}`, 'code=x', `state=${'A'.repeat(50_000)}`])(
    'takes no answer that was not asked for: %.20s',
    async (query) => {
      const browser = await browserOf(at.stage, ada);
      const { status } = await browser.visit(`/connect/callback?${query}`);
      expect([400, 414, 431]).toContain(status);
    },
  );

  it('takes no parameter that was sent twice', async () => {
    const { browser, back } = await away();
    back.searchParams.append('state', back.searchParams.get('state') ?? '');
    expect(await browser.visit(back.href)).toMatchObject(stray);
  });

  it.each<[string, (back: URL) => void]>([
    ['is of another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
    ['is of the issuer, spelled otherwise', (back) => back.searchParams.set('iss', `${back.searchParams.get('iss')}/`)],
    ['names no issuer though the server says it does', (back) => back.searchParams.delete('iss')],
    ['names two issuers', (back) => back.searchParams.append('iss', 'https://evil.example')],
    ['comes to the address of all the others', (back) => (back.pathname = '/connect/callback')],
    ['comes to that of another registration', (back) => (back.pathname = `/connect/callback/${entryId}`)],
  ])('takes no answer that %s', async (_what, change) => {
    const { browser, back } = await away();
    change(back);
    back.searchParams.set('error', 'access_denied');
    expect(await browser.visit(back.href)).toMatchObject(stray);
    expect(at.issuer.tokenRequests).toEqual([]);
  });

  it('takes an answer without an issuer where none is promised, and none of another one', async () => {
    at.issuer.metadata = { authorization_response_iss_parameter_supported: undefined };
    const wrong = await away();
    wrong.back.searchParams.set('iss', 'https://evil.example');
    expect(await wrong.browser.visit(wrong.back.href)).toMatchObject(stray);
    at.issuer.iss = undefined;
    expect((await connect(at.stage, ada, endpoint, entryId)).status).toBe(200);
  });

  it('shows its page to the person it is for, and only with a form of its own', async () => {
    const url = await connectUrl(ada, endpoint, entryId);
    const bob = await at.stage.person();
    const other = await (await browserOf(at.stage, bob)).request(url);
    expect([other.status, other.text]).toEqual([403, expect.not.stringContaining('<form')]);
    const browser = await browserOf(at.stage, ada);
    expect((await browser.request(url, { form: { agreed: 'yes' } })).status).toBe(403);
    const page = await browser.request(url);
    const { 1: token = '' } = /name="csrf_token" value="([^"]+)"/.exec(page.text) ?? [];
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await browser.request(url, { form: { csrf_token: token }, headers })).status).toBe(403);
    expect(at.issuer.authorizations).toEqual([]);
    const nobody = await browserOf(at.stage, ada);
    nobody.setCookie(PUBLIC_URL, '__Host-toolyard', '');
    const sent = await nobody.request(url);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?return_to=%2Fconnect/),
    ]);
  });

  it('knows no address that it has not given, or has given an hour ago', async () => {
    const browser = await browserOf(at.stage, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    for (const bad of [`${url}A`, url.slice(0, -2), '/connect/accounts/AAAA', `/connect/accounts/${'A'.repeat(5_000)}`])
      expect([400, 404]).toContain((await browser.request(bad)).status);
    clock.advance(3_600_000 + 1_000);
    expect((await browser.request(url)).status).toBe(404);
  });

  const METADATA: [string, (issuer: TestAuthorizationServer) => Record<string, unknown>][] = [
    ['does not say that it knows PKCE', () => ({ code_challenge_methods_supported: undefined })],
    ['knows PKCE without a digest only', () => ({ code_challenge_methods_supported: ['plain'] })],
    ['is another issuer than its address', () => ({ issuer: 'https://honest.example' })],
    ['sends people to a script', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
    ['sends people to data', () => ({ authorization_endpoint: 'data:text/html,hi' })],
    ['sends people to a program', () => ({ authorization_endpoint: 'file:///etc/passwd' })],
    ['sends people where nothing is encrypted', () => ({ authorization_endpoint: 'http://as.example.com/authorize' })],
    ['takes codes where nothing is encrypted', () => ({ token_endpoint: 'http://as.example.com/token' })],
    ['takes codes at a private address', () => ({ token_endpoint: 'https://10.0.0.1/token' })],
    ['takes codes at the metadata of a cloud', () => ({ token_endpoint: 'https://169.254.169.254/token' })],
    ['takes registrations at a private address', () => ({ registration_endpoint: 'https://192.168.0.1/register' })],
    ['has a password in its address', ({ issuer }) => ({ token_endpoint: issuer.replace('://', '://a:b@') })],
    ['gives no codes', () => ({ response_types_supported: ['token'] })],
    ['knows nobody, and registers nobody', () => ({ registration_endpoint: undefined })],
  ];

  it.each(METADATA)('sends nobody to an authorization server that %s', async (_what, change) => {
    at.issuer.metadata = change(at.issuer);
    const shown = await connect(at.stage, ada, endpoint, entryId);
    expect([shown.status, new URL(shown.url).origin]).toEqual([409, PUBLIC_URL]);
    expect([at.issuer.authorizations, at.issuer.tokenRequests, await count()]).toEqual([[], [], 0]);
  });

  it.each<[string, string, number, (issuer: TestAuthorizationServer) => void]>([
    [
      'redirects',
      '/.well-known/oauth-authorization-server',
      409,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (!path.startsWith('/.well-known/')) return false;
          response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
          return true;
        };
      },
    ],
    [
      'answers far too much',
      '/.well-known/oauth-authorization-server',
      409,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (!path.startsWith('/.well-known/')) return false;
          response.writeHead(200, JSON_TYPE);
          const chunk = Buffer.alloc(65_536, 32);
          const write = (): void => {
            while (!response.destroyed && response.write(chunk));
            if (!response.destroyed) response.once('drain', write);
          };
          write();
          return true;
        };
      },
    ],
    [
      'answers no JSON',
      '/.well-known/oauth-authorization-server',
      409,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (!path.startsWith('/.well-known/')) return false;
          response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi</p>');
          return true;
        };
      },
    ],
    [
      'breaks off',
      '/token',
      503,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (path === '/token') response.destroy();
          return path === '/token';
        };
      },
    ],
    [
      'fails',
      '/token',
      503,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (path === '/token') response.writeHead(500).end('secret stack trace');
          return path === '/token';
        };
      },
    ],
    [
      'gives tokens of another kind',
      '/token',
      409,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          if (path === '/token') response.writeHead(200, JSON_TYPE).end('{"access_token": "x", "token_type": "mac"}');
          return path === '/token';
        };
      },
    ],
    [
      'gives a token that would end a header',
      '/token',
      409,
      (issuer) => {
        issuer.fault = (path, _request, response) => {
          const body = JSON.stringify({ access_token: 'x\r\nHost: evil', token_type: 'Bearer' });
          if (path === '/token') response.writeHead(200, JSON_TYPE).end(body);
          return path === '/token';
        };
      },
    ],
  ])('survives an authorization server that %s at %s', async (_what, _path, status, arrange) => {
    arrange(at.issuer);
    const shown = await connect(at.stage, ada, endpoint, entryId);
    expect([shown.status, await count()]).toEqual([status, 0]);
    expect(shown.text).not.toContain('stack trace');
  });

  it.each([
    ['access_denied', 403, 'You did not allow it'],
    ['invalid_scope', 403, 'invalid_scope'],
    ['server_error', 503, 'did not answer in time'],
    ['<script>alert(1)</script>', 403, '&lt;script&gt;'],
  ])('says in words that it was answered %s, and lets the person try again', async (error, status, words) => {
    at.issuer.answer = { error, error_description: 'Visit https://evil.example now' };
    const shown = await connect(at.stage, ada, endpoint, entryId);
    expect([shown.status, shown.text]).toEqual([status, expect.stringContaining(words)]);
    expect(shown.text).not.toContain('evil.example');
    at.issuer.answer = undefined;
    const retry = /href="(\/connect\/accounts\/[\w-]+)"/.exec(shown.text)?.[1] ?? '';
    expect((await press(await browserOf(at.stage, ada), retry)).text).toContain('<h1>Connected</h1>');
  });

  it.each(['invalid_client', 'unauthorized_client'])(
    'keeps its registration, with its secret, whatever a browser says of it: %s',
    async (error) => {
      const { browser, back } = await away();
      back.searchParams.delete('code');
      back.searchParams.set('error', error);
      expect([403, 409]).toContain((await browser.visit(back.href)).status);
      expect((await connect(at.stage, ada, endpoint, entryId)).status).toBe(200);
      expect(at.issuer.registrations).toHaveLength(1);
    },
  );

  it('keeps its registration while others have tokens of it', async () => {
    const bob = await at.stage.person();
    const other = await personalEndpoint(at, bob);
    expect((await connect(at.stage, bob, other.endpoint, other.entryId)).status).toBe(200);
    at.issuer.fault = (path, _request, response) => {
      if (path === '/token') response.writeHead(401, JSON_TYPE).end('{"error": "invalid_client"}');
      return path === '/token';
    };
    expect((await connect(at.stage, ada, endpoint, entryId)).status).toBe(409);
    at.issuer.fault = () => false;
    expect((await connect(at.stage, ada, endpoint, entryId)).status).toBe(200);
    expect(at.issuer.registrations).toHaveLength(1);
  });

  it('uses the registration that was stored first where two were made at once', async () => {
    const bob = await at.stage.person();
    const other = await personalEndpoint(at, bob);
    let release = (): void => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    let arrived = 0;
    at.issuer.fault = async (path) => {
      if (path === '/register' && ++arrived === 2) release();
      if (path === '/register') await both;
      return false;
    };
    const shown = await Promise.all([
      connect(at.stage, ada, endpoint, entryId),
      connect(at.stage, bob, other.endpoint, other.entryId),
    ]);
    expect(shown.map(({ status }) => status)).toEqual([200, 200]);
    expect(at.issuer.registrations).toHaveLength(2);
    expect(new Set(at.issuer.authorizations.map((query) => query.get('client_id'))).size).toBe(1);
  });

  it('sends nobody to another authorization server than the page has named', async () => {
    const url = await connectUrl(ada, endpoint, entryId);
    const browser = await browserOf(at.stage, ada);
    const page = await browser.request(url);
    const other = await withServers(at.stage);
    other.issuer.protect(at.upstream);
    const shown = await browser.visit(url, { form: hiddenFields(page) });
    expect([shown.status, shown.text]).toEqual([409, expect.stringContaining('The server has changed')]);
    expect([at.issuer.authorizations, other.issuer.authorizations]).toEqual([[], []]);
    expect((await browser.visit(url, { form: hiddenFields(shown) })).text).toContain('<h1>Connected</h1>');
    await other.close();
  });

  it('connects nothing where the entry has moved while the person was away', async () => {
    const { browser, back } = await away();
    const { test } = at.stage;
    await test.dataSource.query(
      `UPDATE listing_versions SET server = jsonb_set(server::jsonb, '{remotes,0,url}', '"https://evil.example/mcp"')::json
       WHERE listing_id = (SELECT listing_id FROM bundle_entries WHERE id = $1)`,
      [entryId],
    );
    expect((await browser.visit(back.href)).status).toBe(409);
    expect([at.issuer.tokenRequests, await count()]).toEqual([[], 0]);
  });

  it('connects nothing for a person who has lost the bundle while they were away', async () => {
    const bob = await at.stage.person();
    await at.stage.test.dataSource.query(`UPDATE bundles SET visibility = 'PUBLIC' WHERE id = $1`, [endpoint.bundleId]);
    const { browser, back } = await away(bob);
    await at.stage.test.dataSource.query(`UPDATE bundles SET visibility = 'PRIVATE' WHERE id = $1`, [
      endpoint.bundleId,
    ]);
    expect((await browser.visit(back.href)).status).toBe(404);
    expect([at.issuer.tokenRequests, await count()]).toEqual([[], 0]);
  });

  it('connects nothing for a person who has lost the bundle while tokens were got for them', async () => {
    const bob = await at.stage.person();
    const set = (visibility: string) =>
      at.stage.test.dataSource.query(`UPDATE bundles SET visibility = $2 WHERE id = $1`, [
        endpoint.bundleId,
        visibility,
      ]);
    await set('PUBLIC');
    const { browser, back } = await away(bob);
    at.issuer.fault = async (path) => {
      if (path === '/token') await set('PRIVATE');
      return false;
    };
    expect((await browser.visit(back.href)).status).toBe(404);
    expect([at.issuer.tokenRequests.length, await count()]).toEqual([1, 0]);
  });

  it('gives a code of one server to no other one, and a client neither', async () => {
    // Both are known to us; the second one sends people on to the first.
    const evil = await TestAuthorizationServer.start();
    await connect(at.stage, ada, endpoint, entryId);
    const [honest] = [...at.issuer.clients.values()];
    evil.metadata = { authorization_endpoint: `${at.issuer.issuer}/authorize` };
    evil.fault = (path, _request, response) => {
      if (path !== '/register') return false;
      response
        .writeHead(201, JSON_TYPE)
        .end(JSON.stringify({ client_id: honest?.id, redirect_uris: honest?.redirectUris }));
      return true;
    };
    evil.protect(at.upstream);
    const shown = await connect(at.stage, ada, endpoint, entryId);
    expect([400, 409]).toContain(shown.status);
    expect(evil.tokenRequests).toEqual([]);
    await evil.close();
  });

  it('does not wait for an authorization server that never answers', async () => {
    at.issuer.fault = (path) => path === '/token';
    const { browser, back } = await away();
    const shown = await browser.visit(back.href);
    expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '30']);
  });
});
