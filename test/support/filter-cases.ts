import fc from 'fast-check';
import { elements, type Field, type Json, type Operand, type Operator, test } from './filter-oracle';

/** A filter with what it means. */
export interface Case {
  text: string;
  holds: (of: Json) => boolean;
  /** Of what its text is: 1 an `or`, 2 an `and`, 3 what needs no parentheses. */
  level: 1 | 2 | 3;
  /** What occurs in it. */
  parts: string[];
}

/** A complex attribute that brackets may follow, and what they may be about. */
export interface Container {
  names: string[];
  keys: string[];
  fields: Field[];
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** With its URN or without, which attributes of an extension may lack too. */
const single = (name: string, kind: Field['kind'] = 'text', urn = USER): Field => ({
  names: [name, `${urn}:${name}`],
  keys: urn === ENTERPRISE ? [urn, ...name.split('.')] : name.split('.'),
  kind,
  many: false,
});

const several = (name: string, kind: Field['kind'] = 'text', urn = USER): Field => ({
  ...single(name, kind, urn),
  many: true,
});

/** A multi-valued attribute: itself, its sub-attributes, `value` left out, and what may be in its brackets. */
function plural(name: string, subs: Record<string, Field['kind']>, urn = USER): [Field[], Container] {
  const fields = Object.entries(subs).map(([sub, kind]) => several(`${name}.${sub}`, kind, urn));
  const value = subs.value && { ...several(name, subs.value, urn), keys: [name, 'value'], isImplied: true };
  return [[...fields, several(name, 'complex', urn), ...(value ? [value] : [])], container(name, subs, urn)];
}

function container(name: string, subs: Record<string, Field['kind']>, urn = USER): Container {
  return {
    names: [name, `${urn}:${name}`],
    keys: urn === ENTERPRISE ? [urn, name] : [name],
    fields: Object.entries(subs).map(([sub, kind]) => ({ names: [sub], keys: [sub], kind, many: false })),
  };
}

const VALUE = { value: 'text', display: 'text', type: 'text', primary: 'boolean' } as const;
const META = {
  resourceType: 'exact',
  created: 'instant',
  lastModified: 'instant',
  location: 'computed',
  version: 'computed',
} as const;
const NAME = { formatted: 'text', familyName: 'text', givenName: 'text' } as const;
const MANAGER = { value: 'exact', displayName: 'text', $ref: 'computed' } as const;
const ADDRESS = { formatted: 'text', locality: 'text', country: 'text', type: 'text', primary: 'boolean' } as const;
const RELATED = { value: 'exact', display: 'text', type: 'text', $ref: 'computed' } as const;

const singles = (name: string, subs: Record<string, Field['kind']>, urn = USER): Field[] => [
  single(name, 'complex', urn),
  ...Object.entries(subs).map(([sub, kind]) => single(`${name}.${sub}`, kind, urn)),
];

const EMAILS = plural('emails', { ...VALUE, value: 'address' });
const PHONES = plural('phoneNumbers', VALUE);
const CERTIFICATES = plural('x509Certificates', { ...VALUE, value: 'binary' });
const ADDRESSES = plural('addresses', ADDRESS);
const GROUPS = plural('groups', RELATED);
const MEMBERS = plural('members', RELATED, GROUP);

export const USER_FIELDS: Field[] = [
  ...['id', 'externalId'].map((name) => single(name, 'exact')),
  single('userName', 'name'),
  ...['displayName', 'nickName', 'title', 'profileUrl', 'locale'].map((name) => single(name)),
  single('active', 'boolean'),
  several('schemas', 'exact'),
  ...singles('name', NAME),
  ...singles('meta', META),
  ...['department', 'employeeNumber'].map((name) => single(name, 'text', ENTERPRISE)),
  ...singles('manager', MANAGER, ENTERPRISE),
  { ...single('manager', 'exact', ENTERPRISE), keys: [ENTERPRISE, 'manager', 'value'], isImplied: true },
  ...[EMAILS, EMAILS, EMAILS, PHONES, CERTIFICATES, ADDRESSES, GROUPS].flatMap(([fields]) => fields),
];

/** Multi-valued attributes of a user that have no row of their own. */
export const OWN_CONTAINERS: Container[] = [EMAILS, PHONES, CERTIFICATES, ADDRESSES].map(([, brackets]) => brackets);

export const USER_CONTAINERS: Container[] = [
  ...OWN_CONTAINERS,
  ...[EMAILS, EMAILS, GROUPS].map(([, brackets]) => brackets),
  container('name', NAME),
  container('meta', META),
  container('manager', MANAGER, ENTERPRISE),
];

export const GROUP_FIELDS: Field[] = [
  ...['id', 'externalId'].map((name) => single(name, 'exact', GROUP)),
  single('displayName', 'text', GROUP),
  several('schemas', 'exact', GROUP),
  ...singles('meta', META, GROUP),
  ...[MEMBERS, MEMBERS].flatMap(([fields]) => fields),
];

export const MEMBER_CONTAINER: Container = MEMBERS[1];

export const GROUP_CONTAINERS: Container[] = [MEMBER_CONTAINER, MEMBER_CONTAINER, container('meta', META, GROUP)];

const ORDER: Operator[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'];
const TEXT: Operator[] = [...ORDER, 'eq', 'eq', 'co', 'sw', 'ew'];
const OPERATORS: Record<Field['kind'], Operator[]> = {
  text: TEXT,
  name: TEXT,
  address: TEXT,
  exact: TEXT,
  binary: ['eq', 'ne'],
  boolean: ['eq', 'ne'],
  instant: ORDER,
  computed: [],
  complex: [],
};

/** The texts that the resources have, by the last part of where they have it. */
export type Pool = Map<string, string[]>;

export function poolOf(resources: Json[]): Pool {
  const pool: Pool = new Map();
  const add = (value: Json, key: string) => {
    if (typeof value === 'string') pool.set(key, [...(pool.get(key) ?? []), value]);
    else if (Array.isArray(value)) value.forEach((one) => add(one, key));
    else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) add(one, name);
    }
  };
  resources.forEach((resource) => add(resource, ''));
  return pool;
}

