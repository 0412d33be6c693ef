import { isSpecType } from '@modelcontextprotocol/client';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import {
  faultsOfList,
  LISTS,
  type ListName,
  REVISIONS_OF_CLIENTS,
} from '../../../test/gateway/support/revision-schemas';
import type { JsonObject } from './json-rpc';
import { mendDefinition, type MendedKind } from './definition-mending';
import { type Edit, edited, editedText } from './json-edits';
import { legacyEdits, legacyTool } from './legacy-definition';
import { cases } from '../../../test/support/random-cases';

const METHODS: Readonly<Record<MendedKind, ListName>> = {
  tool: 'tools/list',
  prompt: 'prompts/list',
  resource: 'resources/list',
  template: 'resources/templates/list',
};
const RESULTS = {
  tool: 'ListToolsResult',
  prompt: 'ListPromptsResult',
  resource: 'ListResourcesResult',
  template: 'ListResourceTemplatesResult',
} as const;
const HINTS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** @returns what clients of every revision get, and what is wrong with it */
function shown(kind: MendedKind, definition: JsonObject) {
  const mended = mendDefinition(kind, definition);
  if ('leftOut' in mended) return { leftOut: mended.leftOut, faults: [] };
  const modern = edited(definition, mended.edits);
  const legacy = kind === 'tool' ? legacyTool(modern) : modern;
  // What clients get is written from the text of the server.
  const textOf = (value: JsonObject, edits: readonly Edit[]): unknown =>
    JSON.parse(editedText(Buffer.from(JSON.stringify(value)), edits));
  expect(textOf(definition, mended.edits)).toEqual(JSON.parse(JSON.stringify(modern)));
  if (kind === 'tool') expect(textOf(modern, legacyEdits(modern))).toEqual(JSON.parse(JSON.stringify(legacy)));
  const method = METHODS[kind];
  const faults = REVISIONS_OF_CLIENTS.flatMap((revision) => {
    const result = { [LISTS[method]]: [revision === '2026-07-28' ? modern : legacy], ...HINTS };
    const unread = isSpecType[RESULTS[kind]](result) ? [] : ['is not read by the official client'];
    return [...faultsOfList(revision, method, result), ...unread].map((fault) => `${revision} ${fault}`);
  });
  return { modern, legacy, fault: mended.fault, faults };
}

const tool = (fields: object): JsonObject => ({ name: 'a', inputSchema: { type: 'object' }, ...fields });
const resource = (fields: object): JsonObject => ({ uri: 'memo://a', name: 'A', ...fields });

