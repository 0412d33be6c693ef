import { PUBLIC_URL, createTestApp, TestApp } from '../support/app';
import { CookieBrowser, type Shown } from '../support/cookie-browser';
import { CLIENT_ID, CLIENT_SECRET, IdentityProviders } from '../support/identity-providers';

interface Me {
  id: string;
  email: string | null;
  name: string | null;
  sign_in: { issuer: string; subject: string; email: string | null; email_state: string };
}

describe('Company sign-in', () => {
  let providers: IdentityProviders;
  let issuer: string;
  let test: TestApp;

  beforeAll(async () => {
    providers = await IdentityProviders.start();
    issuer = await providers.add();
    test = await createTestApp({
      env: { SSO_ISSUER: issuer, SSO_CLIENT_ID: CLIENT_ID, SSO_CLIENT_SECRET: CLIENT_SECRET, SSO_NAME: 'Acme' },
    });
    await providers.route(test.url);
  });

  afterAll(async () => {
    await test.close();
    await providers.close();
  });

  const browserOf = (person: string, at = issuer) => {
    const browser = new CookieBrowser(test.url);
    browser.setCookie(at, 'person', person);
    return browser;
  };
  const signIn = (browser: CookieBrowser, returnTo = '/account') =>
    browser.visit(`/sso/company/start?return_to=${returnTo}`, {}, (url) => url.pathname === '/account');
  const me = async (browser: CookieBrowser): Promise<Shown & { body: Me }> => {
    const shown = await browser.request('/v1/users/me', { headers: { accept: 'application/json' } });
    return { ...shown, body: JSON.parse(shown.text) as Me };
  };

  it('signs in a person with a verified address', async () => {
    await providers.person(issuer, 'ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    const ada = browserOf('ada');
    const last = await signIn(ada);
    expect([last.status, last.headers.get('location')]).toEqual([303, '/account']);
    const { status, body } = await me(ada);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada',
      sign_in: { issuer, subject: 'ada', email: 'ada@example.com', email_state: 'email_verified' },
    });
    const identities = await test.dataSource.query(`SELECT issuer, subject FROM identities WHERE user_id = $1`, [
      body.id,
    ]);
    expect(identities).toEqual(
      expect.arrayContaining([
        { issuer, subject: 'ada' },
        { issuer: PUBLIC_URL, subject: body.id },
      ]),
    );
  });
});
