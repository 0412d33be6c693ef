import { decodeJwt } from 'jose';
import type * as client from 'openid-client';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { crowding, eventually } from '../support/eventually';
import { REGISTRATIONS, VS_CODE_DOCUMENT } from '../support/mcp-clients/registrations';
import { MetadataHost, ScriptedDns } from '../support/metadata-host';
import { authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, forgetRegistrations, knownClient, stranger } from '../support/stranger';

let test: TestApp;
let ada: SignedIn;
let host: MetadataHost;
const dns = new ScriptedDns();

beforeAll(async () => {
  host = await MetadataHost.start();
  test = await createTestApp({
    env: { OAUTH_REGISTRATION: 'open', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' },
    dns,
  });
  ada = await signIn(test, 'ada');
});

beforeEach(() => forgetRegistrations(test));

afterAll(async () => {
  await test.close();
  host.close();
});

/** As an MCP client does it: for the resource, with a refresh, and the API is called. */
async function signsIn(config: client.Configuration, redirectUri: string): Promise<void> {
  const begun = await begin(config, { redirect_uri: redirectUri, scope: 'organisations:read', resource: PUBLIC_URL });
  const back = await authorize(ada.browser, begun.address);
  expect(back.href.startsWith(redirectUri)).toBe(true);
  const tokens = await finish(config, begun, back, PUBLIC_URL);
  expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: PUBLIC_URL, scope: 'organisations:read' });
  expect(tokens.refresh_token).toBeDefined();
  const response = await fetch(`${test.url}/v1/users/me`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(response.status).toBe(200);
}

/** @returns what the person sees when a client with this id sends them here */
async function shown(clientId: string, redirectUri = 'https://vscode.dev/redirect') {
  const config = await knownClient(test, clientId);
  const { address } = await begin(config, { redirect_uri: redirectUri, scope: 'organisations:read' });
  return ada.browser.open(address);
}

describe('MCP clients', () => {
  it.each(Object.entries(REGISTRATIONS))('%s registers and signs in', async (_name, { metadata, redirectUri }) => {
    const config = await stranger(test, metadata);
    await signsIn(config, redirectUri);
  });

  it('VS Code signs in with its metadata document, from any port', async () => {
    const id = host.serve('/vscode.json', (client_id) => ({ ...VS_CODE_DOCUMENT, client_id }));
    const config = await knownClient(test, id);
    await signsIn(config, 'http://127.0.0.1:40123/');
    await signsIn(config, 'https://vscode.dev/redirect');
    expect(host.requests.filter((path) => path === '/vscode.json')).toHaveLength(1);
  });

  it('a metadata document may leave out what follows from the rest', async () => {
    const id = host.serve('/short.json', (client_id) => ({
      client_id,
      client_name: 'Short',
      redirect_uris: ['http://localhost:1234/callback'],
    }));
    await signsIn(await knownClient(test, id), 'http://localhost:5678/callback');
  });
});

