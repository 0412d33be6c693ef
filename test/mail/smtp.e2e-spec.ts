import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import tls from 'node:tls';
import type { MailSettings } from '../../src/config/mail-settings';
import { newId } from '../../src/database/id';
import { type OutgoingMail, Smtp, SmtpError } from '../../src/mail/smtp';
import { TEST_CERTIFICATE } from '../support/certificates';
import { crowding } from '../support/eventually';
import { type Mood, SmtpServer } from '../support/smtp-server';

const SECRET = 'https://tools.example.com/invitations/s3cr3t';

describe('Handing a mail to the mail server', () => {
  let server: SmtpServer;

  beforeAll(async () => {
    server = await SmtpServer.start();
  });

  afterAll(() => server.close());

  beforeEach(() => {
    server.mood = {};
    server.commands.length = server.mails.length = 0;
  });

  const settings = (changes: Partial<MailSettings> = {}): MailSettings => ({
    host: '127.0.0.1',
    port: server.port,
    isTls: false,
    requiresStartTls: false,
    credentials: undefined,
    from: { name: 'Toolyard', address: 'toolyard@example.com' },
    ...changes,
  });
  const mail = (changes: Partial<OutgoingMail> = {}): OutgoingMail => ({
    id: newId(),
    to: 'ada@example.org',
    subject: 'An invitation',
    body: ['Hello.', { link: SECRET }],
    date: new Date('2026-11-22T21:00:00.000Z'),
    ...changes,
  });
  const errorOf = async (mood: Mood, changes: Partial<MailSettings> = {}, deadlineMs = 60_000) => {
    server.mood = mood;
    const error: unknown = await new Smtp(settings(changes), deadlineMs).send(mail()).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(SmtpError);
    const { message, isFinal } = error as SmtpError;
    return { message, isFinal };
  };

  it('sends text and HTML, with exactly these headers', async () => {
    const sent = mail();
    await new Smtp(settings()).send(sent);
    const [received, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(received).toMatchObject({
      from: 'toolyard@example.com',
      to: 'ada@example.org',
      text: `Hello.\n\n${SECRET}\n`,
    });
    expect(received?.source).toContain('text/html');
    const { 'content-type': type, ...headers } = received?.headers ?? {};
    expect(type).toMatch(/^multipart\/alternative; boundary="[^"]+"$/);
    expect(headers).toEqual({
      from: 'Toolyard <toolyard@example.com>',
      to: 'ada@example.org',
      subject: 'An invitation',
      date: 'Sun, 22 Nov 2026 21:00:00 +0000',
      'message-id': `<${sent.id}@example.com>`,
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'mime-version': '1.0',
    });
  });

  it.each([
    { subject: 'Join Acme\r\nBcc: eve@example.net' },
    { subject: 'Join Acme\r\n\r\nAnother body' },
    { subject: 'Join \u2028Bcc: eve@example.net' },
    { to: 'ada@example.org\r\nRCPT TO:<eve@example.net>' },
    { to: 'ada@example.org>\r\nRCPT TO:<eve@example.net' },
    { to: 'Eve <eve@example.net>, ada@example.org' },
    { to: 'eve@example.net, ada@example.org' },
    { body: ['.\r\nMAIL FROM:<eve@example.net>\r\nRCPT TO:<eve@example.net>', '.', '..'] },
  ])('has one recipient and no further header, whatever is in it: %j', async (changes) => {
    await new Smtp(settings()).send(mail(changes)).catch(() => undefined);
    expect(server.commands.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1);
    expect(server.commands.filter((line) => /^RCPT TO:<eve@example.net>/i.test(line))).toEqual([]);
    for (const { headers } of server.mails) {
      expect(Object.keys(headers)).not.toContain('bcc');
      expect(Object.keys(headers)).toHaveLength(9);
    }
  });

  it('keeps lines that begin with a full stop, and characters beyond ASCII', async () => {
    await new Smtp(settings()).send(mail({ subject: 'Einladung für Žofie', body: ['.', '..', 'für Žofie 🎉'] }));
    expect(server.mails[0]?.text).toBe('.\n\n..\n\nfür Žofie 🎉\n');
    expect(server.mails[0]?.headers.subject).toMatch(/^[\x20-\x7e]+$/);
  });

  it('writes to the domain as addresses are compared, and leaves the rest as it is', async () => {
    await new Smtp(settings()).send(mail({ to: 'Ada@Bücher.example' }));
    expect(server.mails[0]?.to).toBe('Ada@xn--bcher-kva.example');
  });

  it('authenticates', async () => {
    await new Smtp(settings({ credentials: { user: 'u', password: 'p' } })).send(mail());
    expect(server.commands).toContain(`AUTH PLAIN ${Buffer.from('\0u\0p').toString('base64')}`);
  });

  it.each<[string, Mood]>([
    ['does not offer STARTTLS', {}],
    ['has a certificate that nobody vouches for', { hasTls: true }],
  ])('tells nothing to a server elsewhere that %s', async (_, mood) => {
    const credentials = { user: 'u', password: 'p' };
    const { isFinal } = await errorOf(mood, { requiresStartTls: true, credentials });
    expect(isFinal).toBe(false);
    expect(server.commands.filter((line) => !/^(EHLO|STARTTLS|QUIT)/.test(line))).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  it('begins to speak after STARTTLS', async () => {
    server.mood = { hasTls: true };
    const { connect } = tls;
    const connects = jest
      .spyOn(tls, 'connect')
      .mockImplementation(((options: tls.ConnectionOptions, ready: () => void) =>
        connect({ ...options, ca: TEST_CERTIFICATE }, ready)) as typeof connect);
    try {
      const credentials = { user: 'u', password: 'p' };
      await new Smtp(settings({ requiresStartTls: true, credentials })).send(mail());
      expect(connects.mock.calls[0]?.[0]).toMatchObject({ rejectUnauthorized: true });
    } finally {
      connects.mockRestore();
    }
    expect(server.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true]);
    const commands = server.commands.map((line) => line.split(' ')[0]);
    expect(commands.filter((command) => command !== 'QUIT')).toEqual([
      'EHLO',
      'STARTTLS',
      'EHLO',
      'AUTH',
      'MAIL',
      'RCPT',
      'DATA',
    ]);
  });

  it.each<[Mood, string, boolean]>([
    [{ replies: { RCPT: `550 5.1.1 no ${SECRET}` } }, 'EENVELOPE 550 5.1.1 RCPT TO', true],
    [{ replies: { RCPT: '451 4.7.1 greylisted' } }, 'EENVELOPE 451 4.7.1 RCPT TO', false],
    [{ replies: { MAIL: '553 5.7.1 not yours' } }, 'EENVELOPE 553 5.7.1 MAIL FROM', false],
    [{ replies: { '.': `554 5.7.1 spam: ${SECRET}` } }, 'EMESSAGE 554 5.7.1 DATA', true],
    [{ replies: { CONNECT: '554 go away' } }, 'EPROTOCOL 554', false],
  ])('says what was wrong, without the words of the server: %j', async (mood, message, isFinal) => {
    expect(await errorOf(mood)).toEqual({ message, isFinal });
  });

  it('does not take a rejected password for the mail’s fault', async () => {
    const credentials = { user: 'u', password: 'p' };
    const { message, isFinal } = await errorOf({ replies: { AUTH: '535 5.7.8 no' } }, { credentials });
    expect([message, isFinal]).toEqual([expect.stringMatching(/^EAUTH 535 5\.7\.8/), false]);
  });

  it.each(['CONNECT', 'EHLO', 'RCPT', 'DATA'] as const)(
    'waits no longer than allowed if it hangs after %s',
    async (at) => {
      const began = performance.now();
      expect((await errorOf({ hangsAfter: at }, {}, 300)).isFinal).toBe(false);
      expect(performance.now() - began).toBeLessThan(3_000 * crowding());
    },
  );

  it('reports a server that is not there', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    expect((await errorOf({}, { port })).message).toMatch(/^(ESOCKET|ECONNECTION|ECONNREFUSED)/);
  });
});
