import fc from 'fast-check';
import { JsonScanner, type ScanPlan, type ValueSpan } from './json-scanner';
import { cases } from '../../../test/support/random-cases';

/**
 * Texts on which readers of JSON disagree, or that a scanner of bytes gets wrong first: numbers, escapes, control characters,
 * white space that JSON does not know, and ends in the middle. None is from elsewhere.
 */
const CORPUS: readonly string[] = [
  ...['', ' ', '\n', '\ufeff', '\ufeff{}', '\u00a01', '1\u00a0', '\u20281', '\v1', '\f1', '/**/1', '1//', '#1'],
  ...[
    '0',
    '-0',
    '00',
    '01',
    '-',
    '+1',
    '.1',
    '1.',
    '1.0',
    '-1.50',
    '1e',
    '1e+',
    '1E+05',
    '1e-0',
    '0e0',
    '1ee1',
    '0x1',
    '1_0',
  ],
  ...[
    '9007199254740993',
    '1e999',
    '-1e999',
    '1.7976931348623159e308',
    'NaN',
    'Infinity',
    '-Infinity',
    '1 2',
    '1,',
    '--1',
  ],
  ...['true', 'tru', 'truee', 'True', 'null', 'nul', 'nulls', 'false', 'fals', 'undefined', 't', 'n', 'f'],
  ...[
    '""',
    '"',
    '"\\"',
    '"\\\\"',
    '"\\',
    '"\\x41"',
    '"\\u"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\U0041"',
    '"\\u0000"',
    '"\0"',
    '"\u001f"',
  ],
  ...[
    '"\u007f"',
    '"\u0080"',
    '"\t"',
    '"\n"',
    '"\\n"',
    '"\\/"',
    '"/"',
    "'a'",
    '"\ud83d\ude00"',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
  ],
  ...['"\\udc00"', '"\u2028\u2029"', '"\\u00e9\u00e9"', '"a""b"', '"a" "b"', '"a\\'],
  ...[
    '[]',
    '[',
    ']',
    '[]]',
    '[,]',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1,2',
    '[1,2,',
    '[[]',
    '[[],[]]',
    '[}',
    '[1}',
    '[ ]',
    '[\n]',
    '[1:2]',
  ],
  ...[
    '{}',
    '{',
    '}',
    '{}}',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    '{"a" "b"}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    '{a:1}',
  ],
  ...[
    '{1:1}',
    '{"a":1]',
    '{"a":[}',
    '{"a":{]}',
    '{null:1}',
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{"a":1}}',
  ],
  ...[
    '{"a":{"a":{"a":[{"a":[]}]}}}',
    '[{},[],{"a":{}},[[{}]]]',
    '{"a"\n:\t[ 1 , 2 ]\r}',
    '{"":""}',
    '{"a":"}"}',
    '["]"]',
    '["\\"]"]',
  ],
  ...[
    '[1]x',
    '{}x',
    '"a"x',
    'x',
    '[1]\0',
    '\0',
    '{"a":1}\n\n',
    '{"\\":1}',
    '{"a\\"":1}',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"',
    '{"a":t',
  ],
];

/** A text, scanned in pieces of so many bytes. */
function scanned(text: string | Buffer, opening?: ScanPlan, piece = Infinity): JsonScanner {
  const scanner = new JsonScanner(Buffer.from(text as string), opening);
  while (!scanner.run(piece));
  return scanner;
}

/** Whether the platform reads it. Halves of characters do not survive UTF-8, which is what the scanner gets. */
function parses(text: string): boolean {
  try {
    JSON.parse(Buffer.from(text).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countOf(part), 1);
}

/** JSON texts with what texts of others have and `JSON.stringify` does not write. */
const { text: json } = fc.letrec<{ text: string; list: string; object: string }>((tie) => ({
  text: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalar(), tie('list'), tie('object')),
  list: fc
    .tuple(blank(), fc.array(tie('text'), { maxLength: 4 }))
    .map(([space, items]) => `[${space}${items.join(`${space},`)}${space}]`),
  object: fc
    .tuple(blank(), fc.array(fc.tuple(name(), tie('text')), { maxLength: 4 }))
    .map(
      ([space, members]) =>
        `{${space}${members.map(([key, value]) => `${key}${space}:${value}`).join(`,${space}`)}${space}}`,
    ),
}));

function blank(): fc.Arbitrary<string> {
  return fc.constantFrom('', '', ' ', '\n', '\r\n\t ');
}

function name(): fc.Arbitrary<string> {
  // Few, so that they are repeated; and the same one in other words.
  return fc.oneof(
    fc.constantFrom(
      '"a"',
      '"\\u0061"',
      '"b"',
      '""',
      '"__proto__"',
      '"é"',
      '"\\"\\\\"',
      '"\\ud83d\\ude00"',
      '"\\ud800"',
    ),
    fc.string().map((text) => JSON.stringify(text)),
  );
}

function scalar(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'null',
      '0',
      '-0',
      '1.0',
      '1E5',
      '1e-400',
      '1e400',
      '725653563933458432',
      '[]',
      '{}',
    ),
    fc.bigInt().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u00e9"', '"\\ud83d\\ude00"', '"\\udc00\\ud800"', '"\\/\\b\\f\\n\\r\\t"', '"😀"'),
  );
}

/** With one thing changed: most are no JSON then. */
const mutated = fc
  .tuple(
    json,
    fc.nat(),
    fc.constantFrom('drop', 'insert', 'replace', 'cut'),
    fc.constantFrom(...'{}[]",:\\ \n\0\u001f0123-+.eEtfnu\u00a0\ufeffx'),
  )
  .map(([text, at, kind, character]) => {
    const place = text.length === 0 ? 0 : at % text.length;
    if (kind === 'cut') return text.slice(0, place);
    return (
      text.slice(0, place) + (kind === 'drop' ? '' : character) + text.slice(kind === 'insert' ? place : place + 1)
    );
  });

