import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');

/** As GitHub makes them of headings: `## Names & numbers` is `#names--numbers`. */
function anchorsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^#+ +(.+)$/gm), ([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('Relative links of the documents', () => {
  const names = ['.', 'docs', 'findings']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive: folder !== '.' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.md'));

  it.each(names)('lead somewhere: %s', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const links = Array.from(text.matchAll(/\]\((?!\w+:|<)([^)\s]*)\)/g), ([, link = '']) => link);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(ROOT, name) : join(ROOT, dirname(name), path);
      if (!existsSync(target)) return true;
      return (
        anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
      );
    });
    expect(broken).toEqual([]);
  });
});
