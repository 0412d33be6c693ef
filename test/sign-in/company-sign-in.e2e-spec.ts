import { newId } from '../../src/database/id';
import { createTestApp, FakeClock, PUBLIC_URL, TestApp } from '../support/app';
import { CookieBrowser, csrfToken, type Shown, targetOf } from '../support/cookie-browser';
import { eventually } from '../support/eventually';
import { vouch } from '../support/factories';
import { type Claims, IdentityProviders } from '../support/identity-providers';
import { createDirectory, newUser, patch } from '../support/scim';
import { providersFile } from '../support/sso';

interface Me {
  id: string;
  email: string | null;
  name: string | null;
  is_platform_admin: boolean;
  sign_in: { issuer: string; subject: string; email: string | null; email_state: string };
}

describe('Company sign-in', () => {
  let providers: IdentityProviders;
  /** In the shapes of products. */
  const issuers = { keycloak: '', entra: '', okta: '', google: '' };
  type Product = keyof typeof issuers;
  const PRODUCTS = Object.keys(issuers) as Product[];
  let test: TestApp;
  let clock: FakeClock;

  beforeAll(async () => {
    providers = await IdentityProviders.start();
    [issuers.keycloak, issuers.entra, issuers.okta, issuers.google] = await Promise.all([
      providers.add({ id: 'keycloak', algorithm: 'ES256', hasAuthTime: true }),
      providers.add({ id: 'entra', authMethod: 'client_secret_post' }),
      providers.add({ id: 'okta', isThin: true }),
      providers.add({ id: 'google', authMethod: 'client_secret_post' }),
    ]);
    clock = new FakeClock(new Date());
    const entries = PRODUCTS.map((id) => ({
      id,
      issuer: issuers[id],
      ...(id === 'okta' ? {} : { sign_up: 'anybody' }),
      ...(id === 'google' ? { domains: ['example.com'] } : {}),
    }));
    test = await createTestApp({
      env: { SSO_PROVIDERS_FILE: providersFile(...entries), PLATFORM_ADMINS: 'ada,root@example.com' },
      clock,
    });
    await providers.route(test.url);
  });

  afterAll(async () => {
    await test.close();
    await providers.close();
  });

  /** A browser in which that person is signed in at the provider. */
  const browserOf = async (product: Product, subject: string, claims: Claims, userinfo?: Claims) => {
    await providers.person(issuers[product], subject, claims, userinfo);
    const browser = new CookieBrowser(test.url);
    browser.setCookie(issuers[product], 'person', subject);
    return browser;
  };
  const isAccountPage = (url: URL) => url.origin === PUBLIC_URL && url.pathname === '/account';
  const signIn = (browser: CookieBrowser, product: Product) =>
    browser.visit(`/sso/${product}/start?return_to=%2Faccount`, {}, isAccountPage);
  const me = async (browser: CookieBrowser): Promise<Me> => {
    const { status, text } = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
    expect(status).toBe(200);
    return JSON.parse(text) as Me;
  };
  const signedIn = async (
    ...parameters: Parameters<typeof browserOf>
  ): Promise<{ browser: CookieBrowser; account: Me }> => {
    const browser = await browserOf(...parameters);
    const shown = await signIn(browser, parameters[0]);
    expect([shown.status, shown.headers.get('location'), titleOf(shown)]).toEqual([303, '/account', undefined]);
    return { browser, account: await me(browser) };
  };
  const titleOf = ({ text }: Shown) => /<h1>([^<]*)/.exec(text)?.[1];
  const refusal = async (...parameters: Parameters<typeof browserOf>): Promise<string | undefined> => {
    const browser = await browserOf(...parameters);
    const shown = await signIn(browser, parameters[0]);
    expect(shown.status).toBeGreaterThanOrEqual(400);
    expect((await browser.request('/v1/users/me')).status).toBe(401);
    return titleOf(shown);
  };
  const createWaiting = async (email: string) => {
    const id = newId();
    await test.dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [id, email]);
    return id;
  };

  describe('in the shape of', () => {
    const verified = { email_verified: true };
    it.each<[string, Product, Claims, Claims | undefined, string, boolean]>([
      ['Keycloak: verified', 'keycloak', verified, undefined, 'email_verified', true],
      ['Keycloak: not verified', 'keycloak', { email_verified: false }, undefined, 'not_verified', false],
      ['Entra ID with xms_edov', 'entra', { xms_edov: true }, undefined, 'xms_edov', true],
      ['Entra ID with xms_edov as v1.0 has it', 'entra', { xms_edov: '1' }, undefined, 'xms_edov', true],
      ['Entra ID without xms_edov', 'entra', {}, undefined, 'not_verified', false],
      ['Okta: the address is at the UserInfo endpoint', 'okta', {}, verified, 'email_verified', true],
      ['Google', 'google', verified, undefined, 'email_verified', true],
      ['email_verified as text', 'keycloak', { email_verified: 'true' }, undefined, 'not_verified', false],
    ])('%s', async (_what, product, claims, userinfo, state, counts) => {
      const subject = newId();
      const address = `${subject}@example.com`;
      const person = { email: address, name: 'Ada L.' };
      const { account } = await signedIn(
        product,
        subject,
        { ...person, ...claims },
        userinfo && { ...person, ...userinfo },
      );
      expect(account).toMatchObject({
        email: counts ? address : null,
        name: 'Ada L.',
        is_platform_admin: false,
        sign_in: { issuer: issuers[product], subject, email: address, email_state: state },
      });
    });

    it('a UserInfo endpoint that verifies another address than that of the ID token', async () => {
      const subject = newId();
      const userinfo = { email: 'root@example.com', email_verified: true };
      const { account } = await signedIn('entra', subject, { email: `${subject}@example.com` }, userinfo);
      expect(account).toMatchObject({
        email: null,
        is_platform_admin: false,
        sign_in: { email_state: 'not_verified' },
      });
    });
  });

  it('leads to the same account each time, with the name and address that the provider has now', async () => {
    const subject = newId();
    const first = await signedIn('keycloak', subject, {
      email: `${subject}@example.com`,
      email_verified: true,
      name: 'A',
    });
    clock.advance(2_000);
    const second = await signedIn('keycloak', subject, {
      email: `${subject}@example.org`,
      email_verified: true,
      name: 'B',
    });
    expect(second.account).toMatchObject({ id: first.account.id, name: 'B', email: `${subject}@example.org` });
  });

  it('makes one account, however many tabs sign in at the same time', async () => {
    const subject = newId();
    const browser = await browserOf('keycloak', subject, { email: `${subject}@example.com`, email_verified: true });
    const starts = [];
    for (let tab = 0; tab < 3; tab++) starts.push(await browser.request('/sso/keycloak/start?return_to=%2Faccount'));
    const ends = [];
    for (const start of starts.toReversed()) ends.push(await browser.visit(targetOf(start).href, {}, isAccountPage));
    expect(ends.map(({ status }) => status)).toEqual([303, 303, 303]);
    const rows: unknown = await test.dataSource.query(`SELECT user_id FROM identities WHERE subject = $1`, [subject]);
    expect(rows).toEqual([{ user_id: (await me(browser)).id }]);
  });

  it('makes tokens of our own issuer find the account, whose subject is its id', async () => {
    const { account } = await signedIn('keycloak', newId(), {});
    const own: unknown = await test.dataSource.query(
      `SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2`,
      [PUBLIC_URL, account.id],
    );
    expect(own).toEqual([{ user_id: account.id }]);
  });

  it('takes no subject of a provider for an entry of PLATFORM_ADMINS, but a verified address', async () => {
    const byName = await signedIn('keycloak', 'ada', { email: 'ada@example.com', email_verified: true });
    expect(byName.account.is_platform_admin).toBe(false);
    const unverified = await signedIn('entra', 'root-1', { email: 'root@example.com' });
    expect(unverified.account.is_platform_admin).toBe(false);
    const byAddress = await signedIn('keycloak', 'root-2', { email: 'ROOT@example.com', email_verified: true });
    expect(byAddress.account.is_platform_admin).toBe(true);
  });

  it('goes on at another replica', async () => {
    const replica = await createTestApp({
      env: {
        SSO_PROVIDERS_FILE: providersFile({ id: 'keycloak', issuer: issuers.keycloak }),
        DATABASE_URL: test.database.url,
      },
      database: test.database,
    });
    try {
      const browser = await browserOf('keycloak', newId(), {});
      const start = await browser.request('/sso/keycloak/start?return_to=%2Faccount');
      browser.ours = replica.url;
      const end = await browser.visit(targetOf(start).href, {}, isAccountPage);
      expect(end.status).toBe(303);
      browser.ours = test.url;
      await me(browser);
    } finally {
      await replica.close();
    }
  });

  it('lasts ten minutes', async () => {
    const subject = newId();
    const browser = await browserOf('keycloak', subject, {});
    const start = await browser.request('/sso/keycloak/start');
    clock.advance(600_001);
    const end = await browser.visit(targetOf(start).href);
    expect([end.status, titleOf(end)]).toEqual([400, 'This sign-in is over']);
    clock.advance(-600_001);
  });

  it('says so if the person cancels', async () => {
    const browser = new CookieBrowser(test.url);
    const end = await browser.visit('/sso/keycloak/start');
    expect([end.status, titleOf(end)]).toEqual([403, 'You are not signed in']);
  });

  it('refuses a second use of the address at which a sign-in ended', async () => {
    const browser = await browserOf('keycloak', newId(), {});
    await signIn(browser, 'keycloak');
    const callback = browser.history.find((address) => address.includes('/callback?')) ?? '';
    const again = await browser.request(callback);
    expect([again.status, titleOf(again)]).toEqual([400, 'This sign-in is over']);
  });

  describe('and the account of an address', () => {
    it('claims the one that provisioning made, if the address is verified', async () => {
      const email = `${newId()}@example.com`;
      const waiting = await createWaiting(email);
      const stranger = await signedIn('entra', newId(), { email });
      expect(stranger.account.id).not.toBe(waiting);
      const owner = await signedIn('entra', newId(), { email: email.toUpperCase(), xms_edov: true });
      expect(owner.account.id).toBe(waiting);
    });

    it('never opens one that somebody uses', async () => {
      const subject = newId();
      const email = `${subject}@example.com`;
      const local = await test.as(subject);
      expect((await local.get('/v1/users/me')).body).toMatchObject({ email });
      expect(await refusal('keycloak', newId(), { email, email_verified: true })).toBe(
        'There is an account with your address',
      );
      await signedIn('keycloak', `${subject}-2`, { email: `x${email}`, email_verified: true });
      expect(await refusal('entra', newId(), { email: `x${email}`, xms_edov: true })).toBe(
        'There is an account with your address',
      );
    });

    it('never opens one that is closed', async () => {
      const subject = newId();
      const claims = { email: `${subject}@example.com`, email_verified: true };
      const { browser, account } = await signedIn('keycloak', subject, claims);
      await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [account.id]);
      await eventually(
        async () => (await browser.request('/v1/users/me')).status,
        (status) => status === 401,
        2_000,
      );
      expect(await refusal('keycloak', subject, claims)).toBe('This account is closed');
    });
  });

  it('lets only addresses in the domains of a provider sign in', async () => {
    const title = 'Your address cannot sign in here';
    const verified = { email_verified: true };
    expect(await refusal('google', newId(), { email: 'a@example.org', ...verified })).toBe(title);
    expect(await refusal('google', newId(), { email: 'a@sub.example.com', ...verified })).toBe(title);
    expect(await refusal('google', newId(), { email: 'a@example.com', email_verified: false })).toBe(title);
    expect(await refusal('google', newId(), {})).toBe(title);
    await signedIn('google', newId(), { email: 'a@EXAMPLE.com', ...verified });
  });

  describe('and linking', () => {
    const link = async (browser: CookieBrowser, product: Product): Promise<Shown> => {
      const page = await browser.request(`/sso/${product}/start?link=1`);
      if (page.status !== 200) return page;
      return browser.visit(`/sso/${product}/start`, { form: { csrf_token: csrfToken(page) } }, isAccountPage);
    };

    it('adds the identity to the account of the session, whatever its address', async () => {
      const { browser, account } = await signedIn('keycloak', newId(), {});
      const subject = newId();
      await providers.person(issuers.entra, subject, { email: 'somebody@example.net' });
      browser.setCookie(issuers.entra, 'person', subject);
      const shown = await link(browser, 'entra');
      expect([shown.status, shown.headers.get('location')]).toEqual([303, '/account']);
      const after = await signedIn('entra', subject, { email: 'somebody@example.net' });
      expect(after.account.id).toBe(account.id);
      // Again, and it is still one.
      expect((await link(browser, 'entra')).status).toBe(303);
    });

    it('is in the audit log of the account, as is how the first identity came, and who was refused', async () => {
      const waiting = `${newId()}@example.com`;
      const waitingId = await createWaiting(waiting);
      await signedIn('keycloak', newId(), { email: waiting, email_verified: true });
      const { browser, account } = await signedIn('keycloak', newId(), {});
      const subject = newId();
      await providers.person(issuers.entra, subject, {});
      browser.setCookie(issuers.entra, 'person', subject);
      await link(browser, 'entra');
      await link(browser, 'entra');
      const entriesOf = (userId: string) =>
        test.dataSource.query<object[]>(
          `SELECT action, details->>'issuer' AS issuer, details->>'reason' AS reason FROM account_audit_log
           WHERE user_id = $1 ORDER BY id`,
          [userId],
        );
      const { keycloak, entra } = issuers;
      const started = { action: 'session.started', issuer: keycloak, reason: null };
      expect(await entriesOf(account.id)).toEqual([
        { action: 'identity.linked', issuer: keycloak, reason: 'signed_up' },
        started,
        { action: 'identity.linked', issuer: entra, reason: 'linked' },
      ]);
      expect(await entriesOf(waitingId)).toEqual([
        { action: 'identity.linked', issuer: keycloak, reason: 'claimed' },
        started,
      ]);
      await refusal('google', newId(), { email: 'a@example.org', email_verified: true });
      const [refused] = await test.dataSource.query<object[]>(
        `SELECT user_id, actor_type, address, details FROM account_audit_log
         WHERE action = 'session.failed' ORDER BY id DESC LIMIT 1`,
      );
      expect(refused).toEqual({
        user_id: null,
        actor_type: 'anonymous',
        address: null,
        details: { method: 'provider', issuer: issuers.google, failure: 'domain' },
      });
    });

    it('does not take an identity from another account', async () => {
      const subject = newId();
      await signedIn('entra', subject, {});
      const { browser } = await signedIn('keycloak', newId(), {});
      browser.setCookie(issuers.entra, 'person', subject);
      const shown = await link(browser, 'entra');
      expect([shown.status, titleOf(shown)]).toEqual([409, 'Another account is linked']);
    });

    it('needs a session that began at most five minutes ago', async () => {
      const stranger = await link(new CookieBrowser(test.url), 'entra');
      expect([stranger.status, titleOf(stranger)]).toEqual([403, 'Sign in first']);
      const { browser } = await signedIn('keycloak', newId(), {});
      clock.advance(300_001);
      const late = await link(browser, 'entra');
      expect([late.status, titleOf(late)]).toEqual([403, 'Sign in again first']);
      clock.advance(-300_001);
    });

    it('ends with nothing if somebody else signed in meanwhile', async () => {
      const { browser, account } = await signedIn('keycloak', newId(), {});
      const [subject, other] = [newId(), newId()];
      browser.setCookie(issuers.entra, 'person', subject);
      const page = await browser.request('/sso/entra/start?link=1');
      const leaving = await browser.request('/sso/entra/start', { form: { csrf_token: csrfToken(page) } });
      // At another provider, because the first one remembers who signed in.
      await providers.person(issuers.okta, other, {});
      browser.setCookie(issuers.okta, 'person', other);
      await signIn(browser, 'okta');
      expect((await me(browser)).id).not.toBe(account.id);
      const shown = await browser.visit(targetOf(leaving).href, {}, isAccountPage);
      expect([shown.status, titleOf(shown)]).toEqual([403, 'Sign in first']);
      expect(await test.dataSource.query(`SELECT FROM identities WHERE subject = $1`, [subject])).toEqual([]);
    });

    it('ends with nothing if the person signed out meanwhile', async () => {
      const { browser, account } = await signedIn('keycloak', newId(), {});
      const subject = newId();
      browser.setCookie(issuers.entra, 'person', subject);
      const page = await browser.request('/sso/entra/start?link=1');
      const leaving = await browser.request('/sso/entra/start', { form: { csrf_token: csrfToken(page) } });
      await test.dataSource.query(`DELETE FROM sessions WHERE user_id = $1`, [account.id]);
      await eventually(
        async () => (await browser.request('/v1/users/me')).status,
        (status) => status === 401,
        2_000,
      );
      const shown = await browser.visit(targetOf(leaving).href, {}, isAccountPage);
      expect([shown.status, titleOf(shown)]).toEqual([403, 'Sign in first']);
      expect(await test.dataSource.query(`SELECT FROM identities WHERE subject = $1`, [subject])).toEqual([]);
    });
  });

  describe('and SCIM', () => {
    it('leads to the account that was provisioned, and to its organisation if that is vouched for', async () => {
      const { provider, orgId } = await createDirectory(test);
      await vouch(test.dataSource, orgId);
      const email = `${newId()}@example.com`;
      await provider.api.post(`${provider.base}/Users`, newUser({ userName: email, emails: [{ value: email }] }));
      const { browser } = await signedIn('okta', newId(), {}, { email, email_verified: true });
      const { text } = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
      expect(JSON.parse(text)).toMatchObject({ email, organisations: [{ org_id: orgId }] });
    });

    it('gives who signed in before the same account, and a deactivation ends no session', async () => {
      const { provider, orgId } = await createDirectory(test);
      await vouch(test.dataSource, orgId);
      // An organisation has SCIM already, so only provisioned people get an account: this one was, elsewhere.
      const email = `${newId()}@example.com`;
      await createWaiting(email);
      const { browser, account } = await signedIn('okta', newId(), {}, { email, email_verified: true });
      const pushed = await provider.api.post(`${provider.base}/Users`, newUser({ userName: email }));
      const organisations = async () => {
        const { status, text } = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
        return { status, ...(JSON.parse(text) as { id: string; organisations: { org_id: string }[] }) };
      };
      expect(await organisations()).toMatchObject({ id: account.id, organisations: [{ org_id: orgId }] });
      await provider.api.patch(
        `${provider.base}/Users/${String(pushed.body.id)}`,
        patch({ op: 'replace', path: 'active', value: false }),
      );
      expect(await organisations()).toMatchObject({ status: 200, id: account.id, organisations: [] });
    });
  });

  describe('back-channel logout', () => {
    it('of the provider ends its session, and no other', async () => {
      // The provider's clock is real.
      clock.time = new Date();
      const subject = newId();
      const [first, second] = [await signedIn('keycloak', subject, {}), await signedIn('keycloak', subject, {})];
      const [row]: { identity_sid: string }[] = await test.dataSource.query(
        `SELECT identity_sid FROM sessions WHERE user_id = $1 ORDER BY id LIMIT 1`,
        [first.account.id],
      );
      expect(await providers.logOut(issuers.keycloak, subject, row?.identity_sid ?? '')).toBe('ok');
      await eventually(
        async () => (await first.browser.request('/v1/users/me')).status,
        (status) => status === 401,
        2_000,
      );
      await me(second.browser);
    });
  });
});
