import type { JWTPayload } from 'jose';
import { SCOPE_NAMES } from '../../src/auth/scopes';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { createBundle, idOf, unique } from '../support/factories';
import { TestIssuer } from '../support/issuer';

const ME = '/v1/users/me';
const CATEGORIES = '/v1/mcp/categories';
const METADATA = `resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource"`;

interface Stated {
  'x-access': { rule: string; scope?: string };
  security: Record<string, string[]>[];
}

let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'chief@example.com' } });
});

afterAll(() => test.close());

const withScope = async (scope: string | undefined, subject = unique('scoped')) =>
  new Api(test.url, test.document, await test.token(subject, { scope }));
const allBut = (scope: string) => SCOPE_NAMES.filter((name) => name !== scope).join(' ');

describe('Every operation', () => {
  const operations = () =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Stated>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method as 'get',
        path: path.replace(/\{\w+_id\}/g, () => newId()).replace(/\{\w+\}/g, 'x'),
        scope: operation['x-access'].scope,
        rule: operation['x-access'].rule,
        security: operation.security,
      })),
    );
  // OpenID Connect has a scope of its own for who somebody is.
  const limited = () =>
    operations().filter(({ name, scope }) => scope !== undefined && !name.endsWith(' /oauth2/userinfo'));

  it('states a scope, unless it is open or takes a SCIM token', () => {
    const others = operations().filter(({ scope }) => scope === undefined);
    expect(others.filter(({ rule }) => !['open', 'scim-token'].includes(rule))).toEqual([]);
    expect(limited().length).toBeGreaterThan(100);
    expect(new Set(limited().map(({ scope }) => scope))).toEqual(new Set(SCOPE_NAMES));
  });

  it('of OpenID Connect for who somebody is states the scope of that', () => {
    const openid = { scope: 'openid', security: [{ bearer: ['openid'] }, { oauth2: ['openid'] }] };
    expect(operations().filter(({ name }) => name.endsWith(' /oauth2/userinfo'))).toMatchObject([openid, openid]);
  });

  it('has its scope in the security of the document', () => {
    for (const { name, scope, security } of limited()) {
      expect({ name, scopes: security.flatMap(({ bearer = [] }) => bearer) }).toEqual({ name, scopes: [scope] });
    }
  });

  it('that only platform administrators may call requires platform:admin', () => {
    for (const { name, rule, scope } of limited()) {
      expect({ name, is: scope === 'platform:admin' }).toEqual({ name, is: rule === 'platform-admin' });
    }
  });

  it('that reads requires a scope to read, and every other one to write', () => {
    const misleading = limited().filter(
      ({ method, scope = '' }) => scope !== 'platform:admin' && (method === 'get') !== scope.endsWith(':read'),
    );
    expect(misleading.map(({ name }) => name).sort()).toEqual([
      'POST /v1/bundles/{bundle_id}/compile',
      'POST /v1/bundles/{bundle_id}/policies/preview',
      'POST /v1/organisations/{org_id}/scim/sync/preview',
    ]);
  });

  it('is refused to a token with every scope but the required one, remembered or not', async () => {
    const tokens = new Map<string, Api>();
    for (const { name, method, path, scope = '' } of limited()) {
      const api = tokens.get(scope) ?? (await withScope(allBut(scope)));
      tokens.set(scope, api);
      const { status, body, headers } = await api.call(method, path, undefined);
      expect({ name, status, code: (body as { code?: string }).code }).toMatchObject({ name, status: 403 });
      expect(headers['www-authenticate']).toContain('error="insufficient_scope"');
      expect(headers['www-authenticate']).toContain(`${METADATA}, scope="${scope}"`);
    }
  });

  it('is not refused for its scope to a token with only that one', async () => {
    for (const { name, method, path, scope } of limited()) {
      const { status, text } = await (await withScope(scope)).call(method, path, undefined);
      expect({ name, status, isScope: text.includes('insufficient_scope') }).toEqual({ name, status, isScope: false });
      expect(status).not.toBe(401);
    }
  });

  it('names its scope to a caller without a token', async () => {
    for (const { name, method, path, scope } of limited()) {
      const { status, headers } = await test.anonymous.call(method, path, undefined);
      expect({ name, status, challenge: headers['www-authenticate'] }).toEqual({
        name,
        status: 401,
        challenge: expect.stringMatching(`^Bearer realm="[^"]+", ${METADATA}, scope="${scope}"$`) as string,
      });
    }
  });
});

