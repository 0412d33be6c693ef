import fc from 'fast-check';
import { faultsOf } from '../../test/support/environment-faults';
import { Environment } from './environment';

const FROM = 'toolyard@example.com';

const settings = (url: string, from = FROM) => new Environment({ SMTP_URL: url, MAIL_FROM: from }).mail;

describe('SMTP_URL', () => {
  it('means no mail if it is not set', () => {
    expect(new Environment({}).mail).toBeUndefined();
  });

  it.each([
    ['smtp://mail.example.com', { port: 587, isTls: false, requiresStartTls: true }],
    ['smtp://mail.example.com:25/', { port: 25, isTls: false, requiresStartTls: true }],
    ['SMTPS://mail.example.com', { port: 465, isTls: true, requiresStartTls: false }],
    ['smtp://localhost:1025', { port: 1025, isTls: false, requiresStartTls: false }],
    ['smtp://127.0.0.1:1025', { port: 1025, isTls: false, requiresStartTls: false }],
    ['smtp://[::1]:1025', { host: '::1', isTls: false, requiresStartTls: false }],
    ['smtp://10.0.0.1', { isTls: false, requiresStartTls: true }],
    // Names that only look like this machine.
    ['smtp://localhost.example.com', { requiresStartTls: true }],
    ['smtp://127.0.0.1.example.com', { requiresStartTls: true }],
  ])('says how to reach the server: %s', (url, expected) => {
    expect(settings(url)).toMatchObject(expected);
  });

  it('has the credentials, whatever characters they are made of', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string({ minLength: 1, unit: 'grapheme' }),
        (user, password) => {
          const url = `smtps://${encodeURIComponent(user)}:${encodeURIComponent(password)}@mail.example.com`;
          expect(settings(url)?.credentials).toEqual({ user, password });
        },
      ),
    );
  });

  it.each([
    ['https://mail.example.com', 'is not a URL that starts with'],
    ['mail.example.com:587', 'is not a URL that starts with'],
    ['smtp://', 'is not a URL|has no host'],
    ['smtp://ma_il!.example.com', 'has no host name'],
    ['smtp://mail.example.com/path', 'has more than'],
    ['smtp://mail.example.com?tls=no', 'has more than'],
    ['smtp://user:pass#word@mail.example.com', 'has more than|has no host|is not a URL'],
    ['smtp://user@mail.example.com', 'has a user without a password'],
    ['smtp://us%er:pass@mail.example.com', 'has a "%"'],
    ['smtp://mail.example.com:99999', 'is not a URL'],
    ['smtp://mail.example.com:0', 'has port 0'],
  ])('stops the start with a message that does not repeat it: %s', (url, message) => {
    const [fault = '', ...others] = faultsOf({ SMTP_URL: url, MAIL_FROM: FROM });
    expect(others).toEqual([]);
    expect(fault).toMatch(new RegExp(`^SMTP_URL (${message})`));
    expect(fault).not.toContain('pass#word');
  });
});

describe('MAIL_FROM', () => {
  it.each([
    [FROM, { name: '', address: FROM }],
    [`<${FROM}>`, { name: '', address: FROM }],
    [`Toolyard <${FROM}>`, { name: 'Toolyard', address: FROM }],
    [`"Werkzeug, Hof" <${FROM}>`, { name: 'Werkzeug, Hof', address: FROM }],
  ])('is an address, with or without a name: %s', (text, expected) => {
    expect(settings('smtps://mail.example.com', text)?.from).toEqual(expected);
  });

  it.each(['toolyard', 'a@b@c', 'a b@example.com', 'x <y', `A\r\nBcc: z@example.com <${FROM}>`, 'ä@example.com'])(
    'stops the start otherwise: %j',
    (text) => {
      expect(faultsOf({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: text })).toEqual([
        expect.stringMatching(/^MAIL_FROM is not an e-mail address/),
      ]);
    },
  );

  it('is required with SMTP_URL, and pointless without', () => {
    expect(faultsOf({ SMTP_URL: 'smtps://mail.example.com' })).toEqual([
      expect.stringMatching(/^MAIL_FROM is required together with SMTP_URL/),
    ]);
    expect(faultsOf({ MAIL_FROM: FROM })).toEqual([expect.stringMatching(/^MAIL_FROM is set, but SMTP_URL is not/)]);
  });
});