describe('A definition that clients cannot read', () => {
  it.each<[MendedKind, string, JsonObject, JsonObject, string]>([
    ['tool', 'no title', tool({ title: null }), tool({}), '/title is null: dropped.'],
    ['tool', 'no description', tool({ description: null }), tool({}), '/description is null: dropped.'],
    ['tool', 'a number as its description', tool({ description: 5 }), tool({}), '/description is a number: dropped.'],
    ['tool', 'no annotations', tool({ annotations: null }), tool({}), '/annotations is null: dropped.'],
    [
      'tool',
      'an empty list as its annotations',
      tool({ annotations: [] }),
      tool({}),
      '/annotations is a list: dropped.',
    ],
    [
      'tool',
      'texts as its hints',
      tool({ annotations: { readOnlyHint: 'true', title: 'A', openWorldHint: null, other: null } }),
      tool({ annotations: { title: 'A', other: null } }),
      '/annotations/readOnlyHint is a text: dropped; /annotations/openWorldHint is null: dropped.',
    ],
    ['tool', 'no icons', tool({ icons: null }), tool({}), '/icons is null: dropped.'],
    [
      'tool',
      'icons that clients must not show',
      tool({
        icons: [{ src: 'javascript:alert(1)' }, { src: 'https://a.example/a.png', sizes: '48x48', theme: 'blue' }],
      }),
      tool({ icons: [{ src: 'https://a.example/a.png' }] }),
      '/icons/0 is not valid: dropped; /icons/1/sizes is a text: dropped; /icons/1/theme is neither "light" nor "dark": dropped.',
    ],
    ['tool', 'no _meta', tool({ _meta: null }), tool({}), '/_meta is null: dropped.'],
    [
      'tool',
      'an empty schema',
      { name: 'a', inputSchema: {} },
      tool({}),
      '/inputSchema/type is missing: completed to "object".',
    ],
    [
      'tool',
      'a schema of no type',
      { name: 'a', inputSchema: { properties: { b: { type: 'string' } } } },
      { name: 'a', inputSchema: { properties: { b: { type: 'string' } }, type: 'object' } },
      '/inputSchema/type is missing: completed to "object".',
    ],
    [
      'tool',
      'a schema of several types',
      { name: 'a', inputSchema: { type: ['object', 'null'] } },
      tool({}),
      '/inputSchema/type is a list: completed to "object".',
    ],
    [
      'tool',
      'a schema in which what is not there is null',
      tool({
        inputSchema: { type: 'object', properties: { b: { type: 'string', description: null } }, required: null },
      }),
      tool({ inputSchema: { type: 'object', properties: { b: { type: 'string' } } } }),
      '/inputSchema/properties/b/description is null: dropped; /inputSchema/required is null: dropped.',
    ],
    [
      'tool',
      'lists as its properties',
      tool({ inputSchema: { type: 'object', properties: [] } }),
      tool({ inputSchema: { type: 'object', properties: {} } }),
      '/inputSchema/properties is an empty list: completed to an empty object.',
    ],
    [
      'tool',
      'properties that are no schemas',
      tool({ inputSchema: { type: 'object', properties: { b: null, c: 'string' }, required: ['b', 1] } }),
      tool({ inputSchema: { type: 'object', properties: { b: {}, c: {} }, required: ['b'] } }),
      '/inputSchema/properties/b is null: completed to an empty schema; /inputSchema/properties/c is a text: completed to an empty schema; /inputSchema/required has members that are no text: dropped.',
    ],
    ['tool', 'no output schema', tool({ outputSchema: null }), tool({}), '/outputSchema is null: dropped.'],
    [
      'tool',
      'an output schema with a reference to nothing',
      tool({ outputSchema: { type: 'object', properties: { b: { $ref: '#/$defs/c' } } } }),
      tool({}),
      '/outputSchema cannot be compiled (/properties/b/$ref leads nowhere): dropped.',
    ],
    [
      'tool',
      'an output schema of a type that does not exist',
      tool({ outputSchema: { type: 'object', properties: { b: { type: 'str' } } } }),
      tool({}),
      '/outputSchema cannot be compiled (/properties/b/type): dropped.',
    ],
    ['prompt', 'no arguments', { name: 'a', arguments: null }, { name: 'a' }, '/arguments is null: dropped.'],
    [
      'prompt',
      'arguments without a name',
      { name: 'a', arguments: [{ name: 'b', required: null }, { description: 'x' }, 'c'] },
      { name: 'a', arguments: [{ name: 'b' }] },
      '/arguments/0/required is null: dropped; /arguments/1 is not valid: dropped; /arguments/2 is not valid: dropped.',
    ],
    [
      'resource',
      'no name',
      { uri: 'memo://a' },
      resource({ name: 'memo://a' }),
      '/name is missing: completed to its uri.',
    ],
    [
      'resource',
      'null as its name',
      { uri: 'memo://a', name: null, title: 'A' },
      resource({ title: 'A' }),
      '/name is null: completed to its title.',
    ],
    [
      'resource',
      'a size in words and annotations of other types',
      resource({ size: '5 kB', annotations: { audience: ['user', 'all'], priority: 2, lastModified: 'today' } }),
      resource({ annotations: { audience: ['user'] } }),
      '/annotations/audience/1 is not valid: dropped; /annotations/priority is not a number from 0 to 1: dropped; /annotations/lastModified is not a time with an offset: dropped; /size is not an integer: dropped.',
    ],
    [
      'template',
      'no MIME type',
      { uriTemplate: 'memo://{a}', name: 'A', mimeType: null },
      { uriTemplate: 'memo://{a}', name: 'A' },
      '/mimeType is null: dropped.',
    ],
  ])('is mended, and what was wrong is said: a %s with %s', (kind, _, definition, expected, fault) => {
    expect(shown(kind, definition)).toMatchObject({ modern: expected, fault, faults: [] });
  });

  it.each<[MendedKind, JsonObject, string]>([
    ['tool', { name: 'a' }, 'Its "inputSchema" is missing.'],
    ['tool', { name: 'a', inputSchema: null }, 'Its "inputSchema" is null.'],
    ['tool', { name: 'a', inputSchema: { type: 'array' } }, 'Its "inputSchema" is not of type "object".'],
    ['resource', { uri: 'no address', name: 'A' }, 'Its "uri" is not an address.'],
    // A client in Python refuses a list that has one of these.
    ...['memory://session:current', 'config://app:settings/x', 'http://', 'db://h:99999/x', 'memo://a b/c'].map(
      (uri): [MendedKind, JsonObject, string] => ['resource', { uri, name: 'A' }, 'Its "uri" is not an address.'],
    ),
    ['template', { uriTemplate: 'memo://{a', name: 'A' }, 'Its "uriTemplate" is not a template (RFC 6570).'],
  ])('is left out where nothing can mend it: %s %j', (kind, definition, leftOut) => {
    expect(mendDefinition(kind, definition)).toEqual({ leftOut });
  });

  it.each(['memo://a', 'file:///a b', 'urn:x:y', 'data:,x', 'custom:thing', 'memo://ä/{x}', 'https://例え.jp/a'])(
    'passes with the address %s',
    (uri) => {
      expect(shown('resource', resource({ uri }))).toMatchObject({ fault: undefined, faults: [] });
    },
  );

  it('says how much more is wrong', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, null]));
    const { fault } = shown('tool', tool({ inputSchema: { type: 'object', properties } }));
    expect(fault).toMatch(/^\/inputSchema\/properties\/p0 is null: .*; and 15 more\.$/);
  });

  it('is the same object, with nothing to say, if it is valid', () => {
    const valid = tool({
      title: 'A',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object', properties: { b: { type: 'number', default: null } } },
      'x-other': null,
    });
    const { modern, legacy, fault } = shown('tool', valid);
    expect(fault).toBeUndefined();
    expect(modern).toBe(valid);
    expect(legacy).toBe(valid);
  });

  it('has properties that are objects for clients of the legacy era, which know no true and false there', () => {
    const inputSchema = { type: 'object', properties: { b: true, c: false } };
    const { modern, legacy, faults } = shown('tool', tool({ inputSchema }));
    expect(modern).toMatchObject({ inputSchema });
    expect(legacy).toMatchObject({ inputSchema: { type: 'object', properties: { b: {}, c: { not: {} } } } });
    expect(faults).toEqual([]);
  });

  it('gives no schema a name by which a client could take it for that of another server', () => {
    const $id = 'https://schemas.example/item.json';
    const outputSchema = { $id, type: 'object', properties: { a: { $ref: `${$id}#/$defs/A` }, b: { $ref: '#' } } };
    const { modern, fault } = shown(
      'tool',
      tool({ outputSchema: { ...outputSchema, $defs: { A: { type: 'string' } } } }),
    );
    expect(modern?.outputSchema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#' } },
      $defs: { A: { type: 'string' } },
    });
    expect(fault).toContain('/outputSchema/$id ');
  });
});

