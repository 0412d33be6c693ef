import type { JWTPayload } from 'jose';
import * as client from 'openid-client';
import { DOCS_CLIENT_ID } from '../../src/auth/authorization-server/client-store';
import { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { consoleSession } from '../support/console-session';
import { idOf, unique } from '../support/factories';
import { TestIssuer } from '../support/issuer';
import { allowed, authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, knownClient, stranger } from '../support/stranger';

const CALLBACK = 'https://stranger.example/callback';
const ME = '/v1/users/me';
const TOKENS = '/v1/users/me/access-tokens';
const NEW_TOKEN = { name: 'Kept', scopes: ['catalog:read'] };
const ALL = 'catalog:read organisations:read organisations:admin bundles:write platform:admin';
const REFUSED = { code: 'recent_sign_in_required' };
const MINUTE_MS = 60_000;

let test: TestApp;
let admin: Api;

beforeAll(async () => {
  test = await createTestApp({
    env: { RUN: 'api', OAUTH_REGISTRATION: 'open', PLATFORM_ADMINS: 'chief@example.com,deputy@example.com' },
  });
  admin = new Api(test.url, test.document, await test.token('root', { isAdmin: true }));
});

afterAll(() => test.close());

const withToken = (token: string) => new Api(test.url, test.document, token);
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
const slug = () => unique('owned');

async function created(body: Record<string, unknown>): Promise<client.Configuration> {
  const { id, client_secret: secret } = (await admin.call('post', '/v1/oauth-clients', 201, body)).body as {
    id: string;
    client_secret: string;
  };
  return knownClient(test, id, client.ClientSecretBasic(secret));
}

async function tokenOf(person: SignedIn, config: client.Configuration, scope: string, redirect_uri = CALLBACK) {
  const begun = await begin(config, { redirect_uri, scope });
  const { access_token } = await finish(config, begun, await authorize(person.browser, begun.address));
  return withToken(access_token);
}

/** Programs that act for somebody with as much as they can have without being asked about deletion. */
const PROGRAMS: [string, () => Promise<Api>][] = [
  [
    'a client that registered itself',
    async () => tokenOf(await signIn(test, unique('ada')), await stranger(test, { redirect_uris: [CALLBACK] }), ALL),
  ],
  [
    'a client that an administrator trusts',
    async () => {
      const config = await created({ name: 'Trusted', redirect_uris: [CALLBACK], is_trusted: true });
      return tokenOf(await signIn(test, unique('ada')), config, ALL);
    },
  ],
  [
    'the page at /docs',
    async () => {
      const config = await knownClient(test, DOCS_CLIENT_ID);
      return tokenOf(await signIn(test, unique('ada')), config, ALL, `${PUBLIC_URL}/docs/oauth2-redirect.html`);
    },
  ],
  [
    'a machine',
    async () => {
      const config = await created({ name: 'Machine', grant_types: ['client_credentials'] });
      return withToken((await client.clientCredentialsGrant(config, { scope: ALL })).access_token);
    },
  ],
  [
    'a personal access token',
    async () => {
      const { userId } = await signIn(test, unique('ada'));
      const headers = await consoleSession(test, userId);
      const scopes = ['organisations:read', 'organisations:admin', 'platform:admin'];
      const { body } = await test.anonymous.call('post', TOKENS, 201, { name: 'All', scopes }, headers);
      return withToken((body as { token: string }).token);
    },
  ],
];

describe('What lasts longer than a token', () => {
  it.each(PROGRAMS)('is not done for a person by %s', async (_, program) => {
    const api = await program();
    const { id } = (await api.post('/v1/organisations', { name: 'Owned', slug: slug() })).body;
    const refusals = [
      await api.call('post', TOKENS, 403, NEW_TOKEN),
      await api.delete(ME, 403),
      await api.call('delete', `/v1/users/${await idOf(api)}`, 403),
      await api.delete(`/v1/organisations/${id}`, 403),
    ];
    for (const { body } of refusals) expect(body).toMatchObject(REFUSED);
    expect((await api.get(TOKENS)).body).not.toContainEqual(expect.objectContaining({ name: 'Kept' }));
    await api.get(`/v1/organisations/${id}`);
  });

  it('is not done by a program of an administrator with a link to a new password, whoever it is for', async () => {
    const chief = await signIn(test, 'chief');
    const api = await tokenOf(chief, await stranger(test, { redirect_uris: [CALLBACK] }), ALL);
    const { userId } = await signIn(test, unique('ada'));
    for (const id of [chief.userId, userId]) {
      const path = `/v1/users/${id}/password-reset-link`;
      expect((await api.call('post', path, 403)).body).toMatchObject(REFUSED);
      const statusIn = async (headers: Record<string, string>) =>
        (await test.anonymous.call('post', path, undefined, undefined, headers)).status;
      expect(await statusIn(await consoleSession(test, chief.userId, ago(6)))).toBe(403);
      expect(await statusIn(await consoleSession(test, chief.userId, ago(4)))).toBe(200);
    }
  });

  it('is not done by a program that invites an administrator, but one may invite others', async () => {
    const api = await tokenOf(await signIn(test, 'chief'), await stranger(test, { redirect_uris: [CALLBACK] }), ALL);
    const invite = (email: string, status: number) => api.call('post', '/v1/users/invitations', status, { email });
    expect((await invite('Deputy@Example.com', 403)).body).toMatchObject(REFUSED);
    await invite(`${unique('ada')}@example.com`, 201);
  });

  it.each([
    ['just now', 0, true],
    ['four minutes ago', 4, true],
    ['six minutes ago', 6, false],
    ['at a time that nobody says', null, false],
  ])('is done in a browser where the person signed in %s: %s', async (_, minutes, isAllowed) => {
    const { userId } = await signIn(test, unique('grace'));
    const headers = await consoleSession(test, userId, minutes === null ? null : ago(minutes));
    const answer = async (method: 'post' | 'delete', path: string, body?: object) =>
      test.anonymous.call(method, path, undefined, body, headers);
    const { id } = (await answer('post', '/v1/organisations', { name: 'x', slug: slug() })).body as { id: string };
    const made = await answer('post', TOKENS, NEW_TOKEN);
    const deletedOrganisation = await answer('delete', `/v1/organisations/${id}`);
    await test.dataSource.query(`DELETE FROM memberships WHERE user_id = $1`, [userId]);
    const answers = [made, deletedOrganisation, await answer('delete', ME)];
    expect(answers.map(({ status }) => status)).toEqual(isAllowed ? [201, 204, 204] : [403, 403, 403]);
    for (const { body } of answers.filter(({ status }) => status === 403)) expect(body).toMatchObject(REFUSED);
  });

  it('is said to be refused with the place where it can be done', async () => {
    const api = await tokenOf(
      await signIn(test, unique('ada')),
      await stranger(test, { redirect_uris: [CALLBACK] }),
      ALL,
    );
    expect((await api.call('post', TOKENS, 403, NEW_TOKEN)).body).toEqual({
      detail: `Only the person can do this: in a browser, at most five minutes after signing in: ${PUBLIC_URL}/account`,
      code: 'recent_sign_in_required',
    });
  });
});

describe('A scope that allows to delete', () => {
  const register = () => stranger(test, { redirect_uris: [CALLBACK], client_name: 'Tidier' });

  it('is spelled out on the consent page, and enough by itself', async () => {
    const person = await signIn(test, unique('ada'));
    const [config, { id }] = [await register(), await ownedBy(person)];
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'organisations:delete' });
    const page = await person.browser.open(begun.address);
    expect(page.text).toContain('Delete organisations that you own for good');
    const { access_token } = await finish(config, begun, (await allowed(person.browser, page)).url);
    expect((await withToken(access_token).delete(ME, 403)).body).toMatchObject({ code: 'insufficient_scope' });
    await withToken(access_token).delete(`/v1/organisations/${id}`, 204);
    const api = await tokenOf(person, config, 'account:delete organisations:read');
    expect((await api.get(ME)).body.scopes).toEqual(['organisations:read', 'account:delete']);
    expect((await api.call('post', TOKENS, 403, NEW_TOKEN)).body).toMatchObject({ code: 'insufficient_scope' });
    await api.delete(ME, 204);
  });

  it('does not let anyone delete what they may not', async () => {
    const [ada, grace] = [await signIn(test, unique('ada')), await signIn(test, unique('grace'))];
    const api = await tokenOf(ada, await register(), 'organisations:delete account:delete platform:admin');
    await api.delete(`/v1/organisations/${(await ownedBy(grace)).id}`, 404);
    expect((await api.delete(`/v1/users/${grace.userId}`, 403)).body).toMatchObject({ code: 'forbidden' });
  });

  it('is asked about every time, whether it was allowed before or the client is trusted', async () => {
    const person = await signIn(test, unique('ada'));
    for (const config of [
      await register(),
      await created({ name: 'Trusted', redirect_uris: [CALLBACK], is_trusted: true }),
    ]) {
      for (let time = 0; time < 2; time++) {
        const { address } = await begin(config, { redirect_uri: CALLBACK, scope: 'account:delete catalog:read' });
        const page = await person.browser.open(address);
        expect(page.text).toContain('Delete your account for good, without asking you again');
        await allowed(person.browser, page);
      }
      const silent = await begin(config, { redirect_uri: CALLBACK, scope: 'account:delete', prompt: 'none' });
      expect((await person.browser.open(silent.address)).url.searchParams.get('code')).toBeNull();
      const harmless = await begin(config, { redirect_uri: CALLBACK, scope: 'catalog:read' });
      const tokens = await finish(config, harmless, (await person.browser.open(harmless.address)).url);
      expect(tokens.scope).toBe('catalog:read');
    }
  });

  it('is not advertised, not part of a default, and not for personal access tokens', async () => {
    const documents = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'];
    for (const name of documents) {
      const { body } = await test.anonymous.call('get', `/.well-known/${name}`, 200);
      const { scopes_supported: scopes } = body as { scopes_supported: string[] };
      expect(scopes).toContain('organisations:admin');
      expect(scopes.filter((scope) => scope.endsWith(':delete'))).toEqual([]);
    }
    const person = await signIn(test, unique('ada'));
    const config = await register();
    const begun = await begin(config, { redirect_uri: CALLBACK });
    expect((await finish(config, begun, await authorize(person.browser, begun.address))).scope).not.toContain('delete');
    const headers = await consoleSession(test, person.userId);
    const body = { name: 'x', scopes: ['account:delete'] };
    await test.anonymous.call('post', TOKENS, 422, body, headers);
  });

  it('is not for an MCP endpoint', async () => {
    const person = await signIn(test, unique('ada'));
    const config = await register();
    const resource = `${PUBLIC_URL}/mcp/bundles/019a9f63-5b20-7d73-9e86-4f3da09cd265`;
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: 'mcp:read account:delete', resource });
    const page = await person.browser.open(begun.address);
    expect(page.text).not.toContain('Delete');
    const tokens = await finish(config, begun, (await allowed(person.browser, page)).url);
    expect(tokens.scope).toBe('mcp:read');
  });

  async function ownedBy({ userId }: SignedIn): Promise<{ id: string }> {
    const headers = await consoleSession(test, userId);
    const { body } = await test.anonymous.call('post', '/v1/organisations', 201, { name: 'x', slug: slug() }, headers);
    return body;
  }
});

