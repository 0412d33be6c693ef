import fc from 'fast-check';
import { parse } from 'node:querystring';
import { misspelt, parseQueryString } from './query-string';

describe('The query of a URL', () => {
  it.each([
    ['a[]=1', { a: '1' }],
    ['a%5B%5D=1', { a: '1' }],
    ['a[0]=1', { a: '1' }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a=1&a[]=2&a[0]=3', { a: ['1', '2', '3'] }],
    ['a[]=1&a=2&b=3', { a: ['1', '2'], b: '3' }],
    ['a[]', { a: '' }],
    ['__proto__[]=1', JSON.parse('{"__proto__":"1"}') as object],
    ['a[12345]=1', { 'a[12345]': '1' }],
    ['a[b]=1&a[][]=2&[]=3&a[=4&]=5', { 'a[b]': '1', 'a[][]': '2', '[]': '3', 'a[': '4', ']': '5' }],
  ])('%s', (text, expected) => {
    expect({ ...parseQueryString(text) }).toEqual({ ...expected });
  });

  it('is what Node reads, if no name has brackets', () => {
    const name = fc.constantFrom('a', 'b', 'limit', '', 'ä');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (entries) => {
        const text = entries.map((entry) => entry.map(encodeURIComponent).join('=')).join('&');
        expect({ ...parseQueryString(text) }).toEqual({ ...parse(text) });
      }),
    );
  });

  it('is the same, however lists are written', () => {
    const spellings = fc.constantFrom('', '[]', '%5B%5D', '[0]', '[7]');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), spellings, fc.string())), (entries) => {
        const text = entries.map(([name, suffix, value]) => `${name}${suffix}=${encodeURIComponent(value)}`).join('&');
        const read = parseQueryString(text);
        for (const name of ['a', 'b']) {
          const values = entries.filter(([one]) => one === name).map(([, , value]) => value);
          expect([read[name] ?? []].flat().sort()).toEqual(values.sort());
        }
      }),
    );
  });
});

describe('Another spelling of a parameter', () => {
  const known = new Map([
    ['createdat', 'created_at'],
    ['startindex', 'startIndex'],
  ]);

  it.each([
    ['Created_At', 'created_at'],
    ['created_at[gt]', 'created_at'],
    ['CREATED_AT[gt]', 'created_at'],
    ['created_at[][]', 'created_at'],
    ['created_at[', 'created_at'],
    ['created_at]', 'created_at'],
    ['[created_at]', 'created_at'],
    ['startindex', 'startIndex'],
    ['start_index', 'startIndex'],
    ['createdAt', 'created_at'],
    ['created-at', 'created_at'],
    ['created_at.gt', 'created_at'],
    ['created_at:missing', 'created_at'],
    ['created', undefined],
    ['created_at_from', undefined],
    ['filter[created_at]', undefined],
    ['[]', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s', (name, expected) => {
    expect(misspelt(name, known)).toBe(expected);
  });
});
