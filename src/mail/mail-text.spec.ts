import fc from 'fast-check';
import { htmlOf, isMailable, momentInMail, nameInMail, textOf, wordsInMail } from './mail-text';

const NAME = 'an organisation';

describe('A name in a mail', () => {
  it.each([
    ['Acme', 'Acme'],
    [' Ada  Lovelace\r\nBcc: eve ', 'Ada Lovelace Bcc: eve'],
    ['St. Mary & Sons Ltd.', 'St. Mary & Sons Ltd.'],
    ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
    ['Žofie Dvořák', 'Žofie Dvořák'],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
    [null, NAME],
    ['\u200b\u202e', NAME],
    ['\u3164', NAME],
    ['\u2800', NAME],
    [`A${'\u0310'.repeat(59)}b`, `A${'\u0310'.repeat(3)}b`],
    ['Win a prize at evil.example', NAME],
    ['https://evil', NAME],
    ['www evil com', NAME],
    ['evil。example', NAME],
    ['eve@evil', NAME],
  ])('%j is shown as %j', (name, shown) => {
    expect(nameInMail(name, NAME)).toBe(shown);
  });

  it('never has a line break or an invisible character, and is never long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const shown = nameInMail(name, NAME);
        expect(shown).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});

describe('What someone wrote, in a mail,', () => {
  it.each([
    ['It is in “Delivery” now.\n\nSee you!', 'It is in “Delivery” now. See you!'],
    ['', undefined],
    ['\u200b\n', undefined],
    ['Go to evil.example', undefined],
    ['x'.repeat(3_000), `${'x'.repeat(1_999)}…`],
  ])('%j is shown as %j', (words, shown) => {
    expect(wordsInMail(words)).toBe(shown);
  });
});

describe('An address to write to', () => {
  it.each(['ada@example.com', 'a.b+c@example.com', 'žofie@bücher.example', "o'neil@example.com", 'root@localhost'])(
    'can be %s',
    (address) => expect(isMailable(address)).toBe(true),
  );

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'a@b@c',
    'a,b@example.com',
    'a>b@example.com',
    '<a@example.com',
    'a b@example.com',
    'a\r\nRCPT TO:<eve@example.com>@example.com',
    'a@example.com\n',
    'a@example.com>',
    'a@[127.0.0.1]',
    '"a"@example.com',
    '.a@example.com',
    'a..b@example.com',
    'a\u200b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(254)}`,
  ])('cannot be %j', (address) => expect(isMailable(address)).toBe(false));
});

describe('The body of a mail', () => {
  const body = ['Hello <b>Ada</b> & all,', { link: 'https://tools.example.com/x?a=1&b="2"' }];

  it('is text with a paragraph for each part', () => {
    expect(textOf(body)).toBe('Hello <b>Ada</b> & all,\n\nhttps://tools.example.com/x?a=1&b="2"\n');
  });

  it('is HTML in which nothing but the parts is markup', () => {
    const link = 'https://tools.example.com/x?a=1&amp;b=&quot;2&quot;';
    expect(htmlOf(body).replace(/\s*\n\s*/g, '')).toBe(
      `<!doctype html><html lang="en"><body><p>Hello &lt;b&gt;Ada&lt;/b&gt; &amp; all,</p><p><a href="${link}">${link}</a></p></body></html>`,
    );
  });

  it('has times that are the same everywhere', () => {
    expect(momentInMail(new Date('2026-11-02T00:05:09.000Z'))).toBe('2 November 2026 at 00:05 UTC');
  });
});
