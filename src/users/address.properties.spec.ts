import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { addressKey } from './address';

const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => value.isWellFormed());
/** Letters that compose, fold or look alike. */
const tricky = fc
  .array(
    fc.constantFrom(
      'K',
      'k',
      '\u212A',
      'İ',
      'i',
      'I',
      'ı',
      'E',
      'e',
      'É',
      '\u0301',
      '\u0331',
      '\u030C',
      'H',
      'J',
      'ß',
      'ẞ',
      'Σ',
      'ς',
      'Å',
      '\u212B',
      '.',
      '@',
      '-',
      'ü',
      'Ü',
      'Ａ',
      '。',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const address = fc.oneof(
  text,
  tricky,
  fc.tuple(tricky, tricky).map((parts) => parts.join('@')),
);

describe('The comparison key of an e-mail address', () => {
  it('is idempotent', () => {
    fc.assert(fc.property(address, (text) => expect(addressKey(addressKey(text))).toBe(addressKey(text))));
  });

  it('is the same for NFC and NFD, and for A–Z in capitals', () => {
    const letters = fc.array(fc.constantFrom(...'abcXYZéßİıΣς@.ñ가'), { maxLength: 15 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(letters, (text) => {
        const capitals = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
        for (const same of [text.normalize('NFD'), capitals, capitals.normalize('NFD')]) {
          expect(addressKey(same)).toBe(addressKey(text));
        }
      }),
    );
  });

  it('never turns non-ASCII into ASCII, except in the domain', () => {
    fc.assert(
      fc.property(address, (text) => {
        const at = text.lastIndexOf('@');
        const local = at === -1 ? text : text.slice(0, at);
        const isAscii = (part: string) => /^[\0-\x7F]*$/.test(part);
        expect(isAscii(addressKey(`${local}@x`))).toBe(isAscii(local));
      }),
    );
  });

  it('has the domain as A-labels, as Node’s domainToASCII gives them', () => {
    const label = fc
      .array(fc.constantFrom(...'abcdefüñéßλжあ中한'), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(label, (text) => {
        const domain = `${text}.example`;
        // Node rejects unassigned and forbidden combinations.
        fc.pre(domainToASCII(domain) !== '');
        expect(addressKey(`a@${domain}`)).toBe(`a@${domainToASCII(domain)}`);
      }),
    );
  });

  it.each([
    ['kim@example.com', '\u212Aim@example.com'],
    ['ivan@example.com', 'İvan@example.com'],
    ['ivan@example.com', 'ıvan@example.com'],
    ['strasse@example.com', 'straße@example.com'],
    ['alice@example.com', 'ａlice@example.com'],
    ['jörg@example.com', 'JÖRG@example.com'],
    ['a@kim.example', 'a@\u212Aim.example'],
    ['a@example.com', 'a@example。com'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(addressKey(one)).not.toBe(addressKey(other));
  });

  it.each([
    ['ALICE@EXAMPLE.COM', 'alice@example.com'],
    ['a@bücher.example', 'A@XN--BCHER-KVA.example'],
    ['jo\u0308rg@x', 'JÖRG@x'.replace('Ö', 'ö')],
  ])('is the same for %s and %s', (one, other) => {
    expect(addressKey(one)).toBe(addressKey(other));
  });
});
