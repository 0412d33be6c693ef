import fc from 'fast-check';
import { boundsFault } from './json-bounds';

/** Counts values by a recursive walk, as the definition says. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + valuesOf(child), 1);
}

const faultOf = (text: string, mostValues?: number) => boundsFault(Buffer.from(text), mostValues);

describe('The limits of a JSON text', () => {
  it('count values exactly like a walk through the parsed text, whatever its layout', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }),
        fc.constantFrom(undefined, 2, '\t'),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          const count = valuesOf(JSON.parse(text));
          expect(faultOf(text, count)).toBeUndefined();
          expect(faultOf(text, count - 1)).toBe(`Has more than ${count - 1} values.`);
        },
      ),
    );
  });

  it.each([
    ['{}', 1],
    [' [ ] ', 1],
    ['[{}]', 2],
    ['[[],{}]', 3],
    ['{"a":"\\",[{","b":[1,"]"]}', 5],
    ['{"a":1,"a":1}', 3],
    ['"x,y"', 1],
  ])('count %s as %i', (text, count) => {
    expect(faultOf(text, count)).toBeUndefined();
    expect(faultOf(text, count - 1)).toBeDefined();
  });

  it('allow 10,000 values by default', () => {
    expect(faultOf(`[${'0,'.repeat(9_998)}0]`)).toBeUndefined();
    expect(faultOf(`[${'0,'.repeat(9_999)}0]`)).toBe('Has more than 10000 values.');
    expect(faultOf(`[${'0,'.repeat(9_999)}0]`, 20_000)).toBeUndefined();
  });

  it('allow 64 levels', () => {
    expect(faultOf('['.repeat(64) + ']'.repeat(64))).toBeUndefined();
    expect(faultOf('{"a":'.repeat(65) + '1' + '}'.repeat(65))).toBe('Nested more than 64 levels deep.');
    expect(faultOf('[],'.repeat(100))).toBeUndefined();
  });

  it('allow 1,024 bytes for a field name, and any length for other strings', () => {
    const long = 'x'.repeat(1_025);
    expect(faultOf(`{"${long.slice(1)}":1}`)).toBeUndefined();
    expect(faultOf(`{"a":{"${long}"\n :1}}`)).toBe('Has a field whose name is longer than 1024 bytes.');
    expect(faultOf(`{"a":"${long}","b":["${long}"]}`)).toBeUndefined();
  });

  it('can be checked for any bytes, including invalid JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => boundsFault(bytes)).not.toThrow();
      }),
    );
    for (const text of ['', '"', '"\\', '{"', ']]]]', '{"a"']) expect(faultOf(text)).toBeUndefined();
  });
});
