import { PlatformAdmins } from './platform-admins';

const ADMINS = new PlatformAdmins(['Root@Example.com', 'root-subject', 'jörg@bücher.example']);

describe('A platform administrator', () => {
  it.each([
    [{ subject: 'root-subject', email: undefined }, true],
    [{ subject: 'Root-Subject', email: undefined }, false],
    [{ subject: 'x', email: 'root@EXAMPLE.com' }, true],
    [{ subject: 'x', email: 'jo\u0308rg@xn--bcher-kva.example' }, true],
    [{ subject: 'root@example.com', email: undefined }, false],
    [{ subject: 'Root@Example.com', email: undefined }, false],
    [{ subject: 'x', email: 'root-subject' }, false],
    [{ subject: 'x', email: undefined }, false],
  ])('is recognised or not by the list: %j: %s', (proof, expected) => {
    expect(ADMINS.has({ ...proof, isAttested: false })).toBe(expected);
  });

  it('can be attested by our own issuer', () => {
    expect(new PlatformAdmins([]).has({ subject: 'x', email: undefined, isAttested: true })).toBe(true);
  });

  it.each([
    ['kim@example.com', '\u212Aim@example.com'],
    ['ivan@example.com', 'İvan@example.com'],
    ['root@example.com', 'root@example.com.evil.example'],
  ])('is not someone with a lookalike address: %s, %s', (listed, email) => {
    expect(new PlatformAdmins([listed]).has({ subject: 'x', email, isAttested: false })).toBe(false);
  });
});
