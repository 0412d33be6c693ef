import { generateKeyPair } from 'jose';
import { createTestApp, TestApp } from '../support/app';
import { CookieBrowser, targetOf } from '../support/cookie-browser';
import { eventually } from '../support/eventually';
import { type Forgery, ForgedProvider } from '../support/forged-provider';
import { CLIENT_ID, CLIENT_SECRET } from '../support/identity-providers';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('Back-channel logout', () => {
  let provider: ForgedProvider;
  let test: TestApp;
  let replica: TestApp;

  beforeAll(async () => {
    provider = await ForgedProvider.start();
    const env = { SSO_ISSUER: provider.issuer, SSO_CLIENT_ID: CLIENT_ID, SSO_CLIENT_SECRET: CLIENT_SECRET };
    test = await createTestApp({ env });
    replica = await createTestApp({ env: { ...env, DATABASE_URL: test.database.url }, database: test.database });
  });

  afterAll(async () => {
    await replica.close();
    await test.close();
    await provider.close();
  });

  let people = 0;
  /** Somebody who is signed in. */
  const person = async (sub = `person-${++people}`, sid: string | undefined = `sid-${++people}`) => {
    const browser = new CookieBrowser(test.url);
    const target = targetOf(await browser.request('/sso/company/start'));
    const { nonce, state } = Object.fromEntries(target.searchParams);
    provider.nextIdToken(nonce ?? '', { sub, ...(sid === '' ? {} : { sid }) });
    const query = new URLSearchParams({ iss: provider.issuer, code: 'c', state: state ?? '' });
    expect((await browser.request(`/sso/company/callback?${query.toString()}`)).status).toBe(303);
    return { browser, sub, sid };
  };
  const send = async (token: string, at = test): Promise<{ status: number; body: string; cache: string | null }> => {
    const response = await fetch(`${at.url}/sso/company/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
    return { status: response.status, body: await response.text(), cache: response.headers.get('cache-control') };
  };
  const isSignedIn = async ({ browser }: { browser: CookieBrowser }, at = test) => {
    browser.ours = at.url;
    return (await browser.request('/v1/users/me')).status === 200;
  };
  const isOut = (who: { browser: CookieBrowser }, at = test) =>
    eventually(
      () => isSignedIn(who, at),
      (answer) => !answer,
      2_000,
    );

  it('ends the session with that id, at every replica that remembers it', async () => {
    const [one, another] = [await person('ada', 'first'), await person('ada', 'second')];
    expect([await isSignedIn(one), await isSignedIn(one, replica)]).toEqual([true, true]);
    const answer = await send(await provider.logoutToken({ sub: 'ada', sid: 'first' }), replica);
    expect(answer).toEqual({ status: 200, body: '', cache: 'no-store' });
    await isOut(one);
    await isOut(one, replica);
    expect(await isSignedIn(another)).toBe(true);
  });

  it('ends the session with that id if it names no person', async () => {
    const [one, another] = [await person(), await person()];
    expect((await send(await provider.logoutToken({ sid: one.sid }))).status).toBe(200);
    await isOut(one);
    expect(await isSignedIn(another)).toBe(true);
  });

  it('ends all sessions of a person if it names no session, and those without an id', async () => {
    const [one, two, three] = [await person('grace'), await person('grace'), await person('grace', '')];
    const other = await person();
    expect((await send(await provider.logoutToken({ sub: 'grace', sid: three.sid || 'unknown' }))).status).toBe(200);
    await isOut(three);
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, true]);
    expect((await send(await provider.logoutToken({ sub: 'grace' }))).status).toBe(200);
    await isOut(one);
    await isOut(two);
    expect(await isSignedIn(other)).toBe(true);
  });

  it('is fine with a person who is not signed in', async () => {
    expect((await send(await provider.logoutToken({ sub: 'nobody' }))).status).toBe(200);
  });

  it('takes each token once, also of two at the same time', async () => {
    const token = await provider.logoutToken({ sub: 'nobody' });
    const answers = await Promise.all([send(token), send(token, replica), send(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await send(token)).body).toContain('received before');
  });

  const seconds = () => Math.floor(Date.now() / 1_000);
  it.each<[string, () => Forgery | Promise<Forgery>]>([
    ['another audience', () => ({ claims: { aud: 'another' } })],
    ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['a nonce', () => ({ claims: { nonce: 'n' } })],
    ['no events', () => ({ without: ['events'] })],
    ['another event', () => ({ claims: { events: { 'http://example.com/other': {} } } })],
    ['an event that is no object', () => ({ claims: { events: { [EVENT]: true } } })],
    ['events that are text', () => ({ claims: { events: EVENT } })],
    ['no jti', () => ({ without: ['jti'] })],
    ['a jti that cannot be stored', () => ({ claims: { jti: 'a\0b' } })],
    ['no iat', () => ({ without: ['iat'] })],
    ['an old iat', () => ({ claims: { iat: seconds() - 400, exp: seconds() + 400 } })],
    ['an iat in the future', () => ({ claims: { iat: seconds() + 400, exp: seconds() + 800 } })],
    ['no exp', () => ({ without: ['exp'] })],
    ['a past exp', () => ({ claims: { exp: seconds() - 60 } })],
    ['neither sub nor sid', () => ({ without: ['sub', 'sid'] })],
    ['a sub that is a number', () => ({ claims: { sub: 7 as unknown as string } })],
    ['the type of access tokens', () => ({ header: { typ: 'at+jwt' } })],
    ['a key that the provider does not have', async () => ({ key: (await generateKeyPair('RS256')).privateKey })],
    [
      'the client secret as key (HS256)',
      () => ({ header: { alg: 'HS256' }, key: new TextEncoder().encode(CLIENT_SECRET) }),
    ],
    ['no form of a JWT', () => ({ raw: 'x' })],
    ['no signature (alg none)', () => ({ raw: `${btoa('{"alg":"none"}').replaceAll('=', '')}.e30.` })],
  ])('refuses a token with %s', async (_what, forgery) => {
    const who = await person();
    const answer = await send(await provider.logoutToken({ sub: who.sub, sid: who.sid }, await forgery()));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' });
    expect(answer.body).toMatch(/The logout token was not accepted: .+\./);
    expect(await isSignedIn(who)).toBe(true);
  });

  it('refuses an ID token, which is signed with the same key', async () => {
    const who = await person();
    const idToken = await provider.token({ sub: who.sub, sid: who.sid, nonce: 'n' });
    expect((await send(idToken)).status).toBe(400);
    expect(await isSignedIn(who)).toBe(true);
  });

  it('refuses what is no form, a form without the token, and two of them', async () => {
    const url = `${test.url}/sso/company/backchannel-logout`;
    const token = await provider.logoutToken({ sub: 'nobody' });
    const bodies: RequestInit[] = [
      {},
      { body: JSON.stringify({ logout_token: token }), headers: { 'Content-Type': 'application/json' } },
      { body: new URLSearchParams({ token }) },
      {
        body: new URLSearchParams([
          ['logout_token', token],
          ['logout_token', token],
        ]),
      },
      { body: new URLSearchParams({ logout_token: 'x'.repeat(70_000) }) },
    ];
    for (const init of bodies) expect((await fetch(url, { method: 'POST', ...init })).status).toBe(400);
    const unknown = `${test.url}/sso/nobody/backchannel-logout`;
    expect((await fetch(unknown, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })).status).toBe(
      400,
    );
  });
});
