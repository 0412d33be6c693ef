import { newId, UUID_PATTERN } from '../src/database/id';
import {
  bundle,
  BUNDLE_ROWS,
  OPEN_ENDPOINT_DOCUMENTS,
  PUBLIC_BUNDLE_ROWS,
  publicBundle,
} from './support/access-of-bundles';
import { CATALOGUE_ROWS, listing, OPEN_REGISTRY } from './support/access-of-catalogue';
import { CREDENTIAL_ROWS, OPEN_CONNECT_PAGES } from './support/access-of-credentials';
import { ORGANISATION_ROWS } from './support/access-of-organisations';
import { OPEN_PASSKEY_PAGES, PASSKEY_ROWS } from './support/access-of-passkeys';
import { OPEN_PEOPLE_PAGES, PEOPLE_ROWS } from './support/access-of-people';
import { member, organisation, SCIM_ROWS } from './support/access-of-scim';
import { OPEN_PAGES, SIGN_IN_ROWS } from './support/access-of-sign-in';
import {
  type Actor,
  ACTORS,
  given,
  type Ingredients,
  nothing,
  type Recipe,
  type Row,
  type Side,
} from './support/access-table';
import type { Api } from './support/api';
import { createTestApp, TestApp } from './support/app';
import { endpoint, WEBHOOK_ROWS } from './support/access-of-webhooks';
import { OAUTH_TABLE, OPEN_OAUTH } from './support/access-of-oauth';
import { createProvider, newUser } from './support/scim';
import { Cast, createBundle, createCast, createEndpoint, createListing, idOf, join, unique } from './support/factories';

const eventType: Recipe = () => ({ path: { event_type: 'bundle.created' } });
/** Another organisation with the same members. */
const doomedOrganisation: Recipe = async ({ test: { dataSource }, orgId }) => {
  const id = newId();
  await dataSource.query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Doomed', $2)`, [
    id,
    unique('doomed'),
  ]);
  await dataSource.query(
    `INSERT INTO memberships (org_id, user_id, manual_role, role)
     SELECT $1, user_id, manual_role, role FROM memberships WHERE org_id = $2 AND manual_role = role`,
    [id, orgId],
  );
  return { path: { org_id: id } };
};
/** Makes everyone the only OWNER of an organisation, so that deleting their account is refused. */
const lastOwners: Recipe = async ({ test: { dataSource } }) => {
  await dataSource.query(
    `WITH made AS (INSERT INTO organisations (id, name, slug) SELECT uuid_v7(), id::text, uuid_v7()::text FROM users
                   WHERE claimed_at IS NOT NULL AND closed_at IS NULL RETURNING id, name)
     INSERT INTO memberships (org_id, user_id, manual_role, role) SELECT id, name::uuid, 'OWNER', 'OWNER' FROM made`,
  );
  return {};
};
const personalToken: Recipe = async ({ api }) => ({
  path: { token_id: (await api.post('/v1/users/me/access-tokens', { name: 'CI', scopes: ['catalog:read'] })).body.id },
});
const user: Recipe = async ({ test: { as } }) => ({ path: { user_id: await idOf(await as(unique('victim'))) } });

/**
 * Section 4 of the contract, by hand: operation → status for nobody, an outsider, a MEMBER, an ADMIN, an OWNER, and the
 * owner of a personal thing. If you are here because a row is missing: add it from the contract, not from what the code
 * answers.
 */
const TABLE: readonly Row[] = [
  ...OAUTH_TABLE,
  ['GET /.well-known/oauth-protected-resource', [200, 200, 200, 200, 200, null], nothing],
  ['GET /.well-known/oauth-authorization-server', [200, 200, 200, 200, 200, null], nothing],
  ['GET /.well-known/openid-configuration', [200, 200, 200, 200, 200, null], nothing],
  ['GET /oauth2/jwks', [200, 200, 200, 200, 200, null], nothing],
  ['GET /healthz', [200, 200, 200, 200, 200, null], nothing],
  ['GET /readyz', [200, 200, 200, 200, 200, null], nothing],

  ['GET /v1/users/me', [401, 200, 200, 200, 200, 200], nothing],
  ['DELETE /v1/users/me', [401, 409, 409, 409, 409, 409], lastOwners],
  ['DELETE /v1/users/{user_id}', [401, 403, 403, 403, 403, 403], user],
  [
    'POST /v1/users/me/access-tokens',
    [401, 201, 201, 201, 201, 201],
    given(nothing, () => ({ name: 'Laptop', scopes: ['catalog:read'] })),
  ],
  ['GET /v1/users/me/access-tokens', [401, 200, 200, 200, 200, 200], nothing],
  // The token is the owner's or that person's.
  ['GET /v1/users/me/access-tokens/{token_id}', [401, 404, 404, 404, 200, 200], personalToken],
  ['DELETE /v1/users/me/access-tokens/{token_id}', [401, 404, 404, 404, 204, 204], personalToken],
  ...PEOPLE_ROWS,
  ...PASSKEY_ROWS,
  ['GET /v1/mcp/categories', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/webhooks/event-types', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/webhooks/event-types/{event_type}', [401, 200, 200, 200, 200, 200], eventType],

  ['GET /v1/organisations/{org_id}/deletion-preview', [401, 404, 403, 403, 200, null], organisation],
  ['DELETE /v1/organisations/{org_id}', [401, 404, 403, 403, 204, null], doomedOrganisation],
  ...ORGANISATION_ROWS,
  ...SCIM_ROWS,

  ...CATALOGUE_ROWS,

  ...BUNDLE_ROWS,
  ...CREDENTIAL_ROWS,

  ...SIGN_IN_ROWS,

  ...WEBHOOK_ROWS,
];