/** Values that other software puts where something else belongs. */
const WRONG = fc.oneof(
  fc.constantFrom(null, [], {}, '', 'x', true, false, 0, -1, 1.5, [null], [{}], { type: 'array' }, '#', '#/$defs/X'),
  fc.jsonValue({ maxDepth: 2 }),
);
const schemaOf = fc.letrec<{ schema: JsonObject; node: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonObject>({}, { type: 'string' }),
    tie('node'),
  ),
  node: fc.record(
    {
      type: fc.constantFrom('object', 'array', 'string', ['string', 'null'], 'integer'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', '$ref', 'default'), tie('schema'), { maxKeys: 2 }),
      required: fc.constant(['a']),
      items: tie('schema'),
      $ref: fc.constantFrom('#', '#/$defs/D', '#/properties/a', '#node'),
      $dynamicRef: fc.constantFrom('#node', '#/$defs/D'),
      $defs: fc.record({ D: tie('schema') }),
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      pattern: fc.constantFrom('^a', '^\\-', '('),
      enum: fc.constantFrom(['a'], []),
      default: fc.jsonValue({ maxDepth: 1 }),
      description: fc.string(),
      additionalProperties: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
})).node;
const NAMED = { title: fc.string(), description: fc.string(), _meta: fc.constant({ 'a.b/c': 1 }) };
const ICONS = fc.constant([
  { src: 'data:image/png;base64,AA==', sizes: ['48x48'], theme: 'dark', mimeType: 'image/png' },
]);
const OF_RESOURCE = {
  ...NAMED,
  icons: ICONS,
  name: fc.string(),
  mimeType: fc.constant('text/plain'),
  annotations: fc.constant({ audience: ['user'], priority: 0.5, lastModified: '2026-01-12T15:00:58Z' }),
};
const DEFINITIONS: Readonly<Record<MendedKind, fc.Arbitrary<JsonObject>>> = {
  tool: fc.record(
    {
      ...{ ...NAMED, icons: ICONS, name: fc.constant('a') },
      inputSchema: schemaOf.map((schema) => ({ ...schema, type: 'object' })),
      outputSchema: schemaOf,
      annotations: fc.constant({ title: 'A', readOnlyHint: true, destructiveHint: false }),
    },
    { requiredKeys: ['name', 'inputSchema'] },
  ),
  prompt: fc.record(
    {
      ...{ ...NAMED, icons: ICONS, name: fc.constant('a') },
      arguments: fc.constant([{ name: 'b', title: 'B', description: '', required: true }]),
    },
    { requiredKeys: ['name'] },
  ),
  resource: fc.record(
    { ...OF_RESOURCE, uri: fc.constantFrom('memo://a', 'file:///ä b.txt'), size: fc.nat() },
    { requiredKeys: ['name', 'uri'] },
  ),
  template: fc.record(
    { ...OF_RESOURCE, uriTemplate: fc.constantFrom('memo://{a}', 'file:///{+path*}') },
    { requiredKeys: ['name', 'uriTemplate'] },
  ),
};

