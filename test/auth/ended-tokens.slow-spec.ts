import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { Notifications } from '../../src/database/notifications';
import { Api } from '../support/api';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { unique } from '../support/factories';
import { TestIssuer } from '../support/issuer';
import { authorize, signIn, type SignedIn } from '../support/sign-in';
import { begin, finish, forgetRegistrations, knownClient, refusal, stranger } from '../support/stranger';
import { statementsOf } from '../support/statements';

const CALLBACK = 'https://stranger.example/callback';
const ME = '/v1/users/me';
const SCOPE = 'organisations:read organisations:admin';
/** How soon another replica must reject an ended token (contract, section 13.2). */
const ENDED_MS = 1_000;

let test: TestApp;
let replica: TestApp;
let admin: Api;

beforeAll(async () => {
  const env = { RUN: 'api', OAUTH_REGISTRATION: 'open' };
  test = await createTestApp({ env });
  replica = await createTestApp({ env, database: test.database, dataDir: test.dataDir });
  admin = new Api(test.url, test.document, await test.token('root', { isAdmin: true }));
  await eventually(
    () => [test, replica].every(({ app }) => app.get(Notifications).connected),
    (connected) => connected,
    ENDED_MS,
  );
});

afterAll(async () => {
  await replica.close();
  await test.close();
});

beforeEach(() => forgetRegistrations(test));

const bearing = (token: string, app: TestApp = test) => new Api(app.url, app.document, token);
const statusOf = async (token: string, app: TestApp = test) => (await bearing(token, app).call('get', ME)).status;

interface Allowed {
  person: SignedIn;
  config: client.Configuration;
  tokens: Awaited<ReturnType<typeof finish>>;
  back: URL;
  begun: Awaited<ReturnType<typeof begin>>;
}

/** A program that a person has allowed something. */
async function program(scope = SCOPE, parameters: Record<string, string> = {}): Promise<Allowed> {
  const person = await signIn(test, unique('ada'));
  const config = await stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
  const begun = await begin(config, { redirect_uri: CALLBACK, scope, ...parameters });
  const back = await authorize(person.browser, begun.address);
  return { person, config, begun, back, tokens: await finish(config, begun, back) };
}

const grantOf = async ({ tokens }: Allowed) => (await bearing(tokens.access_token).get('/v1/users/me/grants')).body[0];

/** Everything by which a token can end, in the process of `test`. */
const ENDS: [string, (allowed: Allowed) => Promise<unknown>][] = [
  ['revoked by itself', ({ config, tokens }) => client.tokenRevocation(config, tokens.access_token)],
  ['revoked by its refresh token', ({ config, tokens }) => client.tokenRevocation(config, tokens.refresh_token ?? '')],
  [
    'taken back with its grant',
    async (allowed) =>
      bearing(await test.token(allowed.person.userId)).delete(`/v1/users/me/grants/${(await grantOf(allowed))?.id}`),
  ],
  [
    'from a code that was used twice',
    async ({ config, begun, back }) => expect(await refusal(finish(config, begun, back))).toBe('invalid_grant'),
  ],
  [
    'from a refresh token that was used twice',
    async ({ config, tokens: { refresh_token: token = '' } }) => {
      await client.refreshTokenGrant(config, token);
      expect(await refusal(client.refreshTokenGrant(config, token))).toBe('invalid_grant');
    },
  ],
  [
    'of a client that was deleted',
    ({ config }) => admin.delete(`/v1/oauth-clients/${config.clientMetadata().client_id}`),
  ],
  [
    'of a session that was signed out here',
    async ({ person: { browser } }) => browser.submit(await browser.open('/sign-out'), {}),
  ],
  [
    'of a session that another browser ended',
    async ({ person }) => {
      const api = bearing(await test.token(person.userId));
      const [session] = (await api.get('/v1/users/me/sessions')).body;
      await api.delete(`/v1/users/me/sessions/${session?.id}`);
    },
  ],
  [
    'of a person who signed out everywhere',
    async ({ person }) => bearing(await test.token(person.userId)).delete('/v1/users/me/sessions'),
  ],
  ['of an account that was closed', ({ person }) => admin.post(`/v1/users/${person.userId}/close`, {}, 200)],
  ['of an account that was deleted', ({ person }) => admin.delete(`/v1/users/${person.userId}`)],
];