/** What can be read without a token. This list may only shrink. */
const OPEN = [
  ...OPEN_REGISTRY,
  ...OPEN_OAUTH,
  ...OPEN_CONNECT_PAGES,
  ...OPEN_PAGES,
  ...OPEN_PEOPLE_PAGES,
  ...OPEN_PASSKEY_PAGES,
  ...OPEN_ENDPOINT_DOCUMENTS,
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/openid-configuration',
  'GET /healthz',
  'GET /oauth2/jwks',
  'GET /readyz',
];

const UUID = new RegExp(UUID_PATTERN, 'g');

let test: TestApp;
let cast: Cast;
let person: Api;
let stranger: Cast;

beforeAll(async () => {
  // Without a worker, which would finish a recovery before it is cancelled.
  // One organisation for all rows, some of which create a token each.
  test = await createTestApp({
    env: { RUN: 'api', LIMIT_SCIM_TOKENS_PER_ORGANISATION: '1000', LIMIT_SYNCS_PER_MINUTE: '1000' },
  });
  cast = await createCast(test);
  stranger = await createCast(test);
  person = await test.as('person');
});

afterAll(() => test.close());

const organisationSide = (): Side => ({ test, api: cast.owner, orgId: cast.orgId });
const personalSide = (): Side => ({ test, api: person, orgId: undefined });

function caller(actor: Actor): Api {
  const callers: Record<Actor, Api> = {
    nobody: test.anonymous,
    'an outsider': cast.outsider,
    'a MEMBER': cast.member,
    'an ADMIN': cast.admin,
    'an OWNER': cast.owner,
    'the person to whom it belongs': person,
  };
  return callers[actor];
}

function call(api: Api, operation: string, { path = {}, query = '', body }: Ingredients) {
  const [method = '', template = ''] = operation.split(' ');
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`The recipe of ${operation} makes no ${name}.`);
    return value;
  });
  return api.call(method.toLowerCase() as 'get', filled + query, undefined, body);
}

function cases(table: readonly Row[]): [Actor, string, number, Recipe][] {
  return table.flatMap(([operation, statuses, recipe]) =>
    ACTORS.flatMap((actor, index): [Actor, string, number, Recipe][] => {
      const status = statuses[index];
      return status == null ? [] : [[actor, operation, status, recipe]];
    }),
  );
}

async function expectStatus(actor: Actor, operation: string, status: number, recipe: Recipe): Promise<void> {
  const side = actor === 'the person to whom it belongs' ? personalSide() : organisationSide();
  const response = await call(caller(actor), operation, await recipe(side));
  expect(`${response.status} ${response.status === status ? '' : response.text}`).toBe(`${status} `);
  if (status === 401) {
    const isForeign = operation.includes('/scim/v2') ? { status: '401' } : operation.includes('/v0.1') && { status };
    const field = operation.includes('/oauth2/') ? 'error' : 'code';
    expect(response.body).toMatchObject(isForeign || { [field]: 'authentication_required' });
    expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
  }
  if (status === 403) {
    expect(response.body).toMatchObject({ code: expect.stringMatching(/^(forbidden|insufficient_role)$/) as string });
  }
}

