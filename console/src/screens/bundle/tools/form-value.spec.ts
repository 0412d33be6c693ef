import fc from 'fast-check';
import { type Shape, shapeOfTool } from './form-shape';
import { emptyOf, type FormFaults, hasSecrets, typedFrom, valueFrom, withoutSecrets } from './form-value';

const read = (shape: Shape, typed = emptyOf(shape)): { value: unknown; faults: Record<string, unknown> } => {
  const faults: FormFaults = new Map();
  const value = valueFrom(shape, typed, true, '', faults);
  return { value, faults: Object.fromEntries(faults) };
};

/** Schemas with values that fit them. */
const schemaAndValue: fc.Arbitrary<[object, unknown]> = fc.letrec<{ pair: [object, unknown] }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.stringMatching(/^[a-z ]{1,8}$/).map((text): [object, unknown] => [{ type: 'string' }, text]),
    fc.integer().map((value): [object, unknown] => [{ type: 'integer' }, value]),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value): [object, unknown] => [{ type: ['number', 'null'] }, value === 0 ? 0 : value]),
    fc.boolean().map((value): [object, unknown] => [{ type: 'boolean' }, value]),
    fc.constantFrom('a', 1, null, true).map((value): [object, unknown] => [{ enum: ['a', 1, null, true] }, value]),
    fc
      .jsonValue({ maxDepth: 2 })
      .filter((value) => value !== null)
      .map((value): [object, unknown] => [{}, JSON.parse(JSON.stringify(value))]),
    tie('pair').map(([schema, value]): [object, unknown] => [{ type: 'array', items: schema }, [value, value]]),
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('pair'), { minKeys: 1, maxKeys: 3, noNullPrototype: true })
      .map((pairs): [object, unknown] => [
        {
          type: 'object',
          properties: Object.fromEntries(Object.entries(pairs).map(([name, [schema]]) => [name, schema])),
        },
        Object.fromEntries(Object.entries(pairs).map(([name, [, value]]) => [name, value])),
      ]),
  ),
})).pair;

describe('a form of a schema', () => {
  it('gives back each value that it can show', () => {
    fc.assert(
      fc.property(schemaAndValue, ([schema, value]) => {
        const shape = shapeOfTool({ type: 'object', properties: { it: schema }, required: ['it'] });
        const typed = typedFrom(shape, { it: value });
        expect(typed).toBeDefined();
        expect(read(shape, typed)).toEqual({ value: { it: value }, faults: {} });
      }),
    );
  });

  it('never throws, whatever the schema is', () => {
    fc.assert(fc.property(fc.jsonValue(), (schema) => void read(shapeOfTool(schema))));
  });

  it('starts with the defaults, and says what is required', () => {
    const shape = shapeOfTool({
      type: 'object',
      properties: {
        place: { type: 'string' },
        days: { type: 'integer', default: 3 },
        deep: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      },
      required: ['place'],
    });
    expect(read(shape)).toEqual({ value: { days: 3 }, faults: { place: { code: 'required' } } });
  });

  it('checks bounds, patterns and numbers', () => {
    const shape = shapeOfTool({
      type: 'object',
      properties: {
        code: { type: 'string', pattern: '^[a-z]+$' },
        name: { type: 'string', maxLength: 2 },
        count: { type: 'integer', maximum: 5 },
        size: { type: 'number' },
        rows: { type: 'array', items: { type: 'integer' }, maxItems: 1 },
      },
    });
    const members = { code: 'A', name: 'abc', count: '6', size: 'x', rows: ['1', 'y'] };
    expect(read(shape, { members }).faults).toEqual({
      code: { code: 'pattern' },
      name: { code: 'longest', bound: 2 },
      count: { code: 'most', bound: 5 },
      size: { code: 'number' },
      rows: { code: 'many', bound: 1 },
      'rows.1': { code: 'number' },
    });
  });

  it('follows references, also those that lead to themselves', () => {
    const shape = shapeOfTool({
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } } },
    });
    expect(JSON.stringify(shape)).toContain('"kind":"json"');
    const loop = shapeOfTool({
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/a' } },
    });
    expect(loop).toMatchObject({ members: [{ shape: { kind: 'json' } }] });
  });

  it('offers a choice where there are several kinds', () => {
    const shape = shapeOfTool({
      type: 'object',
      properties: { at: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } },
    });
    expect(typedFrom(shape, { at: 5 })).toEqual({ members: { at: { option: 1, value: '5' } } });
  });

  it('keeps nothing that looks secret', () => {
    const shape = shapeOfTool({
      type: 'object',
      properties: { user: { type: 'string' }, password: { type: 'string' }, pin: { type: 'string', writeOnly: true } },
    });
    expect(withoutSecrets(shape, { members: { user: 'a', password: 'b', pin: 'c' } })).toEqual({
      members: { user: 'a', password: '', pin: '' },
    });
    expect(hasSecrets(shape)).toBe(true);
  });
});
