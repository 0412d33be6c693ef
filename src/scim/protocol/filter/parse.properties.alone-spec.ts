import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { resolvePath } from '../schema/attribute-path';
import { GROUP_TYPE } from '../schema/group-schema';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { compileFilter } from './compile';
import { checkValueFilter } from './match-value';
import { parseFilter, parsePatchPath } from './parse';
import { crowding } from '../../../../test/support/eventually';

const RUNS = 50_000;
/** Milliseconds. Slow input is slow every time; a pause of the machine or for garbage affects one or two runs. */
const SLOW = 10;
const MEASUREMENTS = 5;

const SEEDS = [
  'userName eq "bjensen"',
  'title pr and (userType eq "Employee" or not (active eq "False"))',
  'emails[type eq "work" and value co "@example.com"] or phoneNumbers[not (primary eq true)]',
  'emails[type eq "work"].value eq "ada@example.com" and meta.lastModified gt "2026-11-20T08:30:00Z"',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value sw "\\u00e9\\ud83d\\ude00"',
  'addresses[type eq "work"].streetAddress',
  'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName',
  'members[value eq "0192f0c1-2345-7abc-8def-0123456789ab"]',
  'a eq -1.5e+30 or b ne null',
];
const TOKENS = [
  ...['eq', 'ne', 'co', 'pr', 'and', 'or', 'not', 'not (', '(', ')', '[', ']', '.', ':', ' ', '  ', '"', '\\', '\\u'],
  ...[
    'userName',
    'emails',
    'value',
    'type',
    'name.givenName',
    'members',
    'urn:',
    '"x"',
    '"\\ud800"',
    'true',
    'null',
    '1e9',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    '$ref',
    '\0',
    '\ud800',
    '😀',
    'é',
    '\t',
    '-',
    '1',
    "'",
    ';',
    '--',
  ],
];

const soup = fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((tokens) => tokens.join(''));
const sentence = fc.array(fc.constantFrom(...TOKENS), { maxLength: 60 }).map((tokens) => tokens.join(' '));
/** A valid text with a part left out, doubled or replaced. */
const mutation = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.tuple(fc.nat(), fc.nat(8), fc.constantFrom('', 'again', ...TOKENS)), { minLength: 1, maxLength: 4 }),
  )
  .map(([seed, changes]) =>
    changes.reduce((text, [place, length, by]) => {
      const at = place % (text.length + 1);
      const part = text.slice(at, at + length);
      return text.slice(0, at) + (by === 'again' ? part + part : by) + text.slice(at + length);
    }, seed),
  );
const text = fc.oneof(
  { weight: 4, arbitrary: mutation },
  { weight: 3, arbitrary: soup },
  { weight: 2, arbitrary: sentence },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
);

/** What a request does with a filter, up to the database statement. */
function useFilter(input: string): void {
  const filter = parseFilter(input);
  for (const type of [USER_TYPE, GROUP_TYPE]) {
    try {
      compileFilter(type, filter, []);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
    }
  }
}

/** What a request does with a path of a PATCH. */
function usePath(input: string): void {
  const { attributePath, valueFilter } = parsePatchPath(input);
  const attribute = resolvePath(USER_TYPE, attributePath)?.attribute;
  if (attribute && valueFilter) checkValueFilter(valueFilter, attribute);
}

/** @returns whether it was parsed @throws any error other than a ScimError, and an Error if it is slow every time */
function survives(use: (input: string) => void, input: string): boolean {
  let isUnderstood = true;
  const run = () => {
    const start = performance.now();
    try {
      use(input);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      isUnderstood = false;
    }
    return performance.now() - start;
  };
  let measured = 1;
  while (run() > SLOW * crowding()) if (++measured > MEASUREMENTS) throw new Error(`Takes more than ${SLOW} ms.`);
  return isUnderstood;
}

/** Names that every object inherits. */
function prototypes(): unknown[] {
  return [Object, Array, String, Function].map(({ prototype }) => Object.getOwnPropertyDescriptors(prototype));
}

describe('The SCIM filter parser, for random input', () => {
  const before = prototypes();

  afterEach(() => expect(isDeepStrictEqual(prototypes(), before)).toBe(true));

  it.each([
    ['filters', useFilter],
    ['paths', usePath],
  ])(
    `parses or rejects ${RUNS} %s, none of them slowly`,
    (_, use) => {
      let understood = 0;
      fc.assert(
        fc.property(text, (input) => {
          if (survives(use, input)) understood++;
        }),
        { numRuns: RUNS },
      );
      // Enough of them are valid to test the steps after the parser too.
      expect(understood).toBeGreaterThan(RUNS / 50);
    },
    60_000,
  );

  const repeated = (part: string, times: number, joint = '') => Array<string>(times).fill(part).join(joint);
  const BOMBS: [string, string][] = [
    ['5,000 parentheses', `${'('.repeat(5_000)}a pr${')'.repeat(5_000)}`],
    ['as many parentheses as fit', '('.repeat(4_096)],
    ['as many brackets as fit', 'a['.repeat(2_048)],
    ['as many not as fit', 'not('.repeat(1_024)],
    ['not without parentheses', repeated('not', 1_000, ' ')],
    ['10,000 terms', repeated('a pr', 10_000, ' or ')],
    ['as many terms as fit', repeated('a pr', 500, ' or ')],
    ['100 kB of text', 'x'.repeat(100_000)],
    ['100 kB in a string', `a eq "${'x'.repeat(100_000)}"`],
    ['a string as long as fits', `a eq "${'\\u00e9'.repeat(680)}"`],
    ['a string without an end', `a eq "${'\\"'.repeat(2_000)}`],
    ['a number as long as fits', `a eq ${'9'.repeat(4_090)}`],
    ['a name as long as fits', `${'a'.repeat(4_090)} pr`],
    ['colons', `urn:${'a:'.repeat(2_000)} pr`],
    ['dots', `${'a.'.repeat(2_000)} pr`],
    ['spaces', `a${' '.repeat(4_000)}pr${' '.repeat(80)}`],
    ['levels of and in or in and', `${repeated('(a pr and (b pr or ', 16)}c pr${')'.repeat(32)}`],
    [
      'levels of and in or in and in brackets',
      `emails[${repeated('(value eq "x" and (type pr or ', 15)}value pr${')'.repeat(30)}]`,
    ],
  ];

  it.each(BOMBS)('parses or rejects %s at once', (_, bomb) => {
    survives(useFilter, bomb);
    survives(usePath, bomb);
    survives(usePath, `emails[${bomb}].value`);
  });
});