describe('An access token', () => {
  it.each(ENDS)('%s is refused from the next request on, and by another replica within a second', async (_, end) => {
    const allowed = await program();
    const token = allowed.tokens.access_token;
    for (const app of [test, replica]) for (let n = 0; n < 2; n++) expect(await statusOf(token, app)).toBe(200);
    await end(allowed);
    expect((await bearing(token).get(ME, 401)).body).toMatchObject({ code: 'invalid_token' });
    await eventually(
      () => statusOf(token, replica),
      (status) => status === 401,
      ENDED_MS,
    );
  });

  it.each(ENDS)('%s is refused by a replica that sees it for the first time', async (_, end) => {
    const allowed = await program();
    await end(allowed);
    expect(await statusOf(allowed.tokens.access_token, replica)).toBe(401);
    expect((await bearing(allowed.tokens.access_token).delete('/v1/users/me/sessions', 401)).body).toMatchObject({
      code: 'invalid_token',
    });
  });

  it('outlasts the sign-in if the client asked for that, and only then', async () => {
    const lasting = await program(`${SCOPE} offline_access`, { prompt: 'consent' });
    await lasting.person.browser.submit(await lasting.person.browser.open('/sign-out'), {});
    expect(await statusOf(lasting.tokens.access_token)).toBe(200);
    await client.refreshTokenGrant(lasting.config, lasting.tokens.refresh_token ?? '');
  });

  it('of another program, and of another person, is not ended along', async () => {
    const [one, other] = [await program(), await program()];
    const begun = await begin(other.config, { redirect_uri: CALLBACK, scope: SCOPE });
    const second = await finish(other.config, begun, await authorize(one.person.browser, begun.address));
    await client.tokenRevocation(one.config, one.tokens.access_token);
    for (const token of [other.tokens.access_token, second.access_token]) expect(await statusOf(token)).toBe(200);
  });

  it('of a machine ends with its client, also if it was never used', async () => {
    const { id, client_secret: secret } = (
      await admin.call('post', '/v1/oauth-clients', 201, { name: 'Machine', grant_types: ['client_credentials'] })
    ).body as { id: string; client_secret: string };
    const config = await knownClient(test, id, client.ClientSecretBasic(secret));
    const [used, unused] = [
      (await client.clientCredentialsGrant(config, { scope: SCOPE })).access_token,
      (await client.clientCredentialsGrant(config, { scope: SCOPE })).access_token,
    ];
    expect(await statusOf(used)).toBe(200);
    await admin.delete(`/v1/oauth-clients/${id}`);
    expect([await statusOf(used), await statusOf(unused), await statusOf(unused, replica)]).toEqual([401, 401, 401]);
  });

  it('is asked about in one statement with the account, and in none once it is remembered', async () => {
    const { tokens } = await program();
    const statements = async () =>
      (await statementsOf(test, () => bearing(tokens.access_token).get('/v1/mcp/categories', 403)))
        .filter(({ isOfRequest }) => isOfRequest)
        .map(({ sql }) => sql);
    const first = await statements();
    expect(first).toHaveLength(1);
    expect(first[0]).toMatch(
      /FROM identities JOIN users[^]*oauth_artifacts|oauth_artifacts[^]*FROM identities JOIN users/,
    );
    expect(await statements()).toEqual([]);
  });

  it('stays revoked as long as anything takes it for good, which is 30 s after its end', async () => {
    const { config, tokens } = await program();
    await client.tokenRevocation(config, tokens.access_token);
    const { exp = 0 } = decodeJwt(tokens.access_token);
    const [denied] = await test.dataSource.query<{ until: number }[]>(
      `SELECT extract(epoch FROM expires_at)::float8 AS until FROM oauth_artifacts WHERE model = 'DeniedToken' ORDER BY id DESC LIMIT 1`,
    );
    expect((denied?.until ?? 0) - exp).toBeGreaterThanOrEqual(29);
  });

  it('is asked about each time while no notification arrives', async () => {
    const allowed = await program();
    const token = allowed.tokens.access_token;
    expect(await statusOf(token, replica)).toBe(200);
    const notifications = replica.app.get(Notifications);
    notifications.connected = false;
    try {
      const asked = await statementsOf(replica, () => statusOf(token, replica));
      expect(asked.find(({ isOfRequest }) => isOfRequest)?.sql).toContain('oauth_artifacts');
      await client.tokenRevocation(allowed.config, token);
      expect(await statusOf(token, replica)).toBe(401);
    } finally {
      notifications.connected = true;
    }
  });
});