describe('The access table', () => {
  const operations = () =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { 'x-access'?: { rule: string } }>).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        rule: operation['x-access']?.rule,
      })),
    );

  it('has exactly one row for every operation of the OpenAPI document', () => {
    const rows = TABLE.map(([operation]) => operation);
    expect([...rows].sort()).toEqual(
      operations()
        .map(({ name }) => name)
        .sort(),
    );
    expect(TABLE.every(([, statuses]) => statuses.length === ACTORS.length)).toBe(true);
  });

  it('covers operations that all state a rule', () => {
    expect(operations().filter(({ rule }) => rule === undefined)).toEqual([]);
  });

  it('opens only the listed open routes to anonymous callers', () => {
    const stated = operations().filter(({ rule }) => rule === 'open');
    expect(stated.map(({ name }) => name).sort()).toEqual([...OPEN].sort());
    const anonymous = TABLE.filter(([, [nobody]]) => nobody !== 401);
    expect(anonymous.map(([operation]) => operation).sort()).toEqual([...OPEN].sort());
  });

  it.each(cases(TABLE))('%s on %s gets %i', expectStatus);
});

describe('A public bundle', () => {
  it.each(cases(PUBLIC_BUNDLE_ROWS))('%s on %s gets %i', expectStatus);

  it('is a 403 "forbidden" for those who can see it but not change it', async () => {
    const { path } = await publicBundle(organisationSide());
    const refused = await cast.outsider.delete(`/v1/bundles/${path?.bundle_id}`, 403);
    expect(refused.body).toMatchObject({ code: 'forbidden' });
  });
});

describe('The resources of another organisation', () => {
  const hidden = TABLE.filter(([, statuses]) => statuses[1] === 404);
  const missing = (ingredients: Ingredients): Ingredients =>
    JSON.parse(JSON.stringify(ingredients).replace(UUID, () => newId())) as Ingredients;

  it.each(hidden)('are not found by a neighbour: %s', async (operation, _, recipe) => {
    const ingredients = await recipe(organisationSide());
    for (const neighbour of [stranger.owner, stranger.member, person]) {
      const there = await call(neighbour, operation, ingredients);
      const nowhere = await call(neighbour, operation, missing(ingredients));
      expect(there.status).toBe(404);
      expect(there.text.replace(UUID, '<id>')).toBe(nowhere.text.replace(UUID, '<id>'));
      expect(Object.keys(there.headers)).toEqual(Object.keys(nowhere.headers));
    }
  });

  const within = hidden.filter(([operation]) => /\{org_id\}.*_id\}/.test(operation));
  it.each(within)('are not reached through the neighbour’s own organisation: %s', async (operation, _, recipe) => {
    const { path, ...rest } = await recipe(organisationSide());
    const crossed = { ...rest, path: { ...path, org_id: stranger.orgId } };
    const there = await call(stranger.owner, operation, crossed);
    const nowhere = await call(stranger.owner, operation, {
      ...missing(crossed),
      path: { ...missing(crossed).path, org_id: stranger.orgId },
    });
    expect(there.status).toBe(404);
    expect(there.text.replace(UUID, '<id>')).toBe(nowhere.text.replace(UUID, '<id>'));
  });

  const personal = hidden.filter(([operation, statuses]) => statuses[5] !== null && /_id\}/.test(operation));
  it.each(personal)('are not found if they are personal either: %s', async (operation, _, recipe) => {
    const ingredients = await recipe(personalSide());
    for (const neighbour of [stranger.owner, cast.owner, cast.outsider]) {
      const there = await call(neighbour, operation, ingredients);
      const nowhere = await call(neighbour, operation, missing(ingredients));
      expect(there.status).toBe(404);
      expect(there.text.replace(UUID, '<id>')).toBe(nowhere.text.replace(UUID, '<id>'));
    }
  });

  it('are in none of the neighbour’s lists', async () => {
    const ids = [cast.orgId];
    for (const recipe of [bundle, endpoint, listing]) {
      ids.push(...Object.values((await recipe(organisationSide())).path ?? {}));
    }
    for (const list of ['organisations', 'bundles', 'webhooks', 'mcp/listings', 'users/me']) {
      const { text } = await stranger.owner.get(`/v1/${list}`);
      expect(ids.filter((id) => text.includes(id))).toEqual([]);
    }
  });
});

