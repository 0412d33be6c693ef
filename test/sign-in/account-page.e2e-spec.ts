import { newId } from '../../src/database/id';
import { SignInWays } from '../../src/sign-in/ways/sign-in-ways';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { PageBrowser } from '../support/page-browser';
import type { Api } from '../support/api';
import { createCast, unique } from '../support/factories';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';
import { Directory } from '../support/scim-directory';

const ISSUER = 'https://login.example.org';
const OTHER_PASSWORD = 'eleven quiet lanterns drift';
const MINUTE_MS = 60_000;
const JSON_ONLY = { Accept: 'application/json' };
const CONSOLE = { ...JSON_ONLY, 'X-Toolyard-Console': '1', 'Sec-Fetch-Site': 'same-origin' };

/** The token of the form that posts to a path. */
function tokenOf(page: string, action: string): string {
  const form = page.split('<form ').find((part) => part.includes(`action="${action}"`)) ?? '';
  return /name="csrf_token" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

describe('The page of an account', () => {
  let clock: FakeClock;
  let test: TestApp;

  beforeAll(async () => {
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: { RUN: 'api' } });
    test.app.get(SignInWays).acceptIssuer(ISSUER);
  });

  afterAll(() => test.close());

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    test.dataSource.query<Row[]>(sql, parameters);
  const newPerson = async () => {
    const email = `${unique('ada')}@example.com`;
    const id = await createLocalAccount(test, email);
    return { email, id, browser: await signedIn(test, email) };
  };
  const link = async (userId: string, subject = unique('subject'), issuer = ISSUER) => {
    const id = newId();
    await query(`INSERT INTO identities (id, issuer, subject, user_id) VALUES ($1, $2, $3, $4)`, [
      id,
      issuer,
      subject,
      userId,
    ]);
    return id;
  };
  /** Shows the page and sends one of its forms. */
  const send = async (browser: PageBrowser, form: string, fields: Record<string, string> = {}) => {
    const action = `/account/${form}`;
    const page = (await browser.get('/account')).text;
    return browser.post(action, { csrf_token: tokenOf(page, action), ...fields });
  };
  const isSignedIn = async (browser: PageBrowser) => (await browser.get('/v1/users/me', JSON_ONLY)).status === 200;
  const signIn = async (email: string, password: string) =>
    (await new PageBrowser(test.url).submit('/sign-in', { email, password })).status;
  const confirm = (browser: PageBrowser, password = PASSWORD) =>
    browser.submit('/account/confirm', { current_password: password });
  const waysOf = (browser: PageBrowser) => browser.get('/v1/users/me/identities', JSON_ONLY);

  it('sends those who are not signed in to sign in, from all of its addresses', async () => {
    const browser = new PageBrowser(test.url);
    for (const path of ['/account', '/account/confirm']) {
      const answer = await browser.get(path);
      expect([answer.status, answer.headers.location]).toEqual([303, '/sign-in?return_to=/account']);
    }
    for (const form of [
      'password',
      'remove-password',
      'remove-identity',
      'accept-invitation',
      'decline-invitation',
      'end-session',
      'sign-out-everywhere',
      'confirm',
    ]) {
      expect([form, (await browser.post(`/account/${form}`, {})).status]).toEqual([form, 303]);
    }
  });

  it('shows who somebody is, how they sign in, and where they are signed in, with everything escaped', async () => {
    const { browser, email, id } = await newPerson();
    await query(`UPDATE users SET name = '<script>alert(1)</script>' WHERE id = $1`, [id]);
    await link(id, '<img src=x>');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const other = new PageBrowser(test.url);
    await other.submit('/sign-in', { email, password: PASSWORD }, { 'User-Agent': agent });
    clock.advance(MINUTE_MS + 1);
    const page = await browser.get('/account');
    expect(page.status).toBe(200);
    for (const text of [email, 'Password', ISSUER, '(this browser)', 'Firefox on Linux', '&lt;img src=x&gt;']) {
      expect(page.text).toContain(text);
    }
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/)|<img/);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  describe('the password', () => {
    it('is changed with the current one, and everybody else is signed out', async () => {
      const { browser, email } = await newPerson();
      const other = await signedIn(test, email);
      const fields = { current_password: PASSWORD, password: OTHER_PASSWORD, password_again: OTHER_PASSWORD };
      const answer = await send(browser, 'password', fields);
      expect([answer.status, answer.text.includes('Your password was changed')]).toEqual([200, true]);
      expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
      expect([await signIn(email, PASSWORD), await signIn(email, OTHER_PASSWORD)]).toEqual([422, 303]);
    });

    it('is not changed without the current one, or for a bad one', async () => {
      const { browser, email } = await newPerson();
      const good = { current_password: PASSWORD, password: OTHER_PASSWORD, password_again: OTHER_PASSWORD };
      for (const [fields, problem] of [
        [{ current_password: 'wrong' }, 'This is not your password.'],
        [{ current_password: '' }, 'This is not your password.'],
        [{ password: 'short', password_again: 'short' }, 'at least 15'],
        [{ password_again: 'another' }, 'not the same'],
      ] as const) {
        const refused = await send(browser, 'password', { ...good, ...fields });
        expect([refused.status, refused.text.includes(problem)]).toEqual([422, true]);
      }
      expect(await signIn(email, PASSWORD)).toBe(303);
    });

    it('cannot be guessed by who found a browser that is signed in', async () => {
      const { browser } = await newPerson();
      const statuses: number[] = [];
      for (let index = 0; index < 7; index++) statuses.push((await confirm(browser, `wrong ${index}`)).status);
      expect(statuses.slice(0, 5)).toEqual([422, 422, 422, 422, 422]);
      expect(statuses.at(-1)).toBe(429);
      clock.advance(16 * MINUTE_MS);
    });

    it('can be set by who has none, soon after signing in only', async () => {
      const { browser, email, id } = await newPerson();
      await query(`DELETE FROM passwords WHERE user_id = $1`, [id]);
      clock.advance(5 * MINUTE_MS + 1);
      const fields = { password: OTHER_PASSWORD, password_again: OTHER_PASSWORD };
      const refused = await send(browser, 'password', fields);
      expect([refused.status, refused.headers.location]).toEqual([303, '/account/confirm']);
      expect((await browser.get('/account/confirm')).text).toContain('sign in again');
      await query(`UPDATE sessions SET proved_at = $2, digest = digest WHERE user_id = $1`, [id, clock.now()]);
      clock.advance(MINUTE_MS + 1);
      expect((await send(browser, 'password', fields)).status).toBe(200);
      expect(await signIn(email, OTHER_PASSWORD)).toBe(303);
    });

    it('is removed only if there is another way, and only soon after confirming who one is', async () => {
      const { browser, email, id } = await newPerson();
      const last = await send(browser, 'remove-password');
      expect([last.status, last.text.includes('last way to sign in')]).toEqual([409, true]);
      await link(id);
      clock.advance(5 * MINUTE_MS + 1);
      const late = await send(browser, 'remove-password');
      expect([late.status, late.headers.location]).toEqual([303, '/account/confirm']);
      const before = browser.session;
      expect((await confirm(browser)).headers.location).toBe('/account#ways');
      expect(browser.session).not.toBe(before);
      expect((await send(browser, 'remove-password')).status).toBe(303);
      expect(await signIn(email, PASSWORD)).toBe(422);
      expect(await isSignedIn(browser)).toBe(true);
    });
  });

  describe('an identity', () => {
    it('is listed by the API with issuer, subject and since when, and not that of our own tokens', async () => {
      const { browser, id } = await newPerson();
      const ids = [await link(id), await link(id)];
      const listed = (await waysOf(browser)).body as { id: string; issuer: string }[];
      expect(listed.map((identity) => identity.id)).toEqual(ids.toReversed());
      expect(listed[0]).toEqual({
        id: ids[1],
        issuer: ISSUER,
        subject: expect.any(String) as string,
        created_at: expect.any(String) as string,
      });
    });

    it('is removed by the API in a fresh session only, and signs out everywhere else', async () => {
      const { browser, email, id } = await newPerson();
      const other = await signedIn(test, email);
      const identity = await link(id);
      const remove = (headers: Record<string, string>) =>
        test.anonymous.raw('delete', `/v1/users/me/identities/${identity}`).set({ ...headers });
      const withCookie = () => ({ ...CONSOLE, Cookie: browser.cookie });
      const token = await test.token(email.split('@')[0] ?? '');
      expect((await remove({ Authorization: `Bearer ${token}` })).status).toBe(403);
      expect((await remove({ Authorization: `Bearer ${token}`, ...withCookie() })).status).toBe(403);
      expect((await remove({ ...JSON_ONLY, Cookie: browser.cookie })).status).toBe(403);
      clock.advance(5 * MINUTE_MS + 1);
      expect((await remove(withCookie())).status).toBe(403);
      await confirm(browser);
      expect((await remove(withCookie())).status).toBe(204);
      expect((await remove(withCookie())).status).toBe(404);
      expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    });

    it('of somebody else, or of our own tokens, is not found', async () => {
      const [{ browser, id }, other] = [await newPerson(), await newPerson()];
      const foreign = await link(other.id);
      await link(id);
      const rows = await query<{ id: string }>(`SELECT id FROM identities WHERE user_id = $1 AND issuer <> $2`, [
        id,
        ISSUER,
      ]);
      for (const identity of [foreign, ...rows.map((row) => row.id), newId()]) {
        const answer = await send(browser, 'remove-identity', { identity_id: identity });
        expect(answer.status).toBe(404);
      }
      expect((await send(browser, 'remove-identity', { identity_id: 'x' })).status).toBe(400);
      expect((await waysOf(other.browser)).body).toHaveLength(1);
    });

    it('is not removed if it is the last way, however many are removed at the same time', async () => {
      const { browser, id } = await newPerson();
      const ids = [await link(id), await link(id), await link(id, unique('old'), 'https://gone.example')];
      await query(`DELETE FROM passwords WHERE user_id = $1`, [id]);
      const page = (await browser.get('/account')).text;
      const csrf = tokenOf(page, '/account/remove-identity');
      const answers = await Promise.all(
        ids.map((identity) => browser.post('/account/remove-identity', { csrf_token: csrf, identity_id: identity })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 303, 409]);
      expect((await waysOf(browser)).body).toHaveLength(1);
    });

    it('that was removed does not open the account any more', async () => {
      const { browser, id } = await newPerson();
      const subject = unique('linked');
      const identity = await link(id, subject);
      await send(browser, 'remove-identity', { identity_id: identity });
      const [former] = await query(`SELECT FROM deleted_identities WHERE digest = sha256(convert_to($1, 'UTF8'))`, [
        `${ISSUER}\n${subject}`,
      ]);
      expect(former).toBeDefined();
    });
  });

  describe('a session', () => {
    it('is ended by itself, also the one in use, and not that of somebody else', async () => {
      const { browser, email, id } = await newPerson();
      const [other, stranger] = [await signedIn(test, email), await newPerson()];
      const idOf = async (userId: string) =>
        (await query<{ id: string }>(`SELECT id FROM sessions WHERE user_id = $1 ORDER BY id`, [userId])).map(
          (row) => row.id,
        );
      const [mine = '', others = ''] = await idOf(id);
      const [foreign = ''] = await idOf(stranger.id);
      await send(browser, 'end-session', { session_id: foreign });
      expect(await isSignedIn(stranger.browser)).toBe(true);
      await send(browser, 'end-session', { session_id: others });
      expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
      expect((await send(browser, 'end-session', { session_id: 'x' })).status).toBe(400);
      expect((await send(browser, 'end-session', { session_id: mine })).headers.location).toBe('/');
      expect([await isSignedIn(browser), browser.session]).toEqual([false, undefined]);
    });

    it('ends with all others, here too', async () => {
      const { browser, email } = await newPerson();
      const other = await signedIn(test, email);
      await send(browser, 'sign-out-everywhere');
      expect([await isSignedIn(browser), await isSignedIn(other), browser.session]).toEqual([false, false, undefined]);
    });
  });

  describe('an invitation', () => {
    const invite = async (by: Api, orgId: string, email: string, role: 'MEMBER' | 'ADMIN' = 'MEMBER') =>
      (await by.post(`/v1/organisations/${orgId}/members`, { email, role })).body.id;
    const roleIn = async (orgId: string, userId: string) =>
      (
        await query<{ role: string }>(`SELECT role FROM memberships WHERE org_id = $1 AND user_id = $2`, [
          orgId,
          userId,
        ])
      )
        .map(({ role }) => role)
        .at(0);
    const statusOf = async (id: string) =>
      (await query<{ status: string }>(`SELECT status FROM invitations WHERE id = $1`, [id])).at(0)?.status;
    const consentOf = async (id: string) =>
      (await query<{ consent: string }>(`SELECT consent FROM scim_users WHERE id = $1`, [id])).at(0)?.consent;
    const offersOn = async (browser: PageBrowser) =>
      /<h2 id="invitations">[^]*?(?=<h2)/.exec((await browser.get('/account')).text)?.[0] ?? '';
    const home = async (browser: PageBrowser) => (await browser.get('/')).text;

    it('is shown, counted on the start page, and accepted', async () => {
      const [{ browser, email, id }, { orgId, owner }] = [await newPerson(), await createCast(test)];
      expect(await offersOn(browser)).toContain(`None for <bdi>${email}</bdi>`);
      expect(await home(browser)).not.toContain('/account#invitations');
      await query(`UPDATE organisations SET name = '<b>Acme</b>' WHERE id = $1`, [orgId]);
      const invitation = await invite(owner, orgId, email, 'ADMIN');
      const shown = await offersOn(browser);
      for (const text of ['&lt;b&gt;Acme&lt;/b&gt;', 'ADMIN', 'Accept', 'Decline']) expect(shown).toContain(text);
      expect(await home(browser)).toContain('<a href="/account#invitations">1 invitation waits for your answer</a>');
      const answer = await send(browser, 'accept-invitation', { invitation_id: invitation });
      expect([answer.status, answer.text.includes('You accepted the invitation to')]).toEqual([200, true]);
      expect([await roleIn(orgId, id), await statusOf(invitation)]).toEqual(['ADMIN', 'ACCEPTED']);
      expect(await offersOn(browser)).not.toContain('Acme');
      expect(await home(browser)).not.toContain('/account#invitations');
    });

    it('is declined, and then cannot be accepted', async () => {
      const [{ browser, email, id }, { orgId, owner }] = [await newPerson(), await createCast(test)];
      const invitation = await invite(owner, orgId, email);
      const csrf = tokenOf((await browser.get('/account')).text, '/account/accept-invitation');
      const declined = await send(browser, 'decline-invitation', { invitation_id: invitation });
      expect([declined.status, declined.text.includes('You declined the invitation to')]).toEqual([200, true]);
      const late = await browser.post('/account/accept-invitation', { csrf_token: csrf, invitation_id: invitation });
      expect([late.status, late.text.includes('This invitation was already declined.')]).toEqual([409, true]);
      expect([await roleIn(orgId, id), await statusOf(invitation)]).toEqual([undefined, 'DECLINED']);
    });

    it('that was revoked, or is for somebody else, is answered on the page and changes nothing', async () => {
      const [{ browser, email }, stranger] = [await newPerson(), await newPerson()];
      const { orgId, owner } = await createCast(test);
      const [mine, foreign] = [await invite(owner, orgId, email), await invite(owner, orgId, stranger.email)];
      const csrf = tokenOf((await browser.get('/account')).text, '/account/accept-invitation');
      const accept = (id: string) =>
        browser.post('/account/accept-invitation', { csrf_token: csrf, invitation_id: id });
      await owner.delete(`/v1/organisations/${orgId}/invitations/${mine}`);
      const revoked = await accept(mine);
      expect([revoked.status, revoked.text.includes('This invitation was revoked.')]).toEqual([409, true]);
      for (const id of [foreign, newId()]) {
        const answer = await accept(id);
        expect([answer.status, answer.text.includes('does not exist')]).toEqual([404, true]);
      }
      expect((await accept('x')).status).toBe(400);
      expect(await statusOf(foreign)).toBe('PENDING');
    });

    it('of a directory is accepted; after leaving, it is offered without being counted', async () => {
      const [{ browser, email, id }, directory] = [await newPerson(), await Directory.create(test)];
      const entry = await directory.createUser({ userName: email, displayName: 'As the directory says' });
      expect(await roleIn(directory.orgId, id)).toBeUndefined();
      expect(await offersOn(browser)).toContain('directory');
      expect(await home(browser)).toContain('1 invitation waits for your answer');
      await send(browser, 'accept-invitation', { invitation_id: entry.id });
      expect([await roleIn(directory.orgId, id), await consentOf(entry.id)]).toEqual(['MEMBER', 'ACCEPTED']);
      const csrf = { ...CONSOLE, Cookie: browser.cookie };
      await test.anonymous.delete(`/v1/organisations/${directory.orgId}/members/${id}`, 204, csrf);
      expect(await offersOn(browser)).toContain('Join again');
      expect(await home(browser)).not.toContain('/account#invitations');
      await send(browser, 'accept-invitation', { invitation_id: entry.id });
      expect(await roleIn(directory.orgId, id)).toBe('MEMBER');
    });

    it('of a directory is declined, which the next push respects', async () => {
      const [{ browser, email, id }, directory] = [await newPerson(), await Directory.create(test)];
      const entry = await directory.createUser({ userName: email });
      await send(browser, 'decline-invitation', { invitation_id: entry.id });
      expect([await roleIn(directory.orgId, id), await consentOf(entry.id)]).toEqual([undefined, 'OPTED_OUT']);
    });

    it('is one of several: all are counted, and those that expired are neither shown nor counted', async () => {
      const { browser, email } = await newPerson();
      for (const isExpired of [false, false, true]) {
        const { orgId, owner } = await createCast(test);
        const invitation = await invite(owner, orgId, email);
        if (isExpired)
          await query(`UPDATE invitations SET expires_at = now() - interval '1 minute' WHERE id = $1`, [invitation]);
      }
      expect(await home(browser)).toContain('2 invitations wait for your answer');
      expect((await offersOn(browser)).match(/action="\/account\/accept-invitation"/g)).toHaveLength(2);
    });
  });

  it('accepts no form that another site, another form or another session was shown', async () => {
    const [{ browser, id }, stranger] = [await newPerson(), await newPerson()];
    await link(id);
    const page = (await browser.get('/account')).text;
    const csrf = tokenOf(page, '/account/remove-password');
    expect((await browser.post('/account/remove-password', { other: '1' })).status).toBe(403);
    expect((await browser.post('/account/sign-out-everywhere', { csrf_token: csrf })).status).toBe(403);
    expect((await stranger.browser.post('/account/remove-password', { csrf_token: csrf })).status).toBe(403);
    const evil = { Origin: 'https://evil.example' };
    expect((await browser.post('/account/remove-password', { csrf_token: csrf }, evil)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('shows no access at all once the account was closed', async () => {
    const { browser, id } = await newPerson();
    await query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
    await query(`DELETE FROM sessions WHERE user_id = $1`, [id]);
    clock.advance(MINUTE_MS + 1);
    const answer = await browser.get('/account');
    expect([answer.status, browser.session]).toEqual([303, undefined]);
  });
});
