import { newId } from '../../src/database/id';
import { createTestApp, FakeClock, PUBLIC_URL, TestApp } from '../support/app';
import { CookieBrowser, csrfToken, type Shown, targetOf } from '../support/cookie-browser';
import { IdentityProviders } from '../support/identity-providers';
import { providersFile } from '../support/sso';

const SESSION = '__Host-toolyard';

describe('Signing in at the company, and proving again who one is', () => {
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
      providers.add({ id: 'okta', isThin: true, hasAuthTime: true }),
      providers.add({ id: 'google', authMethod: 'client_secret_post', obeys: false }),
    ]);
    clock = new FakeClock(new Date());
    const entries = PRODUCTS.map((id) => ({ id, issuer: issuers[id], sign_up: 'anybody' }));
    test = await createTestApp({ env: { SSO_PROVIDERS_FILE: providersFile(...entries) }, clock });
  });

  afterAll(async () => {
    await test.close();
    await providers.close();
  });

  const titleOf = ({ text }: Shown) => /<h1>([^<]*)/.exec(text)?.[1];
  const isAccountPage = (url: URL) => url.origin === PUBLIC_URL && url.pathname === '/account';

  /** A browser in which somebody signed in by that provider, long ago. */
  async function signedIn(product: Product, { longAgo = true } = {}): Promise<CookieBrowser> {
    const [browser, subject] = [new CookieBrowser(test.url), newId()];
    await providers.person(issuers[product], subject, { name: subject });
    browser.setCookie(issuers[product], 'person', subject);
    await browser.visit(`/sso/${product}/start?return_to=%2Faccount`, {}, isAccountPage);
    if (longAgo)
      await test.dataSource.query(
        `UPDATE sessions SET proved_at = proved_at - interval '6 minutes' WHERE identity_subject = $1`,
        [subject],
      );
    return browser;
  }

  /** Whether ways to sign in can be changed. */
  const isRecent = async (browser: CookieBrowser, product: Product): Promise<boolean> => {
    const shown = await browser.request(`/sso/${product}/start?link=1`);
    expect([200, 403]).toContain(shown.status);
    return csrfToken(shown) !== '';
  };
  const confirm = (browser: CookieBrowser, product: Product) =>
    browser.visit(`/sso/${product}/start?confirm=1`, {}, isAccountPage);

  it('shows a button for each provider on the page for signing in, next to the password', async () => {
    const { text } = await new CookieBrowser(test.url).request('/sign-in?return_to=%2Faccount');
    expect(text.match(/href="\/sso\/\w+\/start[^"]*"/g)).toEqual(
      PRODUCTS.map((id) => `href="/sso/${id}/start?return_to=%2Faccount"`),
    );
    expect(text).toContain('name="password"');
  });

  it.each<Product>(['keycloak', 'entra', 'okta'])('asks the person again, in the shape of %s', async (product) => {
    const browser = await signedIn(product);
    const secret = browser.cookie(PUBLIC_URL, SESSION);
    expect(await isRecent(browser, product)).toBe(false);
    const page = await browser.request('/account/confirm');
    expect(page.text).toContain(`href="/sso/${product}/start?confirm=1"`);
    const shown = await confirm(browser, product);
    expect([shown.status, shown.headers.get('location')]).toEqual([303, '/account']);
    const asked = browser.history.map((address) => new URL(address)).findLast(({ pathname }) => pathname === '/auth');
    expect([asked?.searchParams.get('prompt'), asked?.searchParams.get('max_age')]).toEqual(['login', '0']);
    // It asked: an answer without asking would not have come by its page for signing in.
    expect(browser.history.filter((address) => address.includes('/interaction/')).length).toBe(2);
    expect(browser.cookie(PUBLIC_URL, SESSION)).not.toBe(secret);
    expect(await isRecent(browser, product)).toBe(true);
  });

  it('accepts no answer that does not say when the person did, in the shape of Google', async () => {
    const browser = await signedIn('google');
    const secret = browser.cookie(PUBLIC_URL, SESSION);
    const shown = await confirm(browser, 'google');
    expect([shown.status, titleOf(shown)]).toEqual([403, 'You are not confirmed']);
    expect(shown.text).toContain('google did not say when you proved who you are there');
    expect(browser.cookie(PUBLIC_URL, SESSION)).toBe(secret);
    expect(await isRecent(browser, 'google')).toBe(false);
    expect((await browser.request('/v1/users/me')).status).toBe(200);
  });

  it('accepts no answer for which the person was not asked', async () => {
    const browser = await signedIn('keycloak');
    await providers.obey(issuers.keycloak, false);
    clock.advance(120_000);
    const shown = await confirm(browser, 'keycloak');
    clock.advance(-120_000);
    await providers.obey(issuers.keycloak, true);
    expect([shown.status, titleOf(shown)]).toEqual([403, 'You are not confirmed']);
    expect(shown.text).toContain('keycloak did not ask you again');
    expect(await isRecent(browser, 'keycloak')).toBe(false);
  });

  it('a first sign-in counts if the provider says that the person proved it just now, and not if it is silent', async () => {
    expect(await isRecent(await signedIn('keycloak', { longAgo: false }), 'keycloak')).toBe(true);
    expect(await isRecent(await signedIn('okta', { longAgo: false }), 'okta')).toBe(true);
    expect(await isRecent(await signedIn('entra', { longAgo: false }), 'entra')).toBe(false);
    // Signing out and in again is no proof where the provider asks nothing.
    const browser = await signedIn('google', { longAgo: false });
    await browser.visit('/sso/google/start?return_to=%2Faccount', {}, isAccountPage);
    expect(await isRecent(browser, 'google')).toBe(false);
  });

  it('accepts nobody else', async () => {
    const browser = await signedIn('entra');
    // The same session here, and another person at the company.
    const other = new CookieBrowser(test.url);
    for (const [name, value] of browser.cookiesOf(PUBLIC_URL)) other.setCookie(PUBLIC_URL, name, value);
    other.setCookie(issuers.entra, 'person', newId());
    const shown = await confirm(other, 'entra');
    expect([shown.status, titleOf(shown)]).toEqual([403, 'You signed in as somebody else']);
    expect(await isRecent(browser, 'entra')).toBe(false);
  });

  it('needs a session, the same one until the end, and a page of ours that leads there', async () => {
    const stranger = await confirm(new CookieBrowser(test.url), 'entra');
    expect([stranger.status, titleOf(stranger)]).toEqual([403, 'Sign in first']);
    const browser = await signedIn('entra');
    const foreign = await browser.request('/sso/entra/start?confirm=1', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.headers.get('location')).toBe('/account/confirm');
    const begun = await browser.request('/sso/entra/start?confirm=1');
    await browser.visit('/sso/entra/start', {}, (url) => url.pathname === '/');
    const shown = await browser.visit(targetOf(begun).href, {}, isAccountPage);
    expect([shown.status, titleOf(shown)]).toEqual([403, 'Sign in first']);
  });
});