describe('An account that was closed and opened again', () => {
  it('revives no token, of any kind, that was issued before', async () => {
    const { person, tokens } = await program(`${SCOPE} offline_access`, { prompt: 'consent' });
    const operators = await test.token(person.userId);
    expect(await statusOf(operators)).toBe(200);
    await admin.post(`/v1/users/${person.userId}/close`, {}, 200);
    await admin.post(`/v1/users/${person.userId}/reopen`, undefined, 200);
    for (const app of [test, replica])
      for (const token of [tokens.access_token, operators]) {
        expect(await statusOf(token, app)).toBe(401);
        expect((await bearing(token, app).call('get', `${ME}?verify_locally=false`)).status).toBe(401);
      }
    // Tokens have whole seconds.
    await eventually(
      async () => statusOf(await test.token(person.userId)),
      (status) => status === 200,
      2_000,
    );
  });

  it('has no machine either whose tokens are reported active', async () => {
    const body = { name: 'Robot', grant_types: ['client_credentials' as const], redirect_uris: [] };
    const machine = (await admin.post('/v1/oauth-clients', body)).body;
    const config = await knownClient(test, machine.id, client.ClientSecretBasic(machine.client_secret ?? ''));
    const { access_token } = await client.clientCredentialsGrant(config, { scope: 'organisations:read' });
    const isActive = async () => (await client.tokenIntrospection(config, access_token)).active;
    expect(await isActive()).toBe(true);
    const { id } = (await bearing(access_token).get(ME)).body;
    expect(await isActive()).toBe(true);
    for (const change of ['close', 'reopen'] as const) {
      await admin.post(`/v1/users/${id}/${change}`, change === 'close' ? {} : undefined, 200);
      expect([change, await isActive(), await statusOf(access_token)]).toEqual([change, false, 401]);
    }
  });
});

describe('A token of a foreign issuer that was once reported inactive', () => {
  const clock = new FakeClock(new Date());
  let issuer: TestIssuer;
  let foreign: TestApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start({ now: () => clock.now() });
    foreign = await createTestApp({ clock, env: { ...issuer.env, RUN: 'api' } });
  });

  afterAll(async () => {
    await foreign.close();
    await issuer.stop();
  });

  it('stays so while that is remembered, and is asked about again afterwards', async () => {
    const token = await issuer.token();
    const api = bearing(token, foreign);
    await api.get(ME);
    issuer.revoke(token);
    await api.get(ME);
    await api.get(`${ME}?verify_locally=false`, 401);
    const asked = issuer.requests.introspection;
    for (const path of [ME, `${ME}?verify_locally=false`, ME] as const) await api.get(path, 401);
    expect(issuer.requests.introspection).toBe(asked);
    clock.advance(60_000);
    await api.get(ME, 401);
    expect(issuer.requests.introspection).toBe(asked + 1);
    clock.advance(60_000);
    issuer.behaviour = 'fail';
    await api.get(ME, 503);
    issuer.behaviour = 'answer';
    issuer.introspection = { active: true };
    await api.get(ME);
    issuer.introspection = undefined;
    await api.get(ME);
    await bearing(await issuer.token(), foreign).get(ME);
  });

  it('counts again with another token', async () => {
    const sub = unique('ada');
    const [first, second] = [await issuer.token({ sub }), await issuer.token({ sub })];
    issuer.revoke(first);
    await bearing(first, foreign).get(`${ME}?verify_locally=false`, 401);
    await bearing(second, foreign).get(ME);
  });
});