/** Turns the letters that a mask chooses into the other case. */
export function recase(text: string, mask: number): string {
  return [...text]
    .map((letter, place) => {
      if (!((mask >>> (place % 31)) & 1)) return letter;
      return letter === letter.toLowerCase() ? upper(letter) : letter.toLowerCase();
    })
    .join('');
}

/** Never into more letters, nor into one that is the capital of several: "ß", "ı". */
function upper(letter: string): string {
  const capital = letter.toUpperCase();
  return capital.toLowerCase() === letter ? capital : letter;
}

/** ASCII only: names of attributes, operators and keywords. */
const anyCase = (text: string) =>
  fc.oneof(
    fc.constant(text),
    mask.map((chosen) => recase(text, chosen)),
  );
const mask = fc.nat();

/** A JSON string, with some characters as \uXXXX. */
function literal(text: string, chosen: number): string {
  const escaped = Array.from({ length: text.length }, (_, place) =>
    (chosen >>> (place % 31)) & 1
      ? `\\u${text.charCodeAt(place).toString(16).padStart(4, '0')}`
      : JSON.stringify(text.charAt(place)).slice(1, -1),
  ).join('');
  // JSON.stringify escapes halves of surrogate pairs, which is as good.
  return `"${escaped}"`;
}

interface Written {
  value: Operand;
  text: string;
}

/** What the resources have there, and what comes near to it. */
function operandOf(field: Field, pool: Pool): fc.Arbitrary<Written> {
  const [texts = []] = [pool.get(field.keys.at(-1) ?? '')];
  if (field.kind === 'boolean') {
    return fc
      .tuple(fc.boolean(), mask, fc.boolean())
      .map(([value, chosen, isText]) => ({ value, text: quoted(recase(String(value), chosen), isText) }));
  }
  if (field.kind === 'instant') {
    return fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom(-1, 0, 0, 0, 1), fc.constantFrom('', '', '4', '0009'))
      .map(([text, shift, finer]) => {
        const instant = Date.parse(text) + shift;
        const written = new Date(instant).toISOString().replace('Z', `${finer}Z`);
        return { value: instant + Number(`0.${finer}0`), text: `"${written}"` };
      });
  }
  const change = fc.constantFrom('none', 'none', 'none', 'none', 'start', 'end', 'middle');
  return fc
    .tuple(fc.constantFrom(...texts, 'x'), change, fc.nat(), mask, fc.constantFrom(0, 0, 1), mask)
    .map(([whole, part, cut, chosen, isEscaped, escapes]) => {
      const letters = [...whole];
      const at = letters.length > 0 ? cut % letters.length : 0;
      const bounds = { none: [0], start: [0, at + 1], end: [at], middle: [at, at + 2] }[part];
      const value = recase(
        letters.slice(...bounds).join(''),
        ['text', 'name', 'address'].includes(field.kind) || cut % 5 === 0 ? chosen : 0,
      );
      return { value, text: literal(value, isEscaped * escapes) };
    });
}

const quoted = (text: string, isText: boolean) => (isText ? `"${text}"` : text);

const PRESENCE = [
  { operator: 'pr', value: null, text: '' },
  { operator: 'pr', value: null, text: '' },
  { operator: 'eq', value: null, text: 'null' },
  { operator: 'ne', value: null, text: 'null' },
] as const;

