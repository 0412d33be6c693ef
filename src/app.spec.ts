import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SOURCE = readFileSync(join(ROOT, 'src/app.ts'), 'utf8');
const PAGE = readFileSync(join(ROOT, 'docs/journeys/request.md'), 'utf8');

/** What the page calls an expression of `app.ts`. */
function nameOf(expression: string): string {
  const [, provider, method] = /^app\.get\((\w+)\)(\.\w+)?/.exec(expression) ?? [];
  if (provider !== undefined) return `${provider}${method ?? ''}`;
  const inner = /^\.\.\..*\[(\w+)\(/.exec(expression) ?? /^\(request.*=>\s*(\w+)\(/s.exec(expression);
  return inner?.[1] ?? /^(?:new )?([\w.]+)/.exec(expression)?.[1] ?? expression;
}

/** @returns the expressions that begin in a line of `app.ts` after `start`, at an indentation, until one ends before it */
function listed(start: string, indentation: number): string[] {
  const indent = ' '.repeat(indentation);
  const [, after = ''] = SOURCE.split(`${start}\n`);
  const text = after.slice(0, after.search(new RegExp(`^ {0,${indentation - 1}}\\S`, 'm')));
  return text
    .replace(/^ *\/\/.*\n/gm, '')
    .split(new RegExp(`^${indent}(?=\\S)`, 'm'))
    .filter((expression) => expression !== '' && !expression.startsWith('}'))
    .map(nameOf);
}

describe('docs/journeys/request.md', () => {
  it('lists the middlewares in their order', () => {
    const middlewares = listed('    inOrder(answer, [', 6);
    expect(PAGE.match(/(?<=^\d+\. `)[\w.]+/gm)?.slice(0, middlewares.length)).toEqual(middlewares);
    expect(middlewares.length).toBeGreaterThan(20);
  });

  it('lists the guards in their order', () => {
    const variables: Record<string, string> = { access: 'AccessGuard', limits: 'RequestLimits' };
    const guards = listed('  app.useGlobalGuards(', 4).map((name) => variables[name] ?? name);
    const shown = /^Sections 2 to 4 are Nest's guards: ([^]*?)\.\n\n/m.exec(PAGE)?.[1] ?? '';
    expect(shown.match(/(?<=`)[\w.]+(?=`)/g)).toEqual(guards);
    expect(guards.length).toBeGreaterThan(5);
  });
});
