import fc from 'fast-check';
import type { Attribute } from '../../src/scim/protocol/schema/attribute';
import { USER_TYPE } from '../../src/scim/protocol/schema/user-schema';
import { ENTERPRISE_URN, USER_URN } from '../../src/scim/protocol/urns';

/** Few and short, so that values meet. */
export const text = fc.constantFrom('a', 'A', 'b', 'work', 'home', 'x y');
const flag = fc.constantFrom<unknown>(true, false, 'True', 'FALSE');
const TYPES = ['work', 'home', 'other'];

function part(name: string): fc.Arbitrary<unknown> {
  if (name === 'primary') return flag;
  return name === 'type' ? fc.constantFrom(...TYPES) : text;
}

/** A value with some of these parts. */
function complex(names: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, part(name)])), { requiredKeys: [] });
}

const attributes = [...USER_TYPE.schema.attributes, ...USER_TYPE.extensions.flatMap((one) => one.attributes)].filter(
  ({ mutability, name }) => mutability !== 'readOnly' && name !== 'x509Certificates',
);

function writable(subs: readonly Attribute[]): string[] {
  return subs.filter(({ mutability }) => mutability !== 'readOnly').map(({ name }) => name);
}

/** The name of an attribute as any client may write it. */
const URNS = new Map(USER_TYPE.schema.attributes.map(({ name }) => [name, USER_URN]));
export function spellings(path: string): string[] {
  const name = path.split(/[.[]/, 1)[0] ?? '';
  const urn = URNS.get(name) ?? ENTERPRISE_URN;
  // What stands in quotes is no name.
  const loud = path.replace(/[^"]+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, (names) => names.toUpperCase());
  return [path, loud, `${urn}:${path}`, `${urn.toUpperCase()}:${loud}`];
}

/** An attribute with a value that fits it, as the schemas have it. */
export const fitting: fc.Arbitrary<{ path: string; value: unknown }> = fc.oneof(
  ...attributes.map((attribute): fc.Arbitrary<{ path: string; value: unknown }> => {
    const path = fc.constant(attribute.name);
    if (attribute.type === 'boolean') return fc.record({ path, value: flag });
    if (!attribute.subAttributes) return fc.record({ path, value: text });
    const names = writable(attribute.subAttributes);
    if (!attribute.multiValued) return fc.record({ path, value: complex(names) });
    const values = fc
      .array(complex(names), { maxLength: 4 })
      // At most one is primary.
      .map((list) => list.map(({ primary, ...one }, place) => (place === 0 && primary ? { ...one, primary } : one)));
    return fc.record({ path, value: values });
  }),
);

/** A part of an attribute, by a dot or by a filter, with a value that fits it. */
export const fittingPart: fc.Arbitrary<{ path: string; value: unknown }> = fc
  .constantFrom(...attributes.filter(({ subAttributes }) => subAttributes))
  .chain(({ name, multiValued, subAttributes = [] }) =>
    fc.constantFrom(...writable(subAttributes)).chain((sub) =>
      fc.record({
        path: multiValued
          ? fc.constantFrom(...TYPES).map((type) => `${name}[type eq "${type}"].${sub}`)
          : fc.constant(`${name}.${sub}`),
        value: part(sub),
      }),
    ),
  );

/** An operation that a client might mean. */
export const operation: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(fc.constantFrom('add', 'replace', 'remove'), fc.oneof(fitting, fittingPart), fc.nat(3))
  .map(([op, { path, value }, spelling]) => {
    const spelled = spellings(path)[spelling];
    return op === 'remove' ? { op, path: spelled } : { op, path: spelled, value };
  });

const NASTY = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'];
const NAMES = [
  'members',
  'schemas',
  'id',
  'meta',
  'groups',
  'password',
  'value',
  ...attributes.map(({ name }) => name),
];
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const subName = fc.constantFrom('value', 'type', 'primary', 'display', 'givenName', '$ref', ...NASTY);
const test = fc
  .tuple(
    subName,
    fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'le', 'pr', 'EQ', 'is'),
    fc.constantFrom('"work"', '"a"', 'true', '"True"', 'null', '7', '"\\u0041"', '"', '[', 'x'),
  )
  .map(([sub, operator, value]) => (operator === 'pr' ? `${sub} pr` : `${sub} ${operator} ${value}`));
const valueFilter = fc
  .tuple(fc.array(test, { minLength: 1, maxLength: 4 }), fc.constantFrom(' and ', ' or ', ' and not (', ' '))
  .map(([tests, glue]) => tests.join(glue) + (glue.includes('(') ? ')'.repeat(tests.length - 1) : ''));
const wellFormed = fc
  .tuple(
    fc.constantFrom('', '', '', `${USER_URN}:`, `${ENTERPRISE_URN}:`, 'urn:x:'),
    name,
    fc.option(valueFilter, { freq: 2 }),
    fc.option(subName, { freq: 2 }),
  )
  .map(
    ([urn, first, filter, sub]) =>
      `${urn}${first}${filter === null ? '' : `[${filter}]`}${sub === null ? '' : `.${sub}`}`,
  );

/** A path that a client, a mistake or an attack might send: mostly of the right form, some damaged, some anything. */
export const anyPath: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: wellFormed },
  {
    weight: 2,
    arbitrary: fc
      .tuple(wellFormed, fc.nat(40), fc.constantFrom('', '[', ']', '.', '"', '(', ')', ':', ' ', '\\', '🙂', '..'))
      .map(([path, place, damage]) => path.slice(0, place) + damage + path.slice(place + 1)),
  },
  { weight: 1, arbitrary: fc.constantFrom(USER_URN, ENTERPRISE_URN, '', '[', '('.repeat(60), 'a.'.repeat(60)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
);

const scalar = fc.oneof(text, flag, fc.constantFrom(null, '', 7, -0.5, 1e300), fc.string({ maxLength: 8 }));

/** Any JSON, with names that mean something here; as JSON.parse makes it, `__proto__` is a name like others. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(fc.oneof(name, subName, wellFormed), tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    },
  ),
})).value;

const anyOperation = fc
  .record({
    op: fc.constantFrom<unknown>('add', 'replace', 'remove', 'Add', 'Replace', 'Remove', 'move', 1),
    path: fc.option(anyPath, { freq: 4, nil: undefined }),
    value: anyValue,
  })
  .map((one) => one as Record<string, unknown>);

/** The body of a PATCH, of a right or a wrong form. */
export const anyPatch: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .array(fc.oneof(anyOperation, operation), { minLength: 1, maxLength: 3 })
      .map((Operations) => ({ Operations })),
  },
  { weight: 1, arbitrary: anyValue },
);
