import { MailWorker } from '../../src/mail/mail-worker';
import { RowRetention } from '../../src/database/row-retention';
import { Api } from '../support/api';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { idOf, unique } from '../support/factories';
import { PageBrowser } from '../support/page-browser';
import { SmtpServer } from '../support/smtp-server';

const HOUR_MS = 3_600_000;

describe('A mail server', () => {
  let server: SmtpServer;
  let clock: FakeClock;
  let test: TestApp;
  let root: Api;
  const env = () => ({ PLATFORM_ADMINS: 'root@example.com', SMTP_URL: server.url, MAIL_FROM: 'toolyard@example.com' });

  beforeAll(async () => {
    server = await SmtpServer.start();
    clock = new FakeClock(new Date());
    test = await createTestApp({ clock, env: env() });
    root = new Api(test.url, test.document, await test.token('root', { ttl: 30 * 86_400 }));
    await idOf(root);
  });

  beforeEach(() => {
    server.mood = {};
  });

  afterAll(async () => {
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
  const invite = async () =>
    (await root.post('/v1/users/invitations', { email: `${unique('mailed')}@example.com` })).body;
  const inState = (id: string, status: string, attempts: number) =>
    eventually(
      () => rowsAbout(id),
      ([row]) => row?.status === status && row.attempt_count >= attempts && (row.last_error ?? '') !== '',
      10_000,
    );

  it('may be busy: the mail is tried again, later each time, and arrives once', async () => {
    server.mood = { replies: { RCPT: '451 4.7.1 later' } };
    const { email, id } = await invite();
    expect(await inState(id, 'PENDING', 1)).toMatchObject([{ last_error: 'EENVELOPE 451 4.7.1 RCPT TO' }]);
    await sendDue();
    expect(await rowsAbout(id)).toMatchObject([{ attempt_count: 1 }]);
    clock.advance(34_000);
    await sendDue();
    expect(await inState(id, 'PENDING', 2)).toMatchObject([{ attempt_count: 2 }]);
    server.mood = {};
    clock.advance(34_000);
    await sendDue();
    expect(server.mailsTo(email)).toEqual([]);
    clock.advance(34_000);
    await sendDue();
    await sendDue();
    expect(server.mailsTo(email)).toHaveLength(1);
    expect(await rowsAbout(id)).toMatchObject([{ status: 'SENT', attempt_count: 3, sealed: null }]);
  });

  it('may refuse the address for good: the mail is given up, and administrators see why', async () => {
    server.mood = { replies: { RCPT: '550 5.1.1 nobody here' } };
    const { id } = await invite();
    expect(await inState(id, 'FAILED', 1)).toMatchObject([{ sealed: null }]);
    const { body } = await root.get('/v1/mails?status=FAILED');
    expect(body.find((mail) => mail.about_id === id)).toMatchObject({
      last_error: 'EENVELOPE 550 5.1.1 RCPT TO',
      next_attempt_at: null,
    });
  });

  it('may be away for long: the mail is given up, however often', async () => {
    server.mood = { replies: { CONNECT: '421 away' } };
    const { id } = await invite();
    await inState(id, 'PENDING', 1);
    for (let n = 0; n < 25; n++) {
      clock.advance(1.2 * HOUR_MS);
      await sendDue();
    }
    const [row] = await rowsAbout(id);
    expect(row).toMatchObject({ status: 'FAILED', sealed: null });
    expect(row?.attempt_count).toBeLessThanOrEqual(20);
  });

  it('may hang: requests do not wait for it, and the rows are claimed by nobody else meanwhile', async () => {
    server.mood = { hangsAfter: 'CONNECT' };
    const { id, mailed } = await invite();
    expect(mailed).toBe(true);
    await eventually(
      () => rowsAbout(id),
      ([row]) => row?.attempt_count === 1,
      10_000,
    );
    const replica = await createTestApp({ clock, env: env(), database: test.database, dataDir: test.dataDir });
    await replica.app.get(MailWorker).run();
    expect(await rowsAbout(id)).toMatchObject([{ status: 'PENDING', attempt_count: 1 }]);
    server.hangUp();
    await sendDue();
    await replica.close();
    expect(await inState(id, 'PENDING', 1)).toMatchObject([
      { last_error: expect.stringMatching(/^E[A-Z]+/) as string },
    ]);
  });

  it('may be down at the start, which does not wait for it', async () => {
    const gone = await SmtpServer.start();
    const { url } = gone;
    await gone.close();
    const app = await createTestApp({ env: { SMTP_URL: url, MAIL_FROM: 'toolyard@example.com' } });
    expect((await new PageBrowser(app.url).get('/password-reset')).status).toBe(200);
    await app.close();
  });

  it('gets each mail once from two replicas', async () => {
    server.mood = { replies: { CONNECT: '421 away' } };
    const invitations = [];
    for (let n = 0; n < 12; n++) invitations.push(await invite());
    await sendDue();
    const replica = await createTestApp({ clock, env: env(), database: test.database, dataDir: test.dataDir });
    server.mood = {};
    clock.advance(2 * HOUR_MS);
    await Promise.all([sendDue(), replica.app.get(MailWorker).run()]);
    await replica.close();
    const received = invitations.map(({ email }) => server.mailsTo(email).length);
    expect(received).toEqual(invitations.map(() => 1));
  });
  it('empties rows that expired, also where nobody sends any more', async () => {
    server.mood = { replies: { RCPT: '451 later' } };
    const { id } = await invite();
    await eventually(
      () => rowsAbout(id),
      ([row]) => row?.last_error !== null,
      10_000,
    );
    await query(`UPDATE mails SET expires_at = $2 WHERE about_id = $1`, [id, new Date(clock.now().getTime() - 1)]);
    await test.app.get(RowRetention).run();
    expect(await rowsAbout(id)).toMatchObject([{ status: 'FAILED', sealed: null }]);
  });
});
