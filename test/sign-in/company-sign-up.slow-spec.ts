import { newId } from '../../src/database/id';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { CookieBrowser, type Shown } from '../support/cookie-browser';
import { createCast } from '../support/factories';
import { CLIENT_ID, CLIENT_SECRET, IdentityProviders } from '../support/identity-providers';
import { createDirectory, newUser } from '../support/scim';

const SECRET = { SSO_CLIENT_ID: CLIENT_ID, SSO_CLIENT_SECRET: CLIENT_SECRET };

describe('The first sign-in at a company is for', () => {
  let providers: IdentityProviders;

  beforeAll(async () => {
    providers = await IdentityProviders.start();
  });

  afterAll(() => providers.close());

  const isAccountPage = (url: URL) => url.origin === PUBLIC_URL && url.pathname === '/account';
  const titleOf = ({ text }: Shown) => /<h1>([^<]*)/.exec(text)?.[1];
  const withRule = async (signUp: string | undefined, work: (at: TestApp, issuer: string) => Promise<void>) => {
    const issuer = await providers.add();
    const at = await createTestApp({
      env: { SSO_ISSUER: issuer, ...SECRET, PASSWORD_SIGN_IN: 'false', ...(signUp ? { SSO_SIGN_UP: signUp } : {}) },
    });
    try {
      await work(at, issuer);
    } finally {
      await at.close();
    }
  };
  const enter = async (at: TestApp, issuer: string, email: string): Promise<string | undefined> => {
    const subject = newId();
    await providers.person(issuer, subject, { email, email_verified: true });
    const browser = new CookieBrowser(at.url);
    browser.setCookie(issuer, 'person', subject);
    const shown = await browser.visit('/sso/company/start?return_to=%2Faccount', {}, isAccountPage);
    return shown.status === 303 ? 'in' : titleOf(shown);
  };
  const NONE = 'You have no account here yet';

  it('anybody, until an organisation has SCIM; then for those it provisions', async () => {
    await withRule(undefined, async (at, issuer) => {
      expect(await enter(at, issuer, 'first@example.com')).toBe('in');
      const { provider } = await createDirectory(at);
      expect(await enter(at, issuer, 'second@example.com')).toBe(NONE);
      const pushed = newUser({ emails: [{ value: 'third@example.com', primary: true }] });
      await provider.api.post(`${provider.base}/Users`, pushed);
      expect(await enter(at, issuer, 'third@example.com')).toBe('in');
      expect(await enter(at, issuer, 'fourth@example.com')).toBe(NONE);
    });
  });

  it('the invited', async () => {
    await withRule('invited', async (at, issuer) => {
      expect(await enter(at, issuer, 'guest@example.com')).toBe(NONE);
      const { owner, orgId } = await createCast(at);
      await owner.post(`/v1/organisations/${orgId}/members`, { email: 'Guest@example.com', role: 'MEMBER' });
      expect(await enter(at, issuer, 'guest@example.com')).toBe('in');
      expect(await enter(at, issuer, 'another@example.com')).toBe(NONE);
    });
  });

  it('no password, if PASSWORD_SIGN_IN is false', async () => {
    await withRule('provisioned', async (at) => {
      const browser = new CookieBrowser(at.url);
      const page = await browser.request('/sign-in');
      expect(page.text).not.toContain('name="password"');
      expect(page.text).toContain('href="/sso/company/start"');
      const refused = await browser.request('/sign-in', { form: { email: 'a@example.com', password: 'x' } });
      expect(refused.status).toBe(403);
    });
  });

  it('nobody while the provider is down, which the pages say', async () => {
    const issuer = await providers.add();
    await providers.stop(issuer);
    const at = await createTestApp({ env: { SSO_ISSUER: issuer, ...SECRET, SSO_NAME: 'Acme' } });
    try {
      const browser = new CookieBrowser(at.url);
      const shown = await browser.request('/sso/company/start');
      expect([shown.status, titleOf(shown), shown.headers.get('retry-after')]).toEqual([
        503,
        'Acme does not answer',
        '30',
      ]);
      expect((await browser.request('/sign-in')).text).toContain('Acme did not answer a moment ago.');
    } finally {
      await at.close();
    }
  });
});
