import * as client from 'openid-client';
import { decodeJwt } from 'jose';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { authorize, signIn } from '../support/sign-in';
import { stranger } from '../support/stranger';

const CALLBACK = 'http://127.0.0.1/callback';

let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({ env: { OAUTH_REGISTRATION: 'open' } });
});

afterAll(() => test.close());

describe('A stranger with a library of its own', () => {
  it('registers, signs a person in with PKCE, and calls the API', async () => {
    const config = await stranger(test, { redirect_uris: [CALLBACK], client_name: 'Stranger' });
    const { browser, userId, email } = await signIn(test, 'ada');
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const redirect_uri = 'http://127.0.0.1:51234/callback';
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'organisations:read email openid',
      resource: `${PUBLIC_URL}/`,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await authorize(browser, address);
    expect(back.href).toContain(redirect_uri);
    expect(back.searchParams.get('iss')).toBe(PUBLIC_URL);
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ iss: PUBLIC_URL, aud: `${PUBLIC_URL}/`, sub: userId });
    expect(tokens.claims()).toMatchObject({ sub: userId, email, email_verified: true });
    const response = await fetch(`${test.url}/v1/users/me?verify_locally=false`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect([response.status, await response.json()]).toMatchObject([200, { id: userId, email }]);
  });
});
