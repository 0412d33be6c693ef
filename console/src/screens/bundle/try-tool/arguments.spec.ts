import fc from 'fast-check';
import { argumentsOf, keyOf, objectIn, typedOf } from './arguments';
import { fieldsOf } from './schema-fields';

const SCHEMA = {
  type: 'object',
  properties: {
    days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
    city: { type: 'string', minLength: 2 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' } },
    exact: { type: ['number', 'null'] },
    isLong: { type: 'boolean' },
    filter: { type: 'object', properties: { token: { type: 'string', format: 'password' } }, required: ['token'] },
    any: {},
  },
  required: ['city', 'filter'],
};
const fields = fieldsOf(SCHEMA) ?? [];
const key = (...path: string[]) => keyOf({ path });

describe('The form of a tool', () => {
  it('asks for its arguments, the required ones first', () => {
    expect(fields.map(({ path, kind, isRequired }) => [path.join('.'), kind, isRequired])).toEqual([
      ['city', 'text', true],
      ['filter.token', 'secret', true],
      ['days', 'integer', false],
      ['unit', 'choice', false],
      ['tags', 'list', false],
      ['exact', 'number', false],
      ['isLong', 'boolean', false],
      ['any', 'json', false],
    ]);
  });

  it('sends what was typed and what the schema proposes, and leaves out what is empty', () => {
    const texts = {
      [key('city')]: 'Bonn',
      [key('unit')]: '1',
      [key('tags')]: 'a\n\nb',
      [key('isLong')]: 'false',
      [key('filter', 'token')]: 's',
      [key('any')]: '{"x":[1]}',
    };
    expect(argumentsOf(fields, texts)).toEqual({
      values: {
        city: 'Bonn',
        days: 3,
        unit: 'F',
        tags: ['a', 'b'],
        isLong: false,
        filter: { token: 's' },
        any: { x: [1] },
      },
      faults: new Map(),
    });
  });

  it.each([
    ['days', '2.5', { fault: 'integer' }],
    ['days', '15', { fault: 'maximum', limit: 14 }],
    ['days', 'two', { fault: 'number' }],
    ['exact', '725653563933458432', { fault: 'too-exact' }],
    ['city', '\u{1f327}', { fault: 'min-length', limit: 2 }],
    ['city', '', { fault: 'missing' }],
    ['any', '{', { fault: 'json' }],
  ])('says what is wrong with %s: %j', (name, text, fault) => {
    expect(argumentsOf(fields, { [key(name)]: text }).faults.get(key(name))).toEqual(fault);
  });

  it('gives way to JSON for what it cannot say', () => {
    expect(fieldsOf({ oneOf: [{}, {}] })).toBeUndefined();
    expect(typedOf(fields, { city: 'Bonn', other: 1 })).toBeUndefined();
    expect(typedOf(fields, { unit: 'K' })).toBeUndefined();
    expect(objectIn('[]')).toBeUndefined();
    expect(objectIn(' ')).toEqual({});
  });

  it('shows what JSON says, and says the same again', () => {
    const value = fc.record(
      {
        city: fc.string({ minLength: 2, unit: 'grapheme' }),
        days: fc.integer({ min: 1, max: 14 }),
        unit: fc.constantFrom('C', 'F'),
        tags: fc.array(fc.stringMatching(/^[^\n\r]+$/), { minLength: 1 }),
        exact: fc.integer(),
        isLong: fc.boolean(),
        filter: fc.record({ token: fc.string({ minLength: 1 }) }),
        any: fc.jsonValue().filter((one) => one !== undefined),
      },
      { requiredKeys: ['city', 'filter'] },
    );
    fc.assert(
      fc.property(value, (wanted) => {
        const values = JSON.parse(JSON.stringify(wanted)) as Record<string, unknown>;
        const texts = typedOf(fields, values);
        expect(texts).toBeDefined();
        const withoutDefaults = fields.map((field) => ({ ...field, proposed: '' }));
        expect(argumentsOf(withoutDefaults, texts ?? {}).values).toEqual(values);
      }),
    );
  });

  it('is none for what a server should not send', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        const found = fieldsOf(schema) ?? [];
        expect(argumentsOf(found, {}).values).toBeInstanceOf(Object);
      }),
    );
  });
});