describe('A person who was asked to be a member but has not accepted', () => {
  const hidden = TABLE.filter(([, statuses]) => statuses[1] === 404);
  let invited: Api;
  let pending: Api;

  beforeAll(async () => {
    invited = await test.as(unique('invited'));
    const { email } = (await invited.get('/v1/users/me')).body;
    await cast.owner.post(`/v1/organisations/${cast.orgId}/members`, { email, role: 'OWNER' });
    const subject = unique('pending');
    pending = await test.as(subject);
    await idOf(pending);
    const provider = await createProvider(test, cast);
    await provider.api.post(`${provider.base}/Users`, newUser({ userName: `${subject}@example.com` }));
  });

  it('sees the invitation', async () => {
    for (const [api, kind] of [
      [invited, 'INVITATION'],
      [pending, 'DIRECTORY'],
    ] as const) {
      expect((await api.get('/v1/users/me/invitations')).body).toMatchObject([
        { kind, org_id: cast.orgId, status: 'PENDING' },
      ]);
    }
  });

  it.each(hidden)('is treated as an outsider by %s', async (operation, _, recipe) => {
    for (const api of [invited, pending]) {
      const ingredients = await recipe(organisationSide());
      const answered = await call(api, operation, ingredients);
      const outside = await call(cast.outsider, operation, ingredients);
      expect(`${answered.status} ${answered.status === 404 ? '' : answered.text}`).toBe('404 ');
      expect(answered.text).toBe(outside.text);
    }
  });

  it('sees nothing of the organisation in any list', async () => {
    const { path: endpointPath } = await endpoint(organisationSide());
    const { path: bundlePath } = await bundle(organisationSide());
    const ids = [cast.orgId, ...Object.values({ ...endpointPath, ...bundlePath })];
    for (const api of [invited, pending]) {
      for (const list of ['organisations', 'bundles', 'webhooks', 'mcp/listings', 'users/me']) {
        const { text } = await api.get(`/v1/${list}`);
        expect(ids.filter((id) => text.includes(id))).toEqual([]);
      }
    }
  });
});

describe('A MEMBER of an organisation', () => {
  const addEditor = (bundleId: string, userId: string) =>
    test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [bundleId, userId]);
  const newListing = () => createListing(test.dataSource);

  it('can change and delete their own bundle of the organisation', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId });
    await cast.member.post(`/v1/bundles/${id}/entries`, { listing_id: await newListing() });
    await cast.member.delete(`/v1/bundles/${id}`);
  });

  it('can change and delete a bundle of the organisation that they edit', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    await cast.member.post(`/v1/bundles/${id}/entries`, { listing_id: await newListing() }, 403);
    await addEditor(id, await idOf(cast.member));
    await cast.member.post(`/v1/bundles/${id}/entries`, { listing_id: await newListing() });
    await cast.member.delete(`/v1/bundles/${id}`);
  });

  it('loses all rights to bundles on leaving the organisation, as creator and as editor', async () => {
    const leaver = await test.as(unique('leaver'));
    const userId = await join(cast.owner, cast.orgId, leaver);
    const ownBundle = await createBundle(leaver, { org_id: cast.orgId });
    const edited = await createBundle(cast.owner, { org_id: cast.orgId });
    const shown = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    await addEditor(edited.id, userId);
    await addEditor(shown.id, userId);
    await leaver.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    for (const { id } of [ownBundle, edited]) {
      await leaver.get(`/v1/bundles/${id}`, 404);
      await leaver.post(`/v1/bundles/${id}/entries`, { listing_id: await newListing() }, 404);
      await leaver.delete(`/v1/bundles/${id}`, 404);
    }
    await leaver.get(`/v1/bundles/${shown.id}`);
    await leaver.delete(`/v1/bundles/${shown.id}`, 403);
    expect((await leaver.get('/v1/bundles')).body).toEqual([]);
  });

  it('has no rights to endpoints of the organisation, even one they created as an ADMIN', async () => {
    const demoted = await test.as(unique('demoted'));
    const userId = await join(cast.owner, cast.orgId, demoted, 'ADMIN');
    const { id } = await createEndpoint(demoted, { org_id: cast.orgId });
    await cast.owner.patch(`/v1/organisations/${cast.orgId}/members/${userId}`, { role: 'MEMBER' });
    await demoted.patch(`/v1/webhooks/${id}`, { is_active: false }, 403);
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    await demoted.get(`/v1/webhooks/${id}`, 404);
    await demoted.delete(`/v1/webhooks/${id}`, 404);
  });

  it('can leave; an ADMIN cannot touch an OWNER', async () => {
    const { path } = await member(organisationSide());
    const members = `/v1/organisations/${cast.orgId}/members` as const;
    const owner = await idOf(cast.owner);
    await cast.admin.patch(`${members}/${path?.user_id}`, { role: 'OWNER' }, 403);
    await cast.admin.patch(`${members}/${owner}`, { role: 'MEMBER' }, 403);
    await cast.admin.delete(`${members}/${owner}`, 403);
    await cast.owner.delete(`${members}/${owner}`, 409);
  });
});

describe('An editor of a personal bundle', () => {
  it('can change and delete it like its owner', async () => {
    const { id } = await createBundle(person);
    await cast.outsider.get(`/v1/bundles/${id}`, 404);
    await test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [
      id,
      await idOf(cast.outsider),
    ]);
    await cast.outsider.get(`/v1/bundles/${id}`);
    await cast.outsider.post(`/v1/bundles/${id}/entries`, { listing_id: await createListing(test.dataSource) });
    await cast.outsider.delete(`/v1/bundles/${id}`);
  });
});