/** An operator with a value that its type knows. */
function operationOf(field: Field, pool: Pool): fc.Arbitrary<Written & { operator: Operator }> {
  const operators = OPERATORS[field.kind];
  const presence = fc.constantFrom<Written & { operator: Operator }>(...PRESENCE);
  if (operators.length === 0) return presence;
  const comparison = fc
    .tuple(fc.constantFrom(...operators), operandOf(field, pool))
    .map(([operator, operand]) => ({ operator, ...operand }));
  return field.isImplied
    ? comparison
    : fc.oneof({ weight: 9, arbitrary: comparison }, { weight: 2, arbitrary: presence });
}

function testOf(fields: Field[], pool: Pool): fc.Arbitrary<Case> {
  return fc.constantFrom(...fields).chain((field) =>
    fc
      .record({
        name: fc.constantFrom(...field.names).chain(anyCase),
        gap: fc.constantFrom(' ', ' ', ' ', '  '),
        operation: operationOf(field, pool),
        chosen: mask,
      })
      .map(({ name, gap, operation: { operator, value, text }, chosen }): Case => ({
        text: `${name}${gap}${recase(operator, chosen)}${text && gap}${text}`,
        holds: (of) => test(field, operator, value, of),
        level: 3,
        parts: [text === 'null' ? `${operator} null` : operator, field.names[0] ?? ''],
      })),
  );
}

/** Filters of parts joined by `and`, `or`, `not` and parentheses. */
function joined(part: fc.Arbitrary<Case>, depth: number): fc.Arbitrary<Case> {
  return fc.letrec<{ filter: Case }>((tie) => {
    const several = fc.array(tie('filter'), { minLength: 2, maxLength: 3 });
    return {
      filter: fc.oneof(
        { maxDepth: depth, withCrossShrink: true },
        { weight: 3, arbitrary: part },
        {
          weight: 2,
          arbitrary: fc.tuple(several, anyCase('and')).map(([all, word]): Case => ({
            text: all.map((one) => enclosed(one, one.level < 2)).join(` ${word} `),
            holds: (of) => all.every((one) => one.holds(of)),
            level: 2,
            parts: ['and', ...all.flatMap(({ parts }) => parts)],
          })),
        },
        {
          weight: 2,
          arbitrary: fc.tuple(several, anyCase('or')).map(([all, word]): Case => ({
            text: all.map(({ text }) => text).join(` ${word} `),
            holds: (of) => all.some((one) => one.holds(of)),
            level: 1,
            parts: ['or', ...all.flatMap(({ parts }) => parts)],
          })),
        },
        {
          weight: 2,
          arbitrary: fc
            .tuple(tie('filter'), anyCase('not'), fc.constantFrom('', ' '))
            .map(([one, word, gap]): Case => ({
              text: `${word}${gap}(${one.text})`,
              holds: (of) => !one.holds(of),
              level: 3,
              parts: ['not', ...one.parts],
            })),
        },
        {
          weight: 1,
          arbitrary: tie('filter').map((one): Case => ({ ...one, text: enclosed(one, true), level: 3 })),
        },
      ),
    };
  }).filter;
}

function enclosed({ text }: Case, isNeeded: boolean): string {
  return isNeeded ? `(${text})` : text;
}

/** What stands in the brackets of an attribute. */
export function bracketsOf({ fields }: Container, pool: Pool): fc.Arbitrary<Case> {
  return joined(testOf(fields, pool), 2);
}

/** `emails[…]`, or with a sub-attribute behind it `emails[…].value eq "x"`. */
function valuePathOf(containers: Container[], pool: Pool): fc.Arbitrary<Case> {
  return fc.constantFrom(...containers).chain((container) =>
    fc
      .record({
        name: fc.constantFrom(...container.names).chain(anyCase),
        inside: bracketsOf(container, pool),
        behind: fc.option(testOf(container.fields, pool)),
      })
      .map(({ name, inside, behind }): Case => ({
        text: `${name}[${inside.text}]${behind ? `.${behind.text}` : ''}`,
        holds: (of) => elements(of, container.keys).some((one) => inside.holds(one) && (behind?.holds(one) ?? true)),
        level: 3,
        parts: [behind ? '[].' : '[]', ...inside.parts, ...(behind?.parts ?? [])],
      })),
  );
}

/** Filters of the whole grammar about such resources. */
export function filterOf(fields: Field[], containers: Container[], pool: Pool): fc.Arbitrary<Case> {
  const part = fc.oneof(
    { weight: 3, arbitrary: testOf(fields, pool) },
    { weight: 2, arbitrary: valuePathOf(containers, pool) },
  );
  return joined(part, 3).filter(({ text }) => text.length <= 4_096);
}