describe('A token of a foreign issuer', () => {
  let issuer: TestIssuer;
  let foreign: TestApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    foreign = await createTestApp({ env: { ...issuer.env, RUN: 'api' } });
  });

  afterAll(async () => {
    await foreign.close();
    await issuer.stop();
  });

  const withClaims = async (claims: JWTPayload) =>
    new Api(foreign.url, foreign.document, await issuer.token({ sub: unique('ada'), ...claims }));
  const seconds = (minutesAgo: number) => Math.floor(ago(minutesAgo).getTime() / 1_000);

  it.each([
    ['four minutes ago', { auth_time: seconds(4) }, true],
    ['six minutes ago', { auth_time: seconds(6) }, false],
    ['an hour ahead', { auth_time: seconds(-60) }, false],
    ['at no time', {}, false],
    ['at a time that is not a number', { auth_time: String(seconds(0)) }, false],
    ['just now, for a client that is limited', { auth_time: seconds(0), scope: ALL }, true],
  ])('says that the person signed in %s: %j', async (_, claims, isAllowed) => {
    const api = await withClaims(claims);
    const answers = [
      await api.call('post', TOKENS, isAllowed ? 201 : 403, NEW_TOKEN),
      await api.delete(ME, isAllowed ? 204 : 403),
    ];
    for (const { body } of answers.filter(({ status }) => status === 403)) expect(body).toMatchObject(REFUSED);
  });

  it('is held to the scopes of ours that it names, and may delete with the one for that', async () => {
    const fresh = await withClaims({ auth_time: seconds(0), scope: 'catalog:read' });
    expect((await fresh.delete(ME, 403)).body).toMatchObject({ code: 'insufficient_scope' });
    await (await withClaims({ scope: 'account:delete' })).delete(ME, 204);
    expect((await (await withClaims({ scope: 'organisations:admin' })).delete(ME, 403)).body).toMatchObject(REFUSED);
  });
});
