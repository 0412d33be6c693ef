import fc from 'fast-check';
import { addressKey } from '../../src/users/address';
import { createDatabase, TestDatabase } from '../support/database';

/** Texts that PostgreSQL can store. */
const anyText = fc
  .string({ unit: 'binary', maxLength: 24 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));
const TRICKY = [
  ...'aAkKiIeEhHjJ.@-1üÜßẞΣσςÅéİı가中あﾊＡａ３ＡＡＡ　۵٥ابא',
  '\u212A',
  '\u212B',
  '\u037E',
  '\u1FEF',
  '\u0301',
  '\u0331',
  '\u0307',
  '\u0958',
  '\u{1F600}',
];
const tricky = fc.array(fc.constantFrom(...TRICKY), { maxLength: 14 }).map((parts) => parts.join(''));
const address = fc.oneof(
  tricky,
  anyText,
  fc.tuple(tricky, fc.oneof(tricky, anyText)).map((parts) => parts.join('@')),
);

/** RFC 8265, section 3.3, in JavaScript; one character at a time, so that a final sigma is not treated differently. */
function preparedName(name: string): string {
  const wide = /[\u3000\uFF01-\uFF60\uFFE0-\uFFE6\uFF61-\uFFDC\uFFE8-\uFFEE]/;
  return Array.from(name, (letter) => {
    if (/[\u212A\u037E\u1FEF]/.test(letter)) return '\uFFFD';
    const narrow = letter === '\uFFE3' ? '\u00AF' : wide.test(letter) ? letter.normalize('NFKC') : letter;
    return narrow.toLowerCase();
  })
    .join('')
    .normalize('NFC');
}

describe('The comparison key', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  async function keysOf(key: 'address_key' | 'username_key', texts: string[]): Promise<string[]> {
    const rows = await database.dataSource.query<{ key: string }[]>(
      `SELECT ${key}(given) AS key FROM unnest($1::text[]) WITH ORDINALITY AS list (given, place) ORDER BY place`,
      [texts],
    );
    return rows.map(({ key: found }) => found);
  }

  it('of an address is the same in the database and in memory', async () => {
    const texts = fc.array(address, { minLength: 50, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(texts, async (batch) =>
        expect(await keysOf('address_key', batch)).toEqual(batch.map((text) => addressKey(text))),
      ),
      { numRuns: 60 },
    );
  });

  it('of an invalid domain is the domain as written, in the database and in memory', async () => {
    const chinese = (length: number) =>
      Array.from({ length }, (_, n) => String.fromCodePoint(0x4e00 + n * 97)).join('');
    const domains = ['ü'.repeat(40), 'ü'.repeat(63), 'ü'.repeat(64), chinese(10), chinese(30), `${'ü.'.repeat(140)}x`];
    const addresses = domains.map((domain) => `A@${domain}.example`);
    const keys = await keysOf('address_key', addresses);
    expect(keys).toEqual(addresses.map((text) => addressKey(text)));
    expect(keys.map((key) => key.includes('xn--'))).toEqual([true, false, false, true, false, false]);
  });

  it('of a user name follows RFC 8265', async () => {
    const texts = fc.array(fc.oneof(tricky, anyText), { minLength: 50, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(texts, async (batch) => {
        const keys = await keysOf('username_key', batch);
        expect(keys).toEqual(batch.map(preparedName));
        expect(await keysOf('username_key', keys)).toEqual(keys);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['alice', 'ALICE'],
    ['alice', 'ＡＬＩＣＥ'],
    ['josé', 'jose\u0301'],
    ['ハンス', 'ﾊﾝｽ'],
    ['jürgen', 'JÜRGEN'],
    ['안녕', '안녕'.normalize('NFD')],
  ])('treats the user names %s and %s as equal', async (one, other) => {
    const [first, second] = await keysOf('username_key', [one, other]);
    expect(first).toBe(second);
  });

  it.each([
    ['ivan', 'İvan'],
    ['ivan', 'ıvan'],
    ['kim', '\u212Aim'],
    ['strasse', 'straße'],
    ['σας', 'σασ'],
  ])('treats the user names %s and %s as different', async (one, other) => {
    const [first, second] = await keysOf('username_key', [one, other]);
    expect(first).not.toBe(second);
  });

  it('works while a dump is restored, with an empty search_path', async () => {
    await database.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT set_config('search_path', '', true)`);
      const rows = await manager.query<object[]>(
        `SELECT public.address_key('Jörg@Bücher.example') AS address, public.username_key('ＪÖRG') AS name,
                public.scim_email_keys('{"emails": [{"value": "Ä@B"}]}') AS keys`,
      );
      expect(rows).toEqual([{ address: 'jörg@xn--bcher-kva.example', name: 'jörg', keys: ['Ä@b'] }]);
    });
  });
});
