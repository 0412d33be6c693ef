import { isSharedIssuer } from './shared-issuers';

describe('An issuer', () => {
  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://LOGIN.microsoftonline.com/Consumers/v2.0/',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://login.microsoftonline.com',
    'https://sts.windows.net/common/',
    'https://accounts.google.com',
    'https://oauth.id.jumpcloud.com/',
  ])('is shared by many tenants: %s', (issuer) => {
    expect(isSharedIssuer(issuer)).toBe(true);
  });

  it.each([
    'https://login.microsoftonline.com/3f2d1c5e-0a4b-4c7d-8e9f-1a2b3c4d5e6f/v2.0',
    'https://login.microsoftonline.com/acme.onmicrosoft.com/v2.0',
    'https://login.example.com/realms/common',
    'https://acme.okta.com',
    'https://google.com.example.org',
    'not an address',
  ])('belongs to a single tenant: %s', (issuer) => {
    expect(isSharedIssuer(issuer)).toBe(false);
  });
});
