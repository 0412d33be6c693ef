import fc from 'fast-check';
import { jsonPlaces } from './json-places';

const TEXT = `{
  "name": "io.a/map",
  "packages": [
    { "identifier": 5, "a/b": null }
  ]
}`;

describe('jsonPlaces', () => {
  const at = (pointer: string) => {
    const { places, brokenAt } = jsonPlaces(TEXT, [pointer]);
    const place = places.get(pointer);
    expect(brokenAt).toBeUndefined();
    return [place?.line, place?.column, TEXT.slice(place?.from, place?.to)];
  };

  it('finds members, items and the whole', () => {
    expect(at('/name')).toEqual([2, 3, '"name": "io.a/map"']);
    expect(at('/packages/0')).toEqual([4, 5, '{ "identifier": 5, "a/b": null }']);
    expect(at('/packages/0/identifier')).toEqual([4, 7, '"identifier": 5']);
    expect(at('/packages/0/a~1b')).toEqual([4, 24, '"a/b": null']);
    expect(at('')).toEqual([1, 1, TEXT]);
  });

  it('finds what is nearest to a pointer that leads nowhere', () => {
    expect(at('/packages/0/version')).toEqual(at('/packages/0'));
    expect(at('/packages/7/identifier').slice(0, 2)).toEqual([3, 3]);
    expect(at('/nothing')).toEqual(at(''));
  });

  it.each([
    ['{"a": 1,}', 8],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{"a": tru}', 6],
    ['{"a": "x\ny"}', 6],
    ['{', 1],
    ['', 0],
    ['1 1', 2],
    ['[}', 1],
  ])('says where a text stops being JSON: %s', (text, offset) => {
    expect(jsonPlaces(text, []).brokenAt?.from).toBe(offset);
  });

  it('accepts what JSON.parse accepts, and nothing else', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', ' ', 'null') }),
    );
    fc.assert(
      fc.property(text, (json) => {
        expect(jsonPlaces(json, []).brokenAt === undefined).toBe(isJson(json));
      }),
    );
  });

  it('needs no stack for a deep text', () => {
    const deep = '['.repeat(60_000) + ']'.repeat(60_000);
    expect(jsonPlaces(deep, ['/0/0']).places.get('/0/0')).toMatchObject({ from: 2, to: 119_998 });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