describe('A metadata document', () => {
  const document = (client_id: string) => ({ ...VS_CODE_DOCUMENT, client_id });

  it.each([
    ['is not found', '/missing.json', undefined],
    ['is another client', '/other.json', (id: string) => document(`${id}?other`)],
    ['has more than 5 KiB', '/huge.json', (id: string) => ({ ...document(id), padding: 'x'.repeat(6_000) })],
    ['has a secret', '/secret.json', (id: string) => ({ ...document(id), client_secret: 'x'.repeat(43) })],
    [
      'wants client credentials',
      '/machine.json',
      (id: string) => ({ ...document(id), grant_types: ['client_credentials'] }),
    ],
    [
      'has a forbidden redirect',
      '/script.json',
      (id: string) => ({ ...document(id), redirect_uris: ['javascript:alert(1)'] }),
    ],
  ])('that %s is refused, and not fetched again at once', async (_what, path, answer) => {
    const id = answer ? host.serve(path, answer) : host.urlOf(path);
    for (const page of [await shown(id), await shown(id)]) {
      expect([page.status, page.url.origin]).toEqual([400, PUBLIC_URL]);
      expect(page.text).toContain('You cannot sign in this way');
    }
    expect(host.requests.filter((asked) => asked === path)).toHaveLength(1);
  });

  it('that redirects is refused, and the target not asked', async () => {
    host.serve('/target.json', document);
    const id = host.serve('/moved.json', () => (_request, response) => {
      response.writeHead(302, { location: host.urlOf('/target.json') }).end();
    });
    expect((await shown(id)).status).toBe(400);
    expect(host.requests).not.toContain('/target.json');
  });

  it('on a private address is not asked for', async () => {
    // It would answer there.
    dns.answers = [['127.0.0.2'], ['127.0.0.1']];
    const id = host.serve('/private.json', document);
    const before = host.connections;
    expect((await shown(id)).status).toBe(400);
    for (const literal of ['127.0.0.2', '[::ffff:127.0.0.2]', '0.0.0.0', '2130706434', '169.254.169.254'])
      expect((await shown(`https://${literal}:${host.port}/private.json`)).status).toBe(400);
    expect([host.connections, host.requests.includes('/private.json')]).toEqual([before, false]);
  });

  it('is fetched from the address that was checked, even if the name has another one a moment later', async () => {
    const id = host.serve('/rebinding.json', document);
    dns.answers = [['127.0.0.1'], ['10.0.0.1']];
    const before = dns.questions;
    expect((await shown(id)).text).toContain('Visual Studio Code');
    expect(dns.questions - before).toBe(1);
    dns.answers = [['127.0.0.1']];
  });

  it('that cannot be fetched, because others are, is not called unknown', async () => {
    const silent = Array.from({ length: 3 }, (_, n) => host.serve(`/hanging-${n}.json`, () => () => undefined));
    const before = host.requests.length;
    const hanging = silent.map((id) => shown(id));
    await eventually(
      () => host.requests.length - before,
      (count) => count === silent.length,
      2_000,
    );
    const id = host.serve('/busy.json', document);
    const page = await shown(id);
    expect([page.status, page.text.includes('Not available right now')]).toEqual([503, true]);
    const { status, headers } = await fetch(`${test.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: id }),
    });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    await Promise.all(hanging);
    expect((await shown(id)).text).toContain('Visual Studio Code');
  });

  it('that does not come in 2.5 s is given up', async () => {
    const id = host.serve('/silent.json', () => () => undefined);
    const began = performance.now();
    expect((await shown(id)).status).toBe(400);
    expect(performance.now() - began).toBeLessThan(8_000 * crowding());
  });
});

describe('OAUTH_CLIENT_DOMAINS', () => {
  it('restricts whose metadata documents count', async () => {
    const restricted = await createTestApp({
      env: { OAUTH_CLIENT_DOMAINS: 'vscode.dev', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' },
      dns: new ScriptedDns(),
    });
    try {
      const id = host.serve('/outside.json', (client_id) => ({ ...VS_CODE_DOCUMENT, client_id }));
      const { browser } = await signIn(restricted, 'bob');
      const { address } = await begin(await knownClient(restricted, id), {
        redirect_uri: 'https://vscode.dev/redirect',
      });
      expect((await browser.open(address)).status).toBe(400);
      expect(host.requests).not.toContain('/outside.json');
    } finally {
      await restricted.close();
    }
  });
});

describe('A client with a back channel', () => {
  it('is notified when the person signs out of the console', async () => {
    let body = '';
    const backchannel_logout_uri = host.serve('/signed-out', () => (request, response) => {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.writeHead(200).end());
    });
    const redirectUri = 'https://stranger.example/callback';
    const config = await stranger(test, {
      redirect_uris: [redirectUri],
      backchannel_logout_uri,
      backchannel_logout_session_required: true,
    });
    const person = await signIn(test, 'leaving');
    const begun = await begin(config, { redirect_uri: redirectUri, scope: 'openid organisations:read' });
    const tokens = await finish(config, begun, await authorize(person.browser, begun.address));
    await person.browser.submit(await person.browser.open('/sign-out'));
    await eventually(
      () => body,
      (sent) => sent.includes('logout_token='),
      5_000,
    );
    const claims = decodeJwt(new URLSearchParams(body).get('logout_token') ?? '');
    expect(claims).toMatchObject({ iss: PUBLIC_URL, sub: person.userId, sid: tokens.claims()?.sid });
    expect(claims.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} });
  });
});
