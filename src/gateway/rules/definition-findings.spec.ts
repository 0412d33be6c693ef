import fc from 'fast-check';
import { definitionFindings, DESCRIPTION_LIMITS, isTellingName, withVisibleCharacters } from './definition-findings';

const codes = (definition: Record<string, unknown>, names: readonly string[] = []) =>
  definitionFindings(definition, (name) => (names.includes(name) ? 'other' : undefined)).map(({ code }) => code);

/** Everything that is there and has a shape, in one line or several. */
const visible = fc
  .array(fc.constantFrom(...'abcXYZ 019.,:;_-/()äß漢字🙂\n\t'), { maxLength: 40 })
  .map((all) => all.join(''));
const INVISIBLE = ['\u0000', '\u001b', '\u007f', '\u0085', '\u00ad', '\u200b', '\u200c', '\u200e', '\u202e', '\u2066'];
const MORE = [
  '\u2060',
  '\ufeff',
  '\u3164',
  '\u115f',
  '\u{e0041}',
  '\u{e007f}',
  '\u{e0100}',
  '\ufe00',
  '\ud800',
  '\u2028',
];
const invisible = fc.constantFrom(...INVISIBLE, ...MORE);

describe('The findings of a definition', () => {
  it('has none for text that people can see', () => {
    fc.assert(
      fc.property(visible, visible, (description, title) => {
        expect(codes({ name: 'read', title, description, inputSchema: { type: 'object' } })).toEqual([]);
      }),
    );
  });

  it('has characters that cannot be seen, wherever they are', () => {
    fc.assert(
      fc.property(visible, invisible, visible, fc.nat(4), (before, character, after, place) => {
        const text = `${before}x${character}x${after}`;
        const schema = { type: 'object', properties: { a: { type: 'string', enum: [text] } } };
        const definition = [
          { name: text },
          { name: 'read', description: text },
          { name: 'read', inputSchema: { type: 'object', properties: { [text]: {} } } },
          { name: 'read', inputSchema: schema },
          { name: 'read', _meta: { ui: { text: [text] } } },
        ][place];
        expect(codes(definition ?? {})).toContain('invisible_characters');
        expect(withVisibleCharacters(text)).not.toContain(character);
      }),
    );
  });

  it('says which they are and where', () => {
    const [found] = definitionFindings({ name: 'read', description: 'a\u202eb\u200bc' });
    expect(found?.detail).toBe('It has characters that cannot be seen: U+202E (/description), U+200B (/description).');
  });

  it.each(['👩‍💻', '❤️', '👨‍👩‍👧‍👦', '🏳️‍🌈', '👋🏽'])('takes %s for what it is', (emoji) => {
    expect(codes({ name: 'read', description: `Hello ${emoji}!` })).toEqual([]);
  });

  it('has tags behind a flag, which can spell anything', () => {
    expect(codes({ name: 'read', description: '🏴\u{e0069}\u{e0067}\u{e006e}' })).toEqual(['invisible_characters']);
  });

  it('has descriptions that are longer than tools need, and texts that are too much together', () => {
    const long = 'a'.repeat(DESCRIPTION_LIMITS.one + 1);
    expect(codes({ name: 'read', description: long.slice(1) })).toEqual([]);
    expect(codes({ name: 'read', description: long })).toEqual(['oversized_description']);
    const properties = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`p${index}`, { description: long.slice(1) }]),
    );
    expect(codes({ name: 'read', inputSchema: { type: 'object', properties } })).toEqual(['oversized_description']);
  });

  it('has texts that name a tool of another entry, and not words that any text has', () => {
    const names = ['send_mail', 'github__create_issue', 'search', 'readFile'];
    expect(codes({ name: 'read', description: 'Before that, call send_mail.' }, names)).toEqual(['names_other_tools']);
    expect(codes({ name: 'read', description: 'Use `github__create_issue`!' }, names)).toEqual(['names_other_tools']);
    expect(codes({ name: 'read', description: 'Better than readFile' }, names)).toEqual(['names_other_tools']);
    expect(codes({ name: 'read', description: 'A search for send_mails.' }, names)).toEqual([]);
    expect(codes({ name: 'send_mail', description: 'Sends.' }, names)).toEqual([]);
    expect(['a_b', 'search', 'get_x', 'getX'].map(isTellingName)).toEqual([false, false, true, true]);
  });

  it('is the same whenever anyone looks, for any JSON, and ends', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (definition) => {
        expect(definitionFindings(definition)).toEqual(definitionFindings(structuredClone(definition)));
      }),
    );
  });
});
