import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { DataSource } from 'typeorm';
import { MailWorker } from '../../src/mail/mail-worker';
import { RowRetention } from '../../src/database/row-retention';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { Authenticator } from '../support/authenticator';
import { consoleSession } from '../support/console-session';
import { eventually } from '../support/eventually';
import { createCast, idOf, unique } from '../support/factories';
import { createPerson } from '../support/invitations';
import { createLocalAccount, PASSWORD, signedIn } from '../support/local-accounts';
import { hiddenFields, PageBrowser } from '../support/page-browser';
import { type ReceivedMail, SmtpServer } from '../support/smtp-server';

const MINUTE_MS = 60_000;
const OTHER_PASSWORD = 'eleven quiet lanterns drift';
const WITHDRAWN = { status: 'FAILED', sealed: null, last_error: 'withdrawn' };
const SECRET = /\/(?:invitations|password-reset)\/([\w-]{43})/;

describe('Mail', () => {
  let server: SmtpServer;
  let clock: FakeClock;
  let test: TestApp;
  let root: Api;
  const env = () => ({ PLATFORM_ADMINS: 'root@example.com', SMTP_URL: server.url, MAIL_FROM: 'toolyard@example.com' });

  beforeAll(async () => {
    server = await SmtpServer.start();
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: env() });
    root = new Api(test.url, test.document, await test.token('root', { name: 'Grace Hopper', ttl: 30 * 86_400 }));
    await idOf(root);
  });

  beforeEach(() => {
    server.mood = {};
  });

  afterAll(async () => {
    const log = test.log.join('');
    const secrets = server.mails.flatMap(({ text }) => SECRET.exec(text)?.[1] ?? []);
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    await test.close();
    await server.close();
  });

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    test.dataSource.query<Row[]>(sql, parameters);
  const sendDue = () => test.app.get(MailWorker).run();
  const rowsAbout = (id: string) =>
    query<{ status: string; sealed: Buffer | null; attempt_count: number; last_error: string | null }>(
      `SELECT status, sealed, attempt_count, last_error FROM mails WHERE about_id = $1 ORDER BY id`,
      [id],
    );
  /** Waits for as many mails to an address. */
  const mailsTo = (address: string, count = 1) =>
    eventually(
      () => server.mailsTo(address),
      (mails) => mails.length >= count,
      10_000,
    );
  const mailTo = async (address: string): Promise<ReceivedMail> => (await mailsTo(address)).at(-1) as ReceivedMail;
  const pathIn = ({ text }: ReceivedMail): string => SECRET.exec(text)?.[0] ?? '';
  const newAddress = () => `${unique('mailed')}@example.com`;
  const newLocal = async () => {
    const email = newAddress();
    return { email, id: await createLocalAccount(test, email) };
  };
  const invite = async (email = newAddress()) => ({
    ...(await root.post('/v1/users/invitations', { email })).body,
  });
  const forget = (email: string) => new PageBrowser(test.url).submit('/password-reset', { email });
  const chosen = { password: OTHER_PASSWORD, password_again: OTHER_PASSWORD };
  const signIn = async (email: string, password: string) =>
    (await new PageBrowser(test.url).submit('/sign-in', { email, password })).status;

  describe('an invitation to have an account', () => {
    it('is mailed: who invites, a link that works, what to do if it was not expected', async () => {
      const { email, link, mailed, id } = await invite();
      expect(mailed).toBe(true);
      const mail = await mailTo(email);
      expect(mail.from).toBe('toolyard@example.com');
      expect(mail.text).toContain('Grace Hopper (root@example.com), an administrator, invites you');
      expect(mail.text).toContain(link);
      expect(mail.text).toContain('If you did not expect this');
      expect(mail.source).toContain('text/html');
      const answer = await new PageBrowser(test.url).submit(pathIn(mail), { name: 'Ada', ...chosen });
      expect([answer.status, answer.headers.location]).toEqual([303, '/account']);
      const sent = await eventually(
        () => rowsAbout(id),
        ([row]) => row?.status === 'SENT',
        10_000,
      );
      expect(sent).toEqual([{ status: 'SENT', sealed: null, attempt_count: 1, last_error: null }]);
    });

    it('is listed for administrators, without recipient and text', async () => {
      const { email, id } = await invite();
      await mailTo(email);
      await eventually(
        () => rowsAbout(id),
        ([row]) => row?.status === 'SENT',
        10_000,
      );
      const { body } = await root.get('/v1/mails?status=SENT&limit=100');
      const shown = body.find((mail) => mail.about_id === id);
      expect(shown).toMatchObject({ kind: 'ACCOUNT_INVITATION', status: 'SENT', attempt_count: 1, last_error: null });
      expect(JSON.stringify(body)).not.toContain(email);
    });

    it.each(['a,b@example.com', 'x>@example.com', '"q"@example.com'])(
      'is made, and not mailed, for an address to which no mail goes: %s',
      async (address) => {
        const { mailed, id } = await invite(address);
        expect([mailed, await rowsAbout(id)]).toEqual([false, []]);
      },
    );

    it('is mailed at most ten times a day to one address', async () => {
      const email = newAddress();
      const mailed: boolean[] = [];
      for (let n = 0; n < 11; n++) mailed.push((await invite(n % 2 ? email : email.toUpperCase())).mailed);
      expect(mailed).toEqual([...Array.from({ length: 10 }, () => true), false]);
    });
  });

  describe('an invitation to an organisation', () => {
    it('shows what the invited person may see, and is the same for everybody', async () => {
      const { orgId, admin } = await createCast(test);
      await query(`UPDATE organisations SET name = 'Win at evil.example', slug = 'win-slug' WHERE id = $1`, [orgId]);
      const [known, unknown] = [(await createPerson(test)).email, newAddress()];
      const answers = [];
      for (const email of [known, unknown])
        answers.push((await admin.post(`/v1/organisations/${orgId}/members`, { email, role: 'MEMBER' })).body);
      expect(Object.keys(answers[0] ?? {})).toEqual(Object.keys(answers[1] ?? {}));
      const [first, second] = [await mailTo(known), await mailTo(unknown)];
      expect(first.text.replaceAll(known, unknown)).toBe(second.text);
      expect(first.headers.subject).toBe('Invitation to win-slug');
      expect(first.text).toContain('as MEMBER');
      // The page that shows it with Accept and Decline; who is not signed in signs in on the way there.
      expect(first.text).toContain(`${PUBLIC_URL}/account\n`);
      expect(first.source).not.toContain('evil');
      expect(first.source).not.toContain('admin-of');
    });

    it('is withdrawn with it', async () => {
      server.mood = { replies: { RCPT: '451 later' } };
      const { orgId, admin } = await createCast(test);
      const { id } = (await admin.post(`/v1/organisations/${orgId}/members`, { email: newAddress(), role: 'MEMBER' }))
        .body;
      await admin.delete(`/v1/organisations/${orgId}/invitations/${id}`);
      expect(await rowsAbout(id)).toMatchObject([WITHDRAWN]);
    });
  });

  describe('a new password', () => {
    it('can be set by the link of an administrator, which is mailed, and the person is told', async () => {
      const { email, id } = await newLocal();
      const { link, mailed } = (await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200)).body;
      const mail = await mailTo(email);
      expect([mailed, mail.text.includes(link)]).toEqual([true, true]);
      expect(mail.text).toContain('Grace Hopper (root@example.com)');
      await new PageBrowser(test.url).submit(pathIn(mail), chosen);
      const [, notice] = await mailsTo(email, 2);
      expect(notice?.headers.subject).toBe('Your password was changed by a link');
      expect(await signIn(email, OTHER_PASSWORD)).toBe(303);
    });

    it('can be asked for on the page for signing in, by people who have one', async () => {
      const { email } = await newLocal();
      expect((await new PageBrowser(test.url).get('/sign-in')).text).toContain('href="/password-reset"');
      await forget(email.toUpperCase());
      const mail = await mailTo(email);
      expect(mail.text).toContain('If you did not ask for this');
      const browser = new PageBrowser(test.url);
      expect((await browser.submit(pathIn(mail), chosen)).status).toBe(200);
      expect([await signIn(email, PASSWORD), await signIn(email, OTHER_PASSWORD)]).toEqual([422, 303]);
      expect((await browser.get(pathIn(mail))).status).toBe(404);
      const [, notice] = await mailsTo(email, 2);
      expect(notice?.headers.subject).toBe('Your password was changed by a link');
    });

    it('has a link for 30 minutes', async () => {
      const { email } = await newLocal();
      await forget(email);
      const mail = await mailTo(email);
      clock.advance(30 * MINUTE_MS - 1_000);
      expect((await new PageBrowser(test.url).get(pathIn(mail))).status).toBe(200);
      clock.advance(2_000);
      expect((await new PageBrowser(test.url).get(pathIn(mail))).status).toBe(404);
      await test.app.get(RowRetention).run();
      expect(await query(`SELECT FROM requested_password_resets WHERE expires_at <= $1`, [clock.now()])).toEqual([]);
    });

    it('is mailed to the person also where strangers have asked for as many links as they get', async () => {
      const { email } = await newLocal();
      const counted = async () =>
        Number(
          (await query<{ count: string }>(`SELECT count(*) FROM mails WHERE kind = 'PASSWORD_FORGOTTEN'`))[0]?.count,
        );
      const before = await counted();
      for (let n = 0; n < 9; n++) {
        await forget(email);
        clock.advance(MINUTE_MS);
      }
      expect((await counted()) - before).toBe(7);
      const browser = new PageBrowser(test.url);
      expect((await browser.submit('/sign-in', { email, password: PASSWORD })).status).toBe(303);
      await browser.submit('/password-reset', { email });
      expect((await counted()) - before).toBe(8);
    });

    it('leaves the link of an administrator alone when a stranger asks for one', async () => {
      const { email, id } = await newLocal();
      const { link } = (await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200)).body;
      await mailsTo(email);
      await forget(email);
      const [, asked] = await mailsTo(email, 2);
      expect(pathIn(asked as ReceivedMail)).not.toBe(new URL(link).pathname);
      expect((await new PageBrowser(test.url).submit(new URL(link).pathname, chosen)).status).toBe(200);
      expect((await new PageBrowser(test.url).get(pathIn(asked as ReceivedMail))).status).toBe(404);
    });

    it('is answered in the same way for every address, and goes to open accounts with a password only', async () => {
      const local = await newLocal();
      const closed = await newLocal();
      await root.post(`/v1/users/${closed.id}/close`, {}, 200);
      const withoutPassword = await createPerson(test);
      const waiting = newAddress();
      await query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [newId(), waiting]);
      const addresses = [local.email, closed.email, withoutPassword.email, waiting, newAddress()];
      const before = await query<{ count: string }>(`SELECT count(*) FROM requested_password_resets`);
      const answers: unknown[] = [];
      for (const address of addresses) {
        const { status, text, headers } = await forget(address);
        const names = Object.keys(headers).sort();
        answers.push({ status, text, names, length: headers['content-length'] as string });
      }
      expect(answers).toEqual(addresses.map(() => answers[0]));
      await mailTo(local.email);
      await eventually(
        () => query(`SELECT FROM mails WHERE kind = 'PASSWORD_FORGOTTEN' AND status = 'PENDING'`),
        (pending) => pending.length === 0,
        10_000,
      );
      expect(addresses.map((address) => server.mailsTo(address).length)).toEqual([1, 0, 0, 0, 0]);
      const after = await query<{ count: string }>(`SELECT count(*) FROM requested_password_resets`);
      expect(Number(after[0]?.count)).toBe(Number(before[0]?.count) + 1);
    });

    it('runs the same statements for every address', async () => {
      // Without a worker, whose statements are not part of the answer.
      const replica = await createTestApp({
        clock,
        env: { ...env(), RUN: 'api' },
        database: test.database,
        dataDir: test.dataDir,
      });
      const { logger } = replica.app.get(DataSource);
      const statements = async (email: string) => {
        const browser = new PageBrowser(replica.url);
        const fields = hiddenFields((await browser.get('/password-reset')).text);
        const run: string[] = [];
        const spy = jest.spyOn(logger, 'logQuery').mockImplementation((sql: string) => void run.push(sql));
        await browser.post('/password-reset', { ...fields, email });
        spy.mockRestore();
        return run;
      };
      const { email } = await newLocal();
      const known = await statements(email);
      expect(known.some((sql) => sql.includes('INSERT INTO mails'))).toBe(true);
      expect(await statements(newAddress())).toEqual(known);
      await replica.close();
    });

    it('is asked for a few times, then one has to wait; signing in has its own count', async () => {
      const { email } = await newLocal();
      const statuses = [];
      for (let n = 0; n < 7; n++) statuses.push((await forget(email)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
      expect(await signIn(email, PASSWORD)).toBe(303);
      clock.advance(11 * MINUTE_MS);
    });

    it('is not asked for without the token of the form, nor for what is no address', async () => {
      const browser = new PageBrowser(test.url);
      expect((await browser.post('/password-reset', { email: newAddress() })).status).toBe(403);
      for (const email of ['', 'ada', 'a@b\r\nBcc: eve@example.net', 'a,b@example.com'])
        expect([email, (await forget(email)).status]).toEqual([email, 422]);
    });
  });

  describe('a notice', () => {
    it.each(['password', 'passkey'])('is mailed to the account when its %s changes', async (what) => {
      const { email, id } = await newLocal();
      const headers = await consoleSession(test, id);
      const subjects = async (count: number) =>
        (await mailsTo(email, count)).map((mail) => mail.headers.subject).sort();
      if (what === 'password') {
        const browser = await signedIn(test, email);
        const page = (await browser.get('/account')).text;
        const form = /<form[^>]*action="\/account\/password"[^]*?<\/form>/.exec(page)?.[0] ?? '';
        await browser.post('/account/password', { ...hiddenFields(form), current_password: PASSWORD, ...chosen });
        expect(await subjects(1)).toEqual(['Your password was set or changed']);
      } else {
        const options = await test.anonymous.post('/v1/users/me/passkeys/options', undefined, 200, headers);
        const asked = options.body.public_key as unknown as PublicKeyCredentialCreationOptionsJSON;
        const response = { ...new Authenticator(PUBLIC_URL).register(asked) };
        const added = await test.anonymous.post('/v1/users/me/passkeys', { name: 'Key', response }, 201, headers);
        await test.anonymous.delete(`/v1/users/me/passkeys/${added.body.id}`, 204, headers);
        expect(await subjects(2)).toEqual([
          'A passkey of your account was removed',
          'A passkey was added to your account',
        ]);
      }
      expect((await mailTo(email)).text).toContain('If it was not you');
    });

    it('is forgotten with the account', async () => {
      server.mood = { replies: { RCPT: '451 later' } };
      const { email, id } = await newLocal();
      await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200);
      expect(await rowsAbout(id)).toHaveLength(1);
      await root.delete(`/v1/users/${id}`);
      expect(await rowsAbout(id)).toMatchObject([WITHDRAWN]);
      expect(server.mailsTo(email)).toEqual([]);
    });
  });

  it('leaves nothing in the database that grants access or names a recipient, waiting or sent', async () => {
    server.mood = { replies: { RCPT: '451 later' } };
    const { email, link } = await invite();
    const local = await newLocal();
    const { link: reset } = (await root.post(`/v1/users/${local.id}/password-reset-link`, undefined, 200)).body;
    await forget(local.email);
    await sendDue();
    const tables = ['mails', 'requested_password_resets', 'password_resets', 'account_invitations'];
    const dump = (await Promise.all(tables.map((table) => query(`SELECT t::text FROM ${table} AS t`)))).flat();
    expect(dump.length).toBeGreaterThan(3);
    const bytes = await query<{ sealed: Buffer }>(`SELECT sealed FROM mails WHERE sealed IS NOT NULL`);
    expect(bytes.length).toBeGreaterThan(1);
    const text = JSON.stringify(dump) + bytes.map(({ sealed }) => sealed.toString('latin1')).join('\n');
    for (const secret of [link, reset].map((url) => url.split('/').at(-1) ?? '')) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(bytes.map(({ sealed }) => sealed.toString('latin1')).join('\n')).not.toContain(email);
  });
});

describe('Without SMTP_URL', () => {
  it('nothing is mailed, and nothing says so', async () => {
    const test = await createTestApp({ env: { PLATFORM_ADMINS: 'root@example.com' } });
    const root = await test.as('root');
    const { mailed, link } = (await root.post('/v1/users/invitations', { email: 'ada@example.com' })).body;
    expect([mailed, SECRET.test(link)]).toEqual([false, true]);
    const page = await new PageBrowser(test.url).get('/sign-in');
    expect(page.text).not.toMatch(/password-reset|\bmail(ed|box)?\b(?! address)/i);
    for (const answer of [
      await new PageBrowser(test.url).get('/password-reset'),
      await new PageBrowser(test.url).post('/password-reset', { email: 'ada@example.com' }),
    ])
      expect(answer.status).toBe(404);
    expect((await root.get('/v1/mails')).body).toEqual([]);
    expect(await test.dataSource.query(`SELECT FROM mails`)).toEqual([]);
    await test.close();
  });
});