describe('A scope', () => {
  it('is missing with the body of the contract, and a challenge by which a client can ask for it', async () => {
    const refused = await (await withScope('bundles:read')).get(CATEGORIES, 403);
    expect(refused.body).toEqual({
      detail: 'This requires the scope catalog:read, which the access token does not have.',
      code: 'insufficient_scope',
    });
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="toolyard", error="insufficient_scope", ' +
        'error_description="This requires the scope catalog:read, which the access token does not have.", ' +
        `${METADATA}, scope="catalog:read"`,
    );
  });

  it('is looked at after the token, and before the request and the role', async () => {
    const path = '/v1/organisations/not-a-uuid';
    await test.anonymous.call('get', path, 401);
    await (await withScope('catalog:read')).call('get', path, 403);
    await (await withScope('organisations:read')).call('get', path, 422);
    await (await withScope('organisations:read')).call('get', `/v1/organisations/${newId()}`, 404);
    await (await withScope('platform:admin')).call('delete', `/v1/users/${newId()}`, 403);
  });

  it('is also required of a token that is introspected, and for HEAD', async () => {
    const api = await withScope('catalog:read');
    await api.get(CATEGORIES);
    await api.get(`${CATEGORIES}?verify_locally=false`);
    await api.get(`${ME}?verify_locally=false`, 403);
    const head = (path: string) =>
      fetch(test.url + path, { method: 'HEAD', headers: { Authorization: `Bearer ${api.token}` } });
    expect((await head(CATEGORIES)).status).toBe(200);
    expect((await head(ME)).status).toBe(403);
  });

  it('only takes away: it grants nothing that the roles do not', async () => {
    const owner = await test.as(unique('owner'));
    const { id } = await createBundle(owner);
    const stranger = await withScope(SCOPE_NAMES.join(' '));
    await stranger.get(`/v1/bundles/${id}`, 404);
    await stranger.delete(`/v1/bundles/${id}`, 404);
    expect((await stranger.get(ME)).body.is_platform_admin).toBe(false);
    await stranger.call('get', '/v1/mcp/imports', 403);
  });

  it('of the platform is needed by its administrators wherever that counts', async () => {
    const administers = async (scope: string | undefined) =>
      (await (await withScope(scope, 'chief')).get(ME)).body.is_platform_admin;
    expect(await administers(undefined)).toBe(true);
    expect(await administers('organisations:read platform:admin')).toBe(true);
    expect(await administers('organisations:read')).toBe(false);
    await (await withScope(allBut('platform:admin'), 'chief')).call('get', '/v1/mcp/imports', 403);
    const grant = { namespace: 'com.granted', method: 'grant' as const, user_id: await idOf(await test.as('grantee')) };
    await (await withScope('bundles:write', 'chief')).post('/v1/mcp/namespaces', grant, 403);
    await (await withScope('bundles:write platform:admin', 'chief')).post('/v1/mcp/namespaces', grant);
  });

  it('of a token of our own issuer may be none of ours: then it may do nothing', async () => {
    for (const scope of ['openid offline_access', '', 'BUNDLES:READ']) await (await withScope(scope)).get(ME, 403);
    await (await withScope(undefined)).get(ME);
  });

  it('is not required where an access token of a bundle is taken', async () => {
    const owner = await test.as(unique('owner'));
    const { id } = await createBundle(owner);
    const { token } = (await owner.post(`/v1/bundles/${id}/access-tokens`, { name: 'CI' })).body;
    await new Api(test.url, test.document, token).get(`/v1/bundles/${id}`);
  });

  it('is supported if the metadata say so', async () => {
    const { body } = await test.anonymous.get('/.well-known/oauth-protected-resource');
    expect(body.scopes_supported).toEqual(SCOPE_NAMES);
  });
});

describe('The tokens of a foreign issuer', () => {
  let issuer: TestIssuer;
  let optional: TestApp;
  let required: TestApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    optional = await createTestApp({ env: { ...issuer.env, RUN: 'api' } });
    required = await createTestApp({ env: { ...issuer.env, RUN: 'api', SCOPES: 'required' } });
  });

  afterAll(async () => {
    await Promise.all([optional.close(), required.close()]);
    await issuer.stop();
  });

  const statusOf = async ({ url, document }: TestApp, claims: JWTPayload, path: string) =>
    (await new Api(url, document, await issuer.token(claims)).call('get', path, undefined)).status;

  it.each([
    ['scope', { scope: 'openid catalog:read' }],
    ['scp of Okta', { scp: ['openid', 'catalog:read'] }],
    ['scp of Entra ID', { scp: 'catalog:read' }],
  ])('are limited to those of ours that they have in %s', async (_, claims) => {
    for (const app of [optional, required]) {
      expect(await statusOf(app, claims, CATEGORIES)).toBe(200);
      expect(await statusOf(app, claims, ME)).toBe(403);
    }
  });

  it.each([[{}], [{ scope: 'openid email' }], [{ scp: ['User.Read'] }]])(
    'with none of ours may do what the roles allow, and nothing with SCOPES=required: %j',
    async (claims) => {
      expect(await statusOf(optional, claims, ME)).toBe(200);
      expect(await statusOf(required, claims, ME)).toBe(403);
      expect(await statusOf(required, claims, '/.well-known/oauth-protected-resource')).toBe(200);
    },
  );
});