describe('JsonScanner', () => {
  it('accepts what JSON.parse accepts, and counts its values', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 50 }), (text, piece) => {
        const scanner = scanned(text, {}, piece);
        expect(scanner.fault).toBeUndefined();
        expect(scanner.root).toMatchObject({
          start: text.indexOf(text.trim()),
          end: expect.any(Number) as number,
          values: scanner.values,
        });
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(scanned(JSON.stringify(value)).values).toBe(countOf(value));
      }),
    );
  });

  it('refuses what JSON.parse refuses, whatever is opened', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          fc.string(),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          const isValid = parses(text);
          for (const opening of [{}, { members: { a: { members: {} } } }, { items: { members: { a: {} } } }])
            for (const piece of [1, Infinity]) expect(scanned(text, opening, piece).fault === undefined).toBe(isValid);
        },
      ),
      { numRuns: cases(2_000) },
    );
  });

  it.each(CORPUS)('agrees with JSON.parse on %j', (text) => {
    const isValid = parses(text);
    for (const opening of [{}, { members: {} }, { items: {} }])
      for (const piece of [1, 3, Infinity]) expect(scanned(text, opening, piece).fault === undefined).toBe(isValid);
  });

  it('knows where members are: the last of each name, in whatever words', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name(), json), { maxLength: 6 }), blank(), (members, space) => {
        const text = `${space}{${members.map(([key, value]) => `${space}${key}${space}:${space}${value}`).join(',')}${space}}`;
        const expected = JSON.parse(text) as Record<string, unknown>;
        const { root } = scanned(text, { members: {} });
        const found = root?.members ?? new Map<string, ValueSpan>();
        expect([...found.keys()].sort()).toEqual(
          Object.keys(JSON.parse(Buffer.from(text).toString()) as object).sort(),
        );
        for (const [key, place] of found) {
          expect(parsedAt(text, place)).toEqual(Object.getOwnPropertyDescriptor(expected, key)?.value);
          expect(place.values).toBe(scanned(Buffer.from(text).subarray(place.start, place.end)).values);
        }
      }),
    );
  });

  it('knows where the items of a list are, and members further in', () => {
    const text = '{"x":[{}],"result" : {"tools":[ {"a":1.0} , [2], "\\u0041"],"_meta":{"k":{"deep":[1]}}},"result2":0}';
    const opening = { members: { result: { members: { tools: { items: {} }, _meta: { members: {} } } } } };
    const { root } = scanned(text, opening, 1);
    const result = root?.members?.get('result');
    const textOf = (place?: ValueSpan) => text.slice(place?.start, place?.end);
    expect(result?.members?.get('tools')?.items?.map(textOf)).toEqual(['{"a":1.0}', '[2]', '"\\u0041"']);
    expect(textOf(result?.members?.get('_meta')?.members?.get('k'))).toBe('{"deep":[1]}');
    expect([...(root?.members?.keys() ?? [])]).toEqual(['x', 'result', 'result2']);
    expect(result?.values).toBe(11);
  });

  it('refuses what is nested too deeply, and more members than it may remember', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(scanned(nested(256)).fault).toBeUndefined();
    expect(scanned(nested(257)).fault).toBe('too_deep');
    expect(scanned(`{"a":${nested(256)}}`, { members: {} }).fault).toBe('too_deep');
    const many = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n % 3}":0`).join(',')}}`;
    expect(scanned(many(10_000), { members: {} }).fault).toBeUndefined();
    expect(scanned(many(10_001), { members: {} }).fault).toBe('too_many_places');
    expect(scanned(many(10_001)).fault).toBeUndefined();
    const list = scanned(`{"a":[${'{},'.repeat(20_000)}0],"b":1}`, { members: { a: { items: {}, most: 3 } } }).root;
    expect(list?.members?.get('a')).toMatchObject({ values: 20_002, items: [{}, {}, {}] });
    expect(list?.members?.has('b')).toBe(true);
  });

  it('goes through long strings in pieces', () => {
    const long = `${'\\u00e9'.repeat(30_000)}${'a'.repeat(200_001)}\\\\`;
    for (const [before, after] of [
      ['', ''],
      ['[', ',1]'],
      ['{"a":[', ']}'],
      ['{"a":', ',"b":[2]}'],
    ] as const) {
      for (const opening of [{}, { members: {} }, { items: {} }]) {
        const scanner = new JsonScanner(Buffer.from(`${before}"${long}"${after}`), opening);
        let pieces = 1;
        while (!scanner.run(10_000)) pieces++;
        expect([scanner.fault, pieces > 5]).toEqual([undefined, true]);
        for (const broken of [long.slice(0, -1), `${long}\n`, `${long}\\x`])
          expect(scanned(`${before}"${broken}"${after}`, opening, 10_000).fault).toBe('invalid');
        expect(scanned(`${before}"${long}`, opening, 10_000).fault).toBe('invalid');
      }
    }
  });

  it('goes on in pieces', () => {
    const text = `{"result":[${'{},'.repeat(30_000)}{}]}`;
    const scanner = new JsonScanner(Buffer.from(text), { members: {} });
    let pieces = 1;
    while (!scanner.run(10_000)) pieces++;
    expect([pieces, scanner.values]).toEqual([10, 30_003]);
  });
});

function parsedAt(text: string, { start, end }: ValueSpan): unknown {
  return JSON.parse(Buffer.from(text).toString('utf8', start, end));
}
