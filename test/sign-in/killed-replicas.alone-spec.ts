import * as client from 'openid-client';
import { PUBLIC_URL } from '../support/app';
import { CookieBrowser, type Shown, targetOf } from '../support/cookie-browser';
import { createDatabase, type TestDatabase } from '../support/database';
import { removeFolders } from '../support/embedded';
import { IdentityProviders } from '../support/identity-providers';
import { PASSWORD } from '../support/local-accounts';
import { hiddenFields } from '../support/page-browser';
import { Replicas } from '../support/replicas';
import { providersFile } from '../support/sso';
import { begin, finish, refusal, stranger } from '../support/stranger';
import { killToolyards } from '../support/toolyard-process';

const EMAIL = 'ada@example.com';
const SETUP_TOKEN = 'a-token-that-the-operator-has-chosen';
const CALLBACK = 'https://stranger.example/callback';
const SCOPE = 'openid organisations:read offline_access';

/** Whatever writes to the table waits; reading goes on. */
const writesTo = (table: string) => `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`;
/** Whatever changes a row of that kind waits. */
const changesOf = (model: string) => `SELECT FROM oauth_artifacts WHERE model = '${model}' FOR UPDATE`;

const titleOf = ({ text }: Shown) => /<h1>([^<]*)/.exec(text)?.[1];
const isOurs = (url: URL) => url.origin === PUBLIC_URL;
/** Follows a browser until it is sent to the client. */
const untilClient = (url: URL) => url.href.startsWith(CALLBACK);

