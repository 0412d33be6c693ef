import type { OpenAPIObject } from '@nestjs/swagger';
import fc, { type Arbitrary } from 'fast-check';
import { References } from '../../src/http/openapi/openapi-references';
import type { Schema } from '../../src/http/openapi/openapi-walk';

/** The words of JSON Schema that values are made of, besides those that the document's own transformations look at. */
export interface ValueSchema extends Schema {
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  additionalProperties?: boolean | ValueSchema;
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  const?: unknown;
  maxItems?: number;
  uniqueItems?: boolean;
}

/** Longer lists are not generated at their full length: they take too long, or their body would be too large. */
const MAX_LIST = 100;

/** Texts of our own formats, which no schema describes; none leads anywhere if a webhook is sent to it. */
const OF_FORMAT: Record<string, string[]> = {
  'webhook-target': ['https://hooks.example.com/in', 'https://hooks.example.com/out?a=1', 'http://127.0.0.1:1/'],
  'entry-endpoint-url': ['https://mcp.example.com/mcp', 'https://mcp.example.com:8443/?a=1', 'http://127.0.0.1:1/'],
  'deployment-url': ['https://mcp.example.com/x', 'http://10.0.0.1/', ''],
  'fhir-date-search': ['2026', 'ge2026-03', 'lt2026-05-01,ap2026', 'ne2026-01-01T00:00:00Z', 'sa0001'],
  'webhook-header-name': ['X-Team', 'Authorization', 'x-a_b'],
  'webhook-header-value': ['a', 'Bearer 1', 'a b'],
  'date-time': [
    '2026-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-11-20T08:30:00+14:00',
  ],
  uri: ['https://example.com/a', 'urn:x:y', 'https://example.com/?q=%20#f'],
};

/** What no well-behaved client sends. */
export const HOSTILE: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    'null',
    'NaN',
    '99999999999999999999',
    '\0',
    '\ud800',
    '\u202e\u0000x',
    "'; DROP TABLE users; --",
    '%',
    '%00',
    '${7*7}',
    '../../etc/passwd',
    'a'.repeat(3_000),
    'é'.repeat(300),
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '00000000-0000-0000-0000-000000000000',
    [],
    {},
    [[[[]]]],
    JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 1}}'),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Makes values from the schemas of a document. */
export class GeneratedValues {
  private readonly references: References;

  constructor(document: OpenAPIObject) {
    this.references = new References(document);
  }

  /** As the schema says, but for rules that no schema can say. */
  valid(given: ValueSchema, depth = 0): Arbitrary<unknown> {
    const schema = this.references.resolve<ValueSchema>(given);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return fc.oneof(...alternatives.map((one) => this.valid(one, depth)));
    if (schema.allOf && schema.type === undefined) return this.valid(schema.allOf[0] ?? {}, depth);
    if ('const' in schema) return fc.constant(schema.const);
    if ('example' in schema && schema.format !== 'uuid') {
      const { example, ...rest } = schema;
      return fc.oneof(fc.constant(example), this.valid(rest, depth));
    }
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const types = [schema.type ?? []].flat();
    return types.length === 0
      ? fc.jsonValue({ maxDepth: 1 })
      : fc.oneof(...types.map((type) => this.ofType(type, schema, depth)));
  }

  /** Mostly as the schema says, otherwise with one part of it hostile, left out or too much, or hostile as a whole. */
  any(schema: ValueSchema): Arbitrary<unknown> {
    return fc.oneof(
      { weight: 5, arbitrary: this.valid(schema) },
      { weight: 4, arbitrary: fc.tuple(this.valid(schema), HOSTILE, fc.array(fc.nat(), { maxLength: 4 })).map(spoilt) },
      { weight: 1, arbitrary: HOSTILE },
    );
  }

  private ofType(type: string, schema: ValueSchema, depth: number): Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return fc.integer({ min: schema.minimum ?? -3, max: Math.min(schema.maximum ?? 1_000, 2_147_483_647) });
      case 'array':
        return this.list(schema, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return text(schema);
    }
  }

  /** Short, or exactly as long as allowed: there a rule and its documentation may differ by one. */
  private list(
    { items = {}, maxItems = Infinity, uniqueItems = false }: ValueSchema,
    depth: number,
  ): Arbitrary<unknown> {
    const item = this.valid(items, depth + 1);
    const short = fc.array(item, { maxLength: depth > 3 ? 1 : 3 });
    if (maxItems > MAX_LIST || uniqueItems || depth > 2) return short;
    const full = item.map((value) => Array.from({ length: maxItems }, () => structuredClone(value)));
    return fc.oneof({ weight: 5, arbitrary: short }, { weight: 1, arbitrary: full });
  }

  private object(
    { properties = {}, required = [], additionalProperties }: ValueSchema,
    depth: number,
  ): Arbitrary<unknown> {
    const wanted = Object.entries(properties).filter(([name]) => depth < 4 || required.includes(name));
    const named = fc.record(Object.fromEntries(wanted.map(([name, one]) => [name, this.valid(one, depth + 1)])), {
      requiredKeys: required.filter((name) => name in properties),
    });
    if (typeof additionalProperties !== 'object' || depth > 3) return named;
    const more = fc.dictionary(fc.string({ maxLength: 5 }), this.valid(additionalProperties, depth + 1), {
      maxKeys: 2,
    });
    return fc.tuple(more, named).map(([one, other]) => ({ ...one, ...other }));
  }
}

function text(schema: ValueSchema): Arbitrary<string> {
  const format = (schema['x-format'] as string | undefined) ?? schema.format ?? '';
  const known = OF_FORMAT[format];
  if (known) return fc.constantFrom(...known);
  if (format === 'uuid') return fc.uuid();
  const { minLength = 0, maxLength = 60, pattern } = schema;
  const isLong = (value: string) => value.length >= minLength && value.length <= maxLength;
  if (pattern !== undefined)
    return fc
      .stringMatching(new RegExp(pattern))
      .map((value) => value.slice(0, maxLength))
      .filter(isLong);
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 30) });
}

/** @returns the value with one of its parts spoilt; the steps lead to it */
function spoilt([value, hostile, steps]: [unknown, unknown, number[]]): unknown {
  if (typeof value !== 'object' || value === null || steps.length === 0) return hostile;
  const [step = 0, ...rest] = steps;
  const keys = Object.keys(value);
  // A place after the last: something that is not asked for.
  const key = keys[step % (keys.length + 1)];
  if (Array.isArray(value)) {
    return key === undefined
      ? [...(value as unknown[]), hostile]
      : value.with(Number(key), spoilt([value[Number(key)], hostile, rest]));
  }
  if (key === undefined) return { ...value, surplus: hostile };
  const { [key]: part, ...others } = value as Record<string, unknown>;
  return rest.length === 0 && step % 2 === 0 ? others : { ...others, [key]: spoilt([part, hostile, rest]) };
}
