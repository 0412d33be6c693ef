import fc from 'fast-check';
import { templateMatch } from './uri-template';

describe('An address matches a template', () => {
  it.each([
    ['file:///{path}', 'file:///a', 8],
    ['file:///{+path}', 'file:///a/b/c', 8],
    ['db://{table}/{row}', 'db://users/7', 6],
    ['db://{table}/rows', 'db://users/rows', 10],
    ['search://{?query,limit}', 'search://?query=x', 9],
    ['search://{?query,limit}', 'search://', 9],
    ['note://fixed', 'note://fixed', 12],
    ['{a}{b}', 'anything', 0],
  ])('%s: %s', (template, uri, weight) => {
    expect(templateMatch(template, uri)).toBe(weight);
  });

  it.each([
    ['file:///{path}', 'files:///a'],
    ['note://fixed', 'note://fixed/more'],
    ['db://{table}/rows', 'db://users'],
    ['a{x}a', 'a'],
    ['{x}', `a${'b'.repeat(9_000)}`],
  ])('%s does not match %s', (template, uri) => {
    expect(templateMatch(template, uri)).toBeUndefined();
  });

  it('that it was expanded from', () => {
    const literal = fc.stringMatching(/^[a-z:/?=.-]{0,6}$/);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(literal, fc.stringMatching(/^[a-z0-9]{1,5}$/)), { maxLength: 6 }),
        literal,
        (parts, end) => {
          const template = parts.map(([text], index) => `${text}{v${index}}`).join('') + end;
          const uri = parts.map(([text, value]) => `${text}${value}`).join('') + end;
          expect(templateMatch(template, uri)).toBeDefined();
        },
      ),
    );
  });

  it('in no time, whatever the template', () => {
    const began = performance.now();
    templateMatch(`${'{a}x'.repeat(500)}y`, 'x'.repeat(8_000));
    expect(performance.now() - began).toBeLessThan(250);
  });
});
