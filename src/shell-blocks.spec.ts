import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

const ROOT = join(__dirname, '..');

interface Block {
  /** `README.md:42` */
  place: string;
  text: string;
}

/** The blocks of a document that people paste into a shell. */
function shellBlocks(document: string, name: string): Block[] {
  return Array.from(document.matchAll(/^( *)```(?:sh|bash)\n([^]*?)^\1```$/gm), ({ index, 2: text = '' }) => ({
    place: `${name}:${document.slice(0, index).split('\n').length}`,
    text,
  }));
}

/** @returns the text without what is quoted, including the here-documents */
function unquoted(text: string): string {
  return text.replace(/<<'(\w+)'.*\n[^]*?\n\1$|'[^']*'|"(?:\\.|\$\([^)]*\)|[^"\\])*"|\\./gm, 'q');
}

/** What an interactive zsh does not read as bash does: comments, and patterns without a match. */
function strangeToZsh(text: string): string[] {
  return unquoted(text).match(/(?:^|[\s;])#.*|\S*[^\s$]?[?*[]\S*/gm) ?? [];
}

describe('What the documents have people paste', () => {
  const names = [
    ...readdirSync(ROOT),
    ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true }).map((name) => join('docs', name)),
  ].filter((name) => name.endsWith('.md'));
  const blocks = names.flatMap((name) => shellBlocks(readFileSync(join(ROOT, name), 'utf8'), name));

  it('is found', () => {
    const blocksOf = (name: string) => blocks.filter(({ place }) => place.startsWith(`${name}:`)).length;
    expect(blocksOf('README.md')).toBeGreaterThan(7);
    expect(blocksOf('docs/tour.md')).toBeGreaterThan(5);
  });

  it('works in zsh, whose prompt knows no comments, and refuses patterns that match nothing', () => {
    const strange = blocks.flatMap(({ place, text }) => strangeToZsh(text).map((words) => `${place} ${words.trim()}`));
    expect(strange).toEqual([]);
  });

  it.each([
    ['call $API/users   # everybody', 1],
    ['# As an administrator:\ncall', 1],
    ['call $API/users?limit=3', 1],
    ['rm *.log', 1],
    ['call "$API/users?limit=3#x"', 0],
    [`node -e 'a[0] ? 1 : 2' # x`, 1],
    ['echo ${WORD#prefix}$#', 0],
  ])('is judged by an example: %s', (text, count) => {
    expect(strangeToZsh(text)).toHaveLength(count);
  });

  it('may be anything inside quotes', () => {
    const quoted = fc.string({ unit: 'grapheme-ascii' }).map((text) => `'${text.replaceAll("'", '')}'`);
    fc.assert(fc.property(quoted, (text) => expect(strangeToZsh(`echo ${text}`)).toEqual([])));
  });
});
