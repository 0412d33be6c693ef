import { NO_NAME, nameToShow } from './client-name';

describe('The name of a program', () => {
  it.each(['Claude Code', 'VS Code', 'Ünïcödé', '天気', 'שלום', 'नमस्ते', 'Tiếng Việt', 'Gantt-Yard', 'Tool for yards'])(
    'is shown as it is: %s',
    (name) => {
      expect(nameToShow(name)).toBe(name);
    },
  );

  it.each([
    ['invisible characters', 'Good\u200B\u200D\u2060 Name\uFEFF', 'Good Name'],
    ['marks of direction', '\u202Eedoc SV\u202C \u2067x\u2069\u061C', 'edoc SV x'],
    ['several kinds of blanks and lines', 'A\u00A0\u2003\nB\u2028C', 'A B C'],
    ['blanks that are letters or symbols', 'A\u3164\u115F\u2800\uFFA0B', 'AB'],
    ['variation selectors and tags', 'A\uFE0F\u{E0041}\u034FB', 'AB'],
    ['control characters', 'A\u0007\u0085B', 'AB'],
    ['piles of marks', `Z${'\u0301\u0323'.repeat(20)}b`, undefined],
    ['a mark at the beginning', '\u0301\u0301Name', 'Name'],
  ])('is shown without %s', (_, name, expected) => {
    const shown = nameToShow(name);
    if (expected !== undefined) expect(shown).toBe(expected);
    expect(shown).not.toMatch(/\p{M}{4}/u);
  });

  it.each([undefined, null, '', ' ', '\u3164', '\u200B\u200B', '\u2800', '\u202E', '\u0301'])(
    'is said not to be there if nothing can be seen: %j',
    (name) => {
      expect(nameToShow(name)).toBe(NO_NAME);
    },
  );

  it.each([
    'Toolyard',
    'TOOLYARD',
    'Tool yard',
    'T.o.o.l-Y_a_r_d',
    'TооlуаrԀ'.toLowerCase(),
    'Too1yard',
    'TooIyard',
    'Ｔｏｏｌｙａｒｄ',
    'Toolyárd Console',
    'Toolyard\u200B',
    'ᴛᴏᴏʟʏᴀʀᴅ',
    'Tøøłyard',
  ])('is shown as what a program says of itself if it looks like ours: %s', (name) => {
    expect(nameToShow(name)).toMatch(/^A program that calls itself “.+”$/);
  });
});
