import { decodeJwt } from 'jose';
import type * as client from 'openid-client';
import { signToken } from '../../src/auth/own-issuer';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { newId } from '../../src/database/id';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, forgetRegistrations, refusal, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';

let test: TestApp;
let ada: SignedIn;
let config: client.Configuration;

beforeAll(async () => {
  test = await createTestApp({ env: { OAUTH_REGISTRATION: 'open', RUN: 'api' } });
  ada = await signIn(test, 'ada');
  await forgetRegistrations(test);
  config = await stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
});

afterAll(() => test.close());

const endpoint = (kind = 'bundles') => `${PUBLIC_URL}/mcp/${kind}/${newId()}`;
const ask = (resource: string, scope?: string) =>
  begin(config, { redirect_uri: CALLBACK, resource, ...(scope === undefined ? {} : { scope }) });

async function tokenFor(resource: string, scope?: string): Promise<string> {
  const begun = await ask(resource, scope);
  return (await finish(config, begun, await authorize(ada.browser, begun.address), resource)).access_token;
}

describe('An access token for an MCP endpoint', () => {
  it.each(['bundles', 'deployments'])('names it alone as its audience, and has its scopes alone: %s', async (kind) => {
    const resource = endpoint(kind);
    const { aud, scope } = decodeJwt(await tokenFor(resource, 'mcp:read mcp:call bundles:write'));
    expect({ aud, scope }).toEqual({ aud: resource, scope: 'mcp:read mcp:call' });
  });

  it('can read where the client asked for no scope', async () => {
    expect(decodeJwt(await tokenFor(endpoint())).scope).toBe('mcp:read');
  });

  it('opens nothing of the REST API', async () => {
    const token = await tokenFor(endpoint(), 'mcp:read mcp:call');
    for (const path of ['/v1/users/me', '/v1/mcp/categories', `/v1/bundles/${newId()}`]) {
      const response = await fetch(`${test.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(response.status === 401 || response.status === 403).toBe(true);
      expect(response.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('is rejected by the REST API even if it is limited to no scope', async () => {
    const unlimited = await signToken(test.app.get(SigningKeys).current(), {
      issuer: PUBLIC_URL,
      audience: endpoint(),
      subject: 'ada',
      email: ada.email,
      ttl: 60,
    });
    const response = await fetch(`${test.url}/v1/users/me`, { headers: { authorization: `Bearer ${unlimited}` } });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { code: 'invalid_token', detail: 'The access token is for another audience.' },
    ]);
  });

  it('opens nothing any more once its grant was revoked', async () => {
    const resource = endpoint();
    const token = await tokenFor(resource, 'mcp:read');
    const ask = async () =>
      (
        await fetch(resource.replace(PUBLIC_URL, test.url), {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status;
    // There is no such bundle.
    expect(await ask()).toBe(404);
    await test.dataSource.query(`DELETE FROM oauth_artifacts WHERE model = 'Grant'`);
    expect(await ask()).toBe(401);
  });

  it('is asked for in words that say where it can be used, and for what', async () => {
    const resource = endpoint();
    const { address } = await ask(resource, 'mcp:read mcp:call bundles:write');
    const page = await ada.browser.open(address);
    expect(page.text).toContain(`<code>${resource}</code>`);
    expect(page.text).toContain('Call the tools of an MCP endpoint in your name');
    expect(page.text).not.toContain('Create, change and delete bundles');
  });

  it.each([
    `${PUBLIC_URL}/mcp/bundles/x`,
    `${PUBLIC_URL}/mcp/bundles/${newId().toUpperCase()}`,
    `${PUBLIC_URL}/mcp/bundles/${newId()}/`,
    `${PUBLIC_URL}/mcp/bundles/${newId()}/tools`,
    `${PUBLIC_URL}/mcp/bundles/${newId()}?x=1`,
    `${PUBLIC_URL}/mcp/listings/${newId()}`,
    `${PUBLIC_URL}/mcp`,
    `https://elsewhere.example/mcp/bundles/${newId()}`,
  ])('is not given for %s', async (resource) => {
    const { address, verifier, state } = await ask(resource, 'mcp:read');
    const page = await ada.browser.open(address);
    const back = page.url.origin === new URL(CALLBACK).origin ? page.url : undefined;
    if (back) expect(await refusal(finish(config, { address, verifier, state }, back))).toBe('invalid_target');
    else expect(page.text).toContain('resource');
  });
});

describe('An access token for the REST API', () => {
  it('has no scope of an endpoint, and is not asked for one again', async () => {
    const scope = 'catalog:read mcp:read mcp:call';
    expect(decodeJwt(await tokenFor(PUBLIC_URL, scope)).scope).toBe('catalog:read');
    // What was allowed once is not asked again: the browser is sent on at once.
    const { address } = await ask(PUBLIC_URL, scope);
    const page = await ada.browser.open(address);
    expect(page.text).not.toContain('Allow access?');
  });
});