/** Everything in a value that could be something else. */
function placesIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    placesIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...inner] : inner;
}

/** Definitions as servers list them: up to three of their values are something else, or are not there. */
const mutated = (kind: MendedKind): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(DEFINITIONS[kind], fc.array(fc.tuple(fc.nat(), fc.boolean(), WRONG), { maxLength: 3 }))
    .map(([definition, mutations]) =>
      mutations.reduce((now, [where, isRemoved, value]) => {
        const places = placesIn(now);
        const path = places[where % Math.max(places.length, 1)];
        if (!path) return now;
        return edited(now, [isRemoved ? { path, what: 'remove' } : { path, what: 'set', value }]);
      }, definition),
    );

const KINDS = Object.keys(METHODS) as MendedKind[];

describe('Whatever a server lists', () => {
  it.each(KINDS)('is valid for clients of every revision, or is left out: a %s', (kind) => {
    fc.assert(
      fc.property(mutated(kind), (definition) => {
        expect(shown(kind, definition).faults).toEqual([]);
      }),
      { numRuns: cases(700) },
    );
  });

  it('passes unchanged if it is valid', () => {
    const valid = fc.constantFrom(...KINDS.filter((kind) => kind !== 'tool'));
    fc.assert(
      fc.property(
        valid.chain((kind) => fc.tuple(fc.constant(kind), DEFINITIONS[kind])),
        ([kind, definition]) => {
          expect(mendDefinition(kind, definition)).toEqual({ edits: [], fault: undefined });
        },
      ),
    );
  });

  it('has output schemas that the validators of clients compile, in the forms of both eras', () => {
    fc.assert(
      fc.property(mutated('tool'), (definition) => {
        const { modern, legacy } = shown('tool', definition);
        for (const form of [modern, legacy]) {
          if (form?.outputSchema === undefined) continue;
          // As the official SDK for TypeScript has it until 1.32.
          const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, allErrors: true });
          expect(() => ajv.compile(form.outputSchema as JsonObject)).not.toThrow();
        }
      }),
      { numRuns: cases(700) },
    );
  });

  it('is mended once: what is mended is valid', () => {
    const any = fc.constantFrom(...KINDS).chain((kind) => fc.tuple(fc.constant(kind), mutated(kind)));
    fc.assert(
      fc.property(any, ([kind, definition]) => {
        const { modern } = shown(kind, definition);
        if (modern) expect(mendDefinition(kind, modern)).toEqual({ edits: [], fault: undefined });
      }),
      { numRuns: cases(400) },
    );
  });
});
