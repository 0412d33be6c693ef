import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';

let test: TestApp | undefined;

afterEach(() => test?.close());

const instanceOf = async (env: Record<string, string>) => {
  test = await createTestApp({ env: { RUN: 'api', ...env } });
  return (await test.anonymous.get('/v1/instance')).body;
};

describe('What anyone may know of an installation', () => {
  it('is where people sign in, and its version', async () => {
    expect(await instanceOf({})).toEqual({
      version: '1',
      sign_in: { is_here: true, url: `${PUBLIC_URL}/sign-in`, issuer: PUBLIC_URL },
      has_console: false,
    });
  });

  it('is where else they get their tokens', async () => {
    const { sign_in } = await instanceOf({ OIDC_ISSUER: 'https://login.acme.example' });
    expect(sign_in).toEqual({ is_here: false, url: null, issuer: 'https://login.acme.example' });
  });
});