// The step is sent again, as a browser's "try again" or a client's next attempt does, to the replica that lives.
describe('A replica that is killed in the middle of', () => {
  let providers: IdentityProviders;
  let company: string;
  let database: TestDatabase;
  let replicas: Replicas;

  beforeAll(async () => {
    [providers, database] = await Promise.all([IdentityProviders.start(), createDatabase()]);
    company = await providers.add();
    replicas = await Replicas.start(database.dataSource, {
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PUBLIC_URL,
      // Otherwise the jobs of a worker would wait for our locks, too.
      RUN: 'api',
      SETUP_TOKEN,
      OAUTH_REGISTRATION: 'open',
      SSO_PROVIDERS_FILE: providersFile({ id: 'company', issuer: company, sign_up: 'anybody' }),
    });
  });

  afterAll(async () => {
    await killToolyards();
    await Promise.all([database.drop(), providers.close()]);
    removeFolders();
  });

  const query = async (sql: string) => (await database.dataSource.query<Record<string, unknown>[]>(sql))[0];
  /** What a step that was not completed must not have made. */
  const made = () =>
    query(`SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM sessions) AS sessions,
      (SELECT count(*)::int FROM organisations) AS organisations, (SELECT count(*)::int FROM identities) AS identities,
      (SELECT count(*)::int FROM oauth_artifacts WHERE model = 'RefreshToken' AND consumed_at IS NULL) AS refresh_tokens`);

  /** A browser whose requests go to the replica that serves. */
  function newBrowser(): CookieBrowser {
    const browser = new CookieBrowser(replicas.url);
    Object.defineProperty(browser, 'ours', { get: () => replicas.url });
    return browser;
  }

  /** Sends the form of a page. */
  const submit = (browser: CookieBrowser, page: Shown, fields: Record<string, string>, until = untilClient) => {
    const [, action = page.url] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? [];
    return browser.visit(action, { form: { ...hiddenFields(page.text), ...fields } }, until);
  };

  /** Kills the replica during the step, then repeats it on the other. */
  async function killAndRepeat<T>(step: () => Promise<T>, lock: string): Promise<T> {
    const before = await made();
    await replicas.killDuring(step, lock, 'finishes');
    expect(await made()).toEqual(before);
    return step();
  }

  const sendSetUp = async (browser: CookieBrowser, page: Shown) =>
    submit(browser, page, {
      token: SETUP_TOKEN,
      organisation: 'Acme',
      name: 'Ada',
      email: EMAIL,
      password: PASSWORD,
      password_again: PASSWORD,
    });

  /** @returns a browser in which Ada is signed in */
  async function signedIn(): Promise<CookieBrowser> {
    const browser = newBrowser();
    await submit(browser, await browser.visit('/sign-in'), { email: EMAIL, password: PASSWORD });
    expect(await me(browser)).toMatchObject({ email: EMAIL });
    return browser;
  }

  async function me(browser: CookieBrowser): Promise<unknown> {
    const { text } = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
    return JSON.parse(text) as unknown;
  }

  const register = () => stranger(replicas, { redirect_uris: [CALLBACK], client_name: 'Stranger' });

  /** Opens an authorization request, and allows it if asked. @returns where the client is answered */
  async function authorize(browser: CookieBrowser, address: URL): Promise<URL> {
    let shown = await browser.visit(address.href, {}, untilClient);
    if (titleOf(shown) === 'Allow access?') shown = await submit(browser, shown, { decision: 'allow' });
    return targetOf(shown);
  }

  async function codeFor(browser: CookieBrowser, config: client.Configuration) {
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: SCOPE, prompt: 'consent' });
    return { begun, back: await authorize(browser, begun.address) };
  }

  async function tokensFor(browser: CookieBrowser, config: client.Configuration) {
    const { begun, back } = await codeFor(browser, config);
    return finish(config, begun, back);
  }

  const statusWith = async (token: string) =>
    (await fetch(`${replicas.url}/v1/users/me?verify_locally=false`, { headers: { authorization: `Bearer ${token}` } }))
      .status;

  it('set-up: nothing was set up, and the same form sets it up', async () => {
    const browser = newBrowser();
    const page = await browser.visit('/setup');
    await killAndRepeat(() => sendSetUp(browser, page), writesTo('sessions'));
    expect(await me(browser)).toMatchObject({ email: EMAIL, is_platform_admin: true });
    expect(await made()).toMatchObject({ users: 1, sessions: 1, organisations: 1 });
    expect((await browser.visit('/setup')).status).toBe(404);
  });

  it('a sign-in with a password: no session, and the same form signs in', async () => {
    const browser = newBrowser();
    const page = await browser.visit('/sign-in');
    await killAndRepeat(() => submit(browser, page, { email: EMAIL, password: PASSWORD }), writesTo('sessions'));
    expect(await me(browser)).toMatchObject({ email: EMAIL });
  });

  it('an authorization request, and of the consent: both are repeated, and the code works', async () => {
    const browser = await signedIn();
    const config = await register();
    const begun = await begin(config, { redirect_uri: CALLBACK, scope: SCOPE });
    const asked = await killAndRepeat(() => browser.visit(begun.address.href), writesTo('oauth_artifacts'));
    expect(titleOf(asked)).toBe('Allow access?');
    const allow = () => submit(browser, asked, { decision: 'allow' });
    const answered = await killAndRepeat(allow, writesTo('oauth_artifacts'));
    const tokens = await finish(config, begun, targetOf(answered));
    expect(await statusWith(tokens.access_token)).toBe(200);
  });

  describe('the exchange of a code', () => {
    it('that the database has not noted: the code still works, once', async () => {
      const [browser, config] = [await signedIn(), await register()];
      const { begun, back } = await codeFor(browser, config);
      const exchange = () => finish(config, begun, back);
      await replicas.killDuring(exchange, changesOf('AuthorizationCode'), 'is broken off');
      const tokens = await exchange();
      expect(await statusWith(tokens.access_token)).toBe(200);
      expect(await refusal(exchange())).toBe('invalid_grant');
    });

    it('that the database has noted: the code is refused, no token exists, and the next request works', async () => {
      const [browser, config] = [await signedIn(), await register()];
      const { begun, back } = await codeFor(browser, config);
      const before = await made();
      await replicas.killDuring(() => finish(config, begun, back), changesOf('AuthorizationCode'), 'finishes');
      expect(await made()).toEqual(before);
      expect(await refusal(finish(config, begun, back))).toBe('invalid_grant');
      expect(await made()).toEqual(before);
      const tokens = await tokensFor(browser, config);
      expect(await statusWith(tokens.access_token)).toBe(200);
    });
  });

  describe('a refresh', () => {
    it('that the database has not noted: the refresh token still works', async () => {
      const [browser, config] = [await signedIn(), await register()];
      const first = await tokensFor(browser, config);
      const refresh = () => client.refreshTokenGrant(config, first.refresh_token ?? '');
      await replicas.killDuring(refresh, changesOf('RefreshToken'), 'is broken off');
      const second = await refresh();
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect(await statusWith(second.access_token)).toBe(200);
    });

    it('that the database has noted: it counts as used twice, which ends the grant; the person allows it again', async () => {
      const [browser, config] = [await signedIn(), await register()];
      const first = await tokensFor(browser, config);
      const refresh = () => client.refreshTokenGrant(config, first.refresh_token ?? '');
      const before = await made();
      await replicas.killDuring(refresh, changesOf('RefreshToken'), 'finishes');
      expect(await statusWith(first.access_token)).toBe(200);
      expect(await refusal(refresh())).toBe('invalid_grant');
      expect(await statusWith(first.access_token)).toBe(401);
      expect(await made()).toEqual({ ...before, refresh_tokens: Number(before?.refresh_tokens) - 1 });
      const again = await tokensFor(browser, config);
      expect(await statusWith(again.access_token)).toBe(200);
    });
  });

  it('a revocation: all of it is done, or nothing', async () => {
    const [browser, config] = [await signedIn(), await register()];
    const { access_token, refresh_token = '' } = await tokensFor(browser, config);
    const revoke = () => client.tokenRevocation(config, refresh_token);
    await replicas.killDuring(revoke, changesOf('Grant'), 'is broken off');
    expect(await statusWith(access_token)).toBe(200);
    expect(await client.tokenIntrospection(config, refresh_token)).toMatchObject({ active: true });
    await revoke();
    expect(await statusWith(access_token)).toBe(401);
    expect(await refusal(client.refreshTokenGrant(config, refresh_token))).toBe('invalid_grant');
  });

  describe('signing out', () => {
    it('on the page: the same form signs out', async () => {
      const browser = await signedIn();
      const page = await browser.visit('/sign-out');
      const signOut = () => submit(browser, page, {});
      await replicas.killDuring(signOut, writesTo('sessions'), 'is broken off');
      expect(await me(browser)).toMatchObject({ email: EMAIL });
      expect((await signOut()).text).toContain('You are signed out');
      expect(await me(browser)).toMatchObject({ code: 'authentication_required' });
    });

    it('for a client: the same form signs out', async () => {
      const [browser, config] = [await signedIn(), await register()];
      const { id_token = '' } = await tokensFor(browser, config);
      const address = client.buildEndSessionUrl(config, { id_token_hint: id_token });
      const page = await browser.visit(address.href);
      const signOut = () => submit(browser, page, { logout: 'yes' });
      await replicas.killDuring(signOut, writesTo('sessions'), 'is broken off');
      const shown = await signOut();
      expect([shown.status, titleOf(shown)]).toEqual([200, 'Signed out']);
      expect(await me(browser)).toMatchObject({ code: 'authentication_required' });
    });
  });

  describe('signing a device in', () => {
    const television = () =>
      stranger(replicas, {
        redirect_uris: [],
        response_types: [],
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        client_name: 'Television',
      });
    const start = (config: client.Configuration) =>
      client.initiateDeviceAuthorization(config, { scope: 'catalog:read' });
    const enter = async (browser: CookieBrowser, device: client.DeviceAuthorizationResponse) =>
      submit(browser, await browser.visit(device.verification_uri_complete ?? ''), { user_code: device.user_code });

    it('at each step: all are repeated, and the device has its token', async () => {
      const [browser, config] = [await signedIn(), await television()];
      const device = await killAndRepeat(() => start(config), writesTo('oauth_artifacts'));
      const confirmation = await enter(browser, device);
      const confirm = () => submit(browser, confirmation, { confirm: 'yes' });
      await replicas.killDuring(confirm, writesTo('oauth_artifacts'), 'is broken off');
      const consent = await confirm();
      expect(titleOf(consent)).toBe('Allow access?');
      const allow = () => submit(browser, consent, { decision: 'allow' });
      expect((await killAndRepeat(allow, writesTo('oauth_artifacts'))).text).toContain('The device is connected');
      const poll = () => client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 });
      await replicas.killDuring(poll, changesOf('DeviceCode'), 'is broken off');
      expect((await poll()).scope).toBe('catalog:read');
    });

    it('when the database has noted the code as entered: the page says so, and a new code works', async () => {
      const [browser, config] = [await signedIn(), await television()];
      const confirmation = await enter(browser, await start(config));
      const confirm = () => submit(browser, confirmation, { confirm: 'yes' });
      const refused = await killAndRepeat(confirm, writesTo('oauth_artifacts'));
      expect(refused.text).toContain('The code was used already. Ask the device for a new one.');
      const device = await start(config);
      const shown = await submit(browser, await enter(browser, device), { confirm: 'yes' });
      // What was allowed before is not asked again.
      const done = titleOf(shown) === 'Allow access?' ? await submit(browser, shown, { decision: 'allow' }) : shown;
      expect(done.text).toContain('The device is connected');
      expect((await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0.01 })).scope).toBe(
        'catalog:read',
      );
    });
  });

  describe('a sign-in at the company', () => {
    it('between start and answer: goes on at the other', async () => {
      const browser = newBrowser();
      await providers.person(company, 'grace', { email: 'grace@example.com', email_verified: true });
      browser.setCookie(company, 'person', 'grace');
      const atCompany = await browser.request('/sso/company/start');
      await replicas.killDuring(() => signedIn(), writesTo('sessions'), 'finishes');
      await browser.visit(targetOf(atCompany).href, {}, (url) => isOurs(url) && url.pathname === '/');
      expect(await me(browser)).toMatchObject({ email: 'grace@example.com' });
    });

    it('in the middle of the answer: no account and no session; the page offers to try again, which works', async () => {
      const browser = newBrowser();
      await providers.person(company, 'edsger', { email: 'edsger@example.com', email_verified: true });
      browser.setCookie(company, 'person', 'edsger');
      const answer = await browser.visit('/sso/company/start', {}, ({ pathname }) => pathname.endsWith('/callback'));
      const back = () => browser.visit(targetOf(answer).href, {}, ({ pathname }) => pathname === '/');
      const refused = await killAndRepeat(back, writesTo('sessions'));
      // The company gives a code only once.
      expect([refused.status, titleOf(refused)]).toEqual([400, 'This sign-in is over']);
      const [, again = ''] = /<a href="([^"]*)">Try again/.exec(refused.text) ?? [];
      await browser.visit(again, {}, (url) => isOurs(url) && url.pathname === '/');
      expect(await me(browser)).toMatchObject({ email: 'edsger@example.com' });
    });
  });
});
