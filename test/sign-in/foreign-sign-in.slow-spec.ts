import { createTestApp, TestApp } from '../support/app';
import { CookieBrowser } from '../support/cookie-browser';
import { CLIENT_ID, IdentityProviders } from '../support/identity-providers';

describe('Signing in at the issuer of access tokens (OIDC_ISSUER)', () => {
  let providers: IdentityProviders;
  let issuer: string;
  let test: TestApp;

  beforeAll(async () => {
    providers = await IdentityProviders.start();
    issuer = await providers.add({ id: 'issuer', authMethod: 'none' });
    test = await createTestApp({ env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, PLATFORM_ADMINS: 'ada' } });
  });

  afterAll(async () => {
    await test.close();
    await providers.close();
  });

  it('is the only button, and gives a session of the account that access tokens open', async () => {
    await providers.person(issuer, 'ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    const browser = new CookieBrowser(test.url);
    browser.setCookie(issuer, 'person', 'ada');
    const { text } = await browser.request('/sign-in');
    expect(text).not.toContain('name="password"');
    expect(text).toContain('Sign in with 127.0.0.1');
    await browser.visit('/sso/issuer/start?return_to=%2Faccount', {}, ({ pathname }) => pathname === '/account');
    const { status, text: body } = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      email: 'ada@example.com',
      // A subject of the configured issuer, as in its access tokens.
      is_platform_admin: true,
      sign_in: { issuer, subject: 'ada', email_state: 'email_verified' },
    });
    const identities: unknown = await test.dataSource.query(`SELECT issuer, subject FROM identities`);
    expect(identities).toEqual([{ issuer, subject: 'ada' }]);
  });
});
