import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import * as fc from 'fast-check';
import type { JsonObject } from './json-rpc';
import { edited } from './json-edits';
import { isWrapped, wrappingEdits } from './output-wrapping';

const wrapped = (schema: JsonObject): JsonObject => edited(schema, wrappingEdits(schema, []));
const inner = (schema: JsonObject): unknown => ((wrapped(schema).properties ?? {}) as JsonObject).result;

describe('An output schema of any type, for clients of the legacy era', () => {
  it('is one of type object with the result in it; one of type object stays', () => {
    expect(isWrapped({ type: 'object' })).toBe(false);
    for (const schema of [{ type: 'array' }, {}, { anyOf: [] }, { type: ['object', 'null'] }, { $ref: '#/$defs/A' }])
      expect(isWrapped(schema)).toBe(true);
    expect(isWrapped(undefined)).toBe(false);
    expect(wrapped({ type: 'array', items: { type: 'string' } })).toEqual({
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'string' } } },
      required: ['result'],
    });
  });

  it('has its references moved, and nothing else', () => {
    const schema = {
      type: 'array',
      items: { $ref: '#/$defs/Node' },
      default: [{ $ref: '#/$defs/Node' }],
      $defs: {
        Node: { properties: { $ref: { type: 'string' }, next: { $ref: '#' }, all: { $dynamicRef: '#/$defs/Node' } } },
        const: { $ref: '#/$defs/Node', const: { $ref: '#' } },
        Named: { $anchor: 'named' },
        Own: { $id: 'https://a.example/own', $ref: '#/$defs/x' },
        Other: { anyOf: [{ $ref: 'https://a.example/other#/a' }, { $ref: '#named' }, { $dynamicRef: '#named' }] },
      },
    };
    expect(inner(schema)).toEqual({
      ...schema,
      items: { $ref: '#/properties/result/$defs/Node' },
      $defs: {
        ...schema.$defs,
        Node: {
          properties: {
            $ref: { type: 'string' },
            next: { $ref: '#/properties/result' },
            all: { $dynamicRef: '#/properties/result/$defs/Node' },
          },
        },
        const: { $ref: '#/properties/result/$defs/Node', const: { $ref: '#' } },
      },
    });
  });

  it('keeps its dialect, which is of the whole document', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#';
    const schema = { $schema, type: 'array', definitions: { A: { $ref: '#' } } };
    expect(wrapped(schema)).toEqual({
      $schema,
      type: 'object',
      properties: { result: { type: 'array', definitions: { A: { $ref: '#/properties/result' } } } },
      required: ['result'],
    });
  });

  it('recurses as 2019-09 has it', () => {
    const $schema = 'https://json-schema.org/draft/2019-09/schema';
    const schema = { $schema, type: ['array', 'string'], items: { $recursiveRef: '#' } };
    const validate = new Ajv2019({ strict: false }).compile(wrapped(schema));
    expect(validate({ result: [['a'], 'b'] })).toBe(true);
    expect(validate({ result: [[1]] })).toBe(false);
  });

  it('accepts as a result exactly what it accepted before', () => {
    const schemas: JsonObject[] = [
      {
        type: 'array',
        items: { $ref: '#/$defs/Tree' },
        $defs: { Tree: { type: 'object', properties: { a: { $ref: '#' } } } },
      },
      {
        anyOf: [
          { type: 'integer', maximum: 5 },
          { type: 'array', items: { $ref: '#' } },
        ],
      },
      { $ref: '#/$defs/A', $defs: { A: { $anchor: 'a', type: ['string', 'null'] }, B: { $ref: '#a' } } },
      { type: 'array', prefixItems: [{ const: { $ref: '#' } }, { $ref: '#/prefixItems/0' }] },
      { $dynamicAnchor: 'node', type: ['array', 'boolean'], items: { $dynamicRef: '#node' } },
      { type: 'array', items: { $ref: '#/$defs/a~1b%20c' }, $defs: { 'a/b c': { type: 'string' } } },
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom([[[]]], [{ a: [] }], [{ $ref: '#' }], [true, [false]], ['a'], [3], 5, 6, null),
    );
    const compiled = schemas.map((schema) => ({
      before: new Ajv2020({ strict: false }).compile(schema),
      after: new Ajv2020({ strict: false }).compile(wrapped(schema)),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...compiled), value, ({ before, after }, result) => {
        expect(after({ result })).toBe(before(result));
        expect(after(result)).toBe(isRecord(result) && 'result' in result && before(result.result));
      }),
    );
  });
});

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
