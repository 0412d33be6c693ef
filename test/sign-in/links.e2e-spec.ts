import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { PageBrowser } from '../support/page-browser';
import { idOf, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';

const HOUR_MS = 3_600_000;
const OTHER_PASSWORD = 'eleven quiet lanterns drift';
const chosen = (password = OTHER_PASSWORD) => ({ password, password_again: password });

describe('Links that administrators hand out', () => {
  let clock: FakeClock;
  let test: TestApp;
  let root: Api;
  const secrets: string[] = [];

  beforeAll(async () => {
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: { RUN: 'api', PLATFORM_ADMINS: 'root@example.com' } });
    // Longer than the links, as the clock is moved past their ends.
    root = new Api(test.url, test.document, await test.token('root', { ttl: 90 * 86_400 }));
    await idOf(root);
  });

  afterAll(async () => {
    const log = test.log.join('');
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    await test.close();
  });

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    test.dataSource.query<Row[]>(sql, parameters);
  const pathOf = (link: string): string => {
    const { pathname } = new URL(link);
    secrets.push(pathname.split('/').at(-1) ?? '');
    return pathname;
  };
  const invite = async (email = `${unique('guest')}@example.com`, name?: string) => {
    const { body } = await root.post('/v1/users/invitations', { email, name });
    return { path: pathOf(body.link), id: body.id, email };
  };
  const newLocal = async () => {
    const email = `${unique('local')}@example.com`;
    return { email, id: await createLocalAccount(test, email) };
  };
  const resetLink = async (userId: string) =>
    pathOf((await root.post(`/v1/users/${userId}/password-reset-link`, undefined, 200)).body.link);
  const me = (browser: PageBrowser) => browser.get('/v1/users/me', { Accept: 'application/json' });
  const signIn = async (email: string, password: string) =>
    (await new PageBrowser(test.url).submit('/sign-in', { email, password })).status;
  const deadPage = async () => (await new PageBrowser(test.url).get(`/invitations/${'x'.repeat(43)}`)).text;

  describe('an invitation', () => {
    it('lets the person choose name and password, and signs them in', async () => {
      const { path, email } = await invite(undefined, 'Guest <b>');
      const browser = new PageBrowser(test.url);
      const page = await browser.get(path);
      expect(page.status).toBe(200);
      expect(page.text).toContain(email);
      expect(page.text).toContain('value="Guest &lt;b&gt;"');
      expect(page.headers['referrer-policy']).toBe('no-referrer');
      expect(page.headers['cache-control']).toBe('no-store');
      const answer = await browser.submit(path, { name: ' Ada ', ...chosen() });
      expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
      expect((await me(browser)).body).toMatchObject({ email, name: 'Ada' });
      expect(await signIn(email, OTHER_PASSWORD)).toBe(303);
      const [user] = (await root.get(`/v1/users?search=${email}`)).body;
      expect(user).toMatchObject({ state: 'ACTIVE', sign_in: [{ kind: 'PASSWORD', issuer: null }] });
      expect(user?.last_signed_in_at).not.toBeNull();
    });

    it('claims the row that a directory made for the address', async () => {
      const [id, email] = [newId(), `${unique('Waiting')}@example.com`];
      await query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [id, email.toLowerCase()]);
      const { path } = await invite(email);
      const browser = new PageBrowser(test.url);
      await browser.submit(path, { name: 'Ada', ...chosen() });
      expect((await me(browser)).body).toMatchObject({ id, email });
    });

    it('works once, however many use it at the same time', async () => {
      const { path, email } = await invite();
      const browsers = [new PageBrowser(test.url), new PageBrowser(test.url), new PageBrowser(test.url)];
      // All see the form before the first one sends it.
      const forms = await Promise.all(browsers.map((browser) => browser.open(path)));
      const answers = await Promise.all(forms.map((send) => send({ name: 'Ada', ...chosen() })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404, 404]);
      expect(browsers.filter(({ session }) => session !== undefined)).toHaveLength(1);
      expect(await query(`SELECT id FROM users WHERE email = $1`, [email])).toHaveLength(1);
      expect((await new PageBrowser(test.url).get(path)).text).toBe(await deadPage());
    });

    it.each(['used', 'replaced', 'deleted', 'expired', 'unknown', 'malformed'])(
      'that is %s shows the same page as any other dead link',
      async (kind) => {
        const { path, id, email } = await invite();
        const actions: Record<string, () => Promise<unknown>> = {
          used: () => new PageBrowser(test.url).submit(path, { name: 'Ada', ...chosen() }),
          replaced: () => invite(email.toUpperCase()),
          deleted: () => root.delete(`/v1/users/invitations/${id}`),
          expired: () => Promise.resolve(clock.advance(7 * 24 * HOUR_MS)),
        };
        await actions[kind]?.();
        const paths: Record<string, string> = {
          unknown: `/invitations/${'A'.repeat(43)}`,
          malformed: '/invitations/x',
        };
        const page = await new PageBrowser(test.url).get(paths[kind] ?? path);
        expect([page.status, page.text]).toEqual([404, await deadPage()]);
      },
    );

    it('that was shown before it was replaced or expired no longer works', async () => {
      const { path, email } = await invite();
      const browser = new PageBrowser(test.url);
      const shown = (await browser.get(path)).text;
      await invite(email);
      const csrf = /name="csrf_token" value="([^"]+)"/.exec(shown)?.[1] ?? '';
      const answer = await browser.post(path, { csrf_token: csrf, name: 'Ada', ...chosen() });
      expect([answer.status, browser.session]).toEqual([404, undefined]);
    });

    it('says so if the address got an account in another way', async () => {
      const { path, email, id } = await invite();
      await createLocalAccount(test, email);
      const browser = new PageBrowser(test.url);
      const answer = await browser.submit(path, { name: 'Ada', ...chosen() });
      expect([answer.status, browser.session]).toEqual([409, undefined]);
      expect(await signIn(email, OTHER_PASSWORD)).toBe(422);
      expect((await root.get(`/v1/users/invitations/${id}`)).status).toBe(200);
    });

    it.each([
      [{ name: ' ' }, /Enter a name/],
      [{ name: 'x'.repeat(201) }, /at most 200/],
      [chosen('too short'), /at least 15/],
      [chosen('x'.repeat(129)), /at most 128/],
      [{ password_again: 'something else entirely' }, /not the same/],
    ])('says what is wrong with %j beside the field, and stays usable', async (fields, problem) => {
      const { path } = await invite();
      const browser = new PageBrowser(test.url);
      const refused = await browser.submit(path, { name: 'Ada', ...chosen(), ...fields });
      expect(refused.status).toBe(422);
      expect(refused.text).toMatch(problem);
      expect(refused.text).toContain('aria-invalid="true"');
      expect(refused.text).not.toContain(OTHER_PASSWORD);
      expect((await browser.submit(path, { name: 'Ada', ...chosen() })).status).toBe(303);
    });

    it('rejects forms of other sites, without a token, or with NUL', async () => {
      const { path } = await invite();
      const browser = new PageBrowser(test.url);
      const fields = { name: 'Ada', ...chosen() };
      expect((await browser.post(path, fields)).status).toBe(403);
      expect((await browser.submit(path, fields, { Origin: 'https://evil.example' })).status).toBe(403);
      expect((await browser.submit(path, fields, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
      expect((await browser.submit(path, { ...fields, name: 'A\0' })).status).toBe(400);
      expect((await browser.submit(path, { ...fields, name: 'x'.repeat(70_000) })).status).toBe(413);
      const stranger = new PageBrowser(test.url);
      const csrf = /name="csrf_token" value="([^"]+)"/.exec((await stranger.get(path)).text)?.[1] ?? '';
      expect((await browser.post(path, { csrf_token: csrf, ...fields })).status).toBe(403);
      expect((await browser.submit(path, fields)).status).toBe(303);
    });

    it('ends the session of the person who is signed in in the browser', async () => {
      const { email, id } = await newLocal();
      const browser = await signedIn(test, email);
      const { path } = await invite();
      expect((await browser.get(path)).text).toContain(`signed in as ${email}`);
      await browser.submit(path, { name: 'Ada', ...chosen() });
      expect(await query(`SELECT id FROM sessions WHERE user_id = $1`, [id])).toEqual([]);
    });
  });

  describe('a password reset link', () => {
    it('ends the wait after wrong passwords of strangers', async () => {
      const { email, id } = await newLocal();
      for (let n = 0; n < 6; n++) await signIn(email, 'wrong');
      expect(await signIn(email, 'wrong')).toBe(429);
      expect((await new PageBrowser(test.url).submit(await resetLink(id), chosen())).status).toBe(200);
      expect(await signIn(email, OTHER_PASSWORD)).toBe(303);
    });

    it('sets the password once, and signs out everywhere', async () => {
      const { email, id } = await newLocal();
      const browsers = [await signedIn(test, email), await signedIn(test, email)];
      const path = await resetLink(id);
      const browser = new PageBrowser(test.url);
      const answer = await browser.submit(path, chosen());
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('Your password was changed');
      expect(browser.session).toBeUndefined();
      for (const other of browsers) expect((await me(other)).status).toBe(401);
      expect(await signIn(email, PASSWORD)).toBe(422);
      expect(await signIn(email, OTHER_PASSWORD)).toBe(303);
      const again = await browser.get(path);
      expect([again.status, again.text]).toEqual([404, await deadPage()]);
    });

    it.each(['replaced', 'expired', 'of a closed account', 'of a deleted account'])(
      'that is %s shows the same page as any other dead link',
      async (kind) => {
        const { id } = await newLocal();
        const path = await resetLink(id);
        const actions: Record<string, () => Promise<unknown>> = {
          replaced: () => resetLink(id),
          expired: () => Promise.resolve(clock.advance(24 * HOUR_MS)),
          'of a closed account': async () => {
            await root.post(`/v1/users/${id}/close`, undefined, 200);
            await root.post(`/v1/users/${id}/reopen`, undefined, 200);
          },
          'of a deleted account': () => root.delete(`/v1/users/${id}`),
        };
        await actions[kind]?.();
        const page = await new PageBrowser(test.url).get(path);
        expect([page.status, page.text]).toEqual([404, await deadPage()]);
      },
    );

    it('works once, however many use it at the same time', async () => {
      const { id } = await newLocal();
      const path = await resetLink(id);
      const forms = await Promise.all([1, 2, 3].map(() => new PageBrowser(test.url).open(path)));
      const answers = await Promise.all(forms.map((send, index) => send(chosen(`${OTHER_PASSWORD} ${index}`))));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    });

    it('ends a session that began with the old password while it was used', async () => {
      const { email, id } = await newLocal();
      const path = await resetLink(id);
      // The sign-in sees when the password was chosen.
      clock.advance(1);
      const [reset, signedInStatus] = await holding(
        test.dataSource,
        `SELECT FROM users WHERE id = '${id}' FOR UPDATE`,
        async (release) => {
          const both = Promise.all([new PageBrowser(test.url).submit(path, chosen()), signIn(email, PASSWORD)]);
          await untilBlocked(test.dataSource, 2);
          await release();
          return both;
        },
      );
      expect(reset.status).toBe(200);
      expect([303, 422]).toContain(signedInStatus);
      expect(await query(`SELECT id FROM sessions WHERE user_id = $1`, [id])).toEqual([]);
    });
  });

  it('leave no secret in the log, however the path is written', async () => {
    const { path } = await invite();
    const secret = path.split('/').at(-1) ?? '';
    const paths = [
      path,
      `/${path}`,
      path.replace('i', '%69'),
      path.toUpperCase().replace(secret.toUpperCase(), secret),
    ];
    for (const each of [...paths, `${path}/more`, `${path}?a=b`, path.replace('/invitations/', '/invitations%2F')]) {
      await new PageBrowser(test.url).get(each);
    }
    expect(test.log.join('')).toContain('"route":"/invitations/{token}"');
    expect(test.log.join('')).not.toContain(secret);
  });
});
