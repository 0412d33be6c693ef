import fc from 'fast-check';
import { Fault } from '../../errors/errors';
import { findTextFaults } from './text-faults';

function faultsOf(value: unknown): { within: boolean; places: string[] } {
  const faults: Fault[] = [];
  const within = findTextFaults(value, ['body'], faults);
  expect(faults.filter(({ type }) => type !== 'value_error')).toEqual([]);
  return { within, places: faults.map(({ loc }) => loc.join(' ')) };
}

/** Arrays in arrays. */
function nested(levels: number): unknown {
  return levels === 0 ? 'x' : [nested(levels - 1)];
}

describe('Text that the database cannot store', () => {
  it.each([
    ['a\0b', true],
    ['\0', true],
    ['\ud800', true],
    ['a\udc00', true],
    ['\udc00\ud800', true],
    ['\ud83d\ude00', false],
    ['', false],
    ['\u0001\uffff\ufffe', false],
  ])('is found in %j: %s', (text, expected) => {
    expect(faultsOf(text)).toEqual({ within: true, places: expected ? ['body'] : [] });
    expect(faultsOf({ a: [{ b: text }] }).places).toEqual(expected ? ['body a 0 b'] : []);
    expect(faultsOf({ a: { [text]: 1 } }).places).toEqual(expected ? ['body a'] : []);
  });

  it('is reported in the order of its places', () => {
    expect(faultsOf(JSON.parse('{"z":"\\u0000","a":["ok","\\ud800","\\u0000"],"__proto__":"\\u0000"}')).places).toEqual(
      ['body z', 'body a 1', 'body a 2', 'body __proto__'],
    );
  });

  it('is found in any JSON exactly if it is there', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
        // JSON.stringify escapes nothing else like this but lone surrogates.
        const isThere = /\\u0000|\\ud[89a-f]/.test(JSON.stringify(value).replaceAll('\\\\', ''));
        expect(faultsOf(value).places.length > 0).toBe(isThere);
      }),
    );
  });

  it('is not looked for in values that are nested too deeply', () => {
    expect(faultsOf(nested(64))).toEqual({ within: true, places: [] });
    expect(faultsOf(nested(65))).toEqual({ within: false, places: ['body'] });
    const bomb = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(faultsOf({ first: '\0', bomb })).toEqual({ within: false, places: ['body'] });
  });

  it('is not looked for in 10,000 values or more', () => {
    expect(faultsOf(Array(9_999).fill(0))).toEqual({ within: true, places: [] });
    expect(faultsOf(Array(10_000).fill(0))).toEqual({ within: false, places: ['body'] });
  });

  it('is reported at most a hundred times', () => {
    expect(faultsOf(Array(5_000).fill('\0')).places).toHaveLength(100);
  });
});
