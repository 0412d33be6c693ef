import { Ajv, type ValidateFunction } from 'ajv';
import { parseUrl } from '../../../src/config/parse-url';
import type { JsonObject as Json } from '../../../src/gateway/protocol/json-rpc';

/** The revisions of MCP that clients speak, and their eras. */
export const REVISIONS_OF_CLIENTS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type RevisionOfClient = (typeof REVISIONS_OF_CLIENTS)[number];

/** The methods that list, and where their results have the list. */
export const LISTS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const;
export type ListName = keyof typeof LISTS;

/*
 * What `schema.ts` of each revision says of lists and of results of tools, written for these tests: formats too, and members
 * that a revision does not know are allowed, as its own schema allows them.
 */

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const META = { type: 'object' };
const listOf = (items: Json): Json => ({ type: 'array', items });
const objectOf = (properties: Json, required: string[] = []): Json => ({ type: 'object', properties, required });

/** Until 2025-11-25. */
const OBJECT_SCHEMA = objectOf(
  {
    $schema: TEXT,
    type: { const: 'object' },
    properties: { type: 'object', additionalProperties: { type: 'object' } },
    required: listOf(TEXT),
  },
  ['type'],
);
const ROLES = listOf({ enum: ['user', 'assistant'] });
const TOOL_ANNOTATIONS = objectOf({
  ...{ title: TEXT, readOnlyHint: FLAG, destructiveHint: FLAG, idempotentHint: FLAG, openWorldHint: FLAG },
});
const PRIORITY = { type: 'number', minimum: 0, maximum: 1 };
const URI = { type: 'string', format: 'uri' };
const ICONS = listOf(
  objectOf({ src: URI, mimeType: TEXT, sizes: listOf(TEXT), theme: { enum: ['light', 'dark'] } }, ['src']),
);

function definitionsOf(revision: RevisionOfClient): Record<ListName, Json> {
  const since = (first: RevisionOfClient, fields: Json): Json => (revision >= first ? fields : {});
  const named = { ...since('2025-06-18', { title: TEXT, _meta: META }), ...since('2025-11-25', { icons: ICONS }) };
  const annotations = objectOf({
    ...{ audience: ROLES, priority: PRIORITY },
    ...since('2025-06-18', { lastModified: TEXT }),
  });
  const described = { description: TEXT, mimeType: TEXT, annotations, name: TEXT, ...named };
  const isModern = revision >= '2026-07-28';
  const anySchema = objectOf({ $schema: TEXT });
  const inputSchema = isModern ? objectOf({ $schema: TEXT, type: { const: 'object' } }, ['type']) : OBJECT_SCHEMA;
  return {
    'tools/list': objectOf(
      {
        ...{ name: TEXT, description: TEXT, ...named, inputSchema },
        ...since('2025-03-26', { annotations: TOOL_ANNOTATIONS }),
        ...since('2025-06-18', { outputSchema: isModern ? anySchema : OBJECT_SCHEMA }),
      },
      ['name', 'inputSchema'],
    ),
    'prompts/list': objectOf(
      {
        ...{ name: TEXT, description: TEXT, ...named },
        arguments: listOf(
          objectOf({ name: TEXT, description: TEXT, required: FLAG, ...since('2025-06-18', { title: TEXT }) }, [
            'name',
          ]),
        ),
      },
      ['name'],
    ),
    'resources/list': objectOf({ ...described, uri: URI, size: { type: 'integer' } }, ['name', 'uri']),
    'resources/templates/list': objectOf({ ...described, uriTemplate: { type: 'string', format: 'uri-template' } }, [
      'name',
      'uriTemplate',
    ]),
  };
}

function listSchema(revision: RevisionOfClient, method: ListName): Json {
  const field = LISTS[method];
  const common = { [field]: listOf(definitionsOf(revision)[method]), nextCursor: TEXT, _meta: META };
  if (revision < '2026-07-28') return objectOf(common, [field]);
  const hints = {
    resultType: TEXT,
    ttlMs: { type: 'integer', minimum: 0 },
    cacheScope: { enum: ['private', 'public'] },
  };
  return objectOf({ ...common, ...hints }, [field, ...Object.keys(hints)]);
}

function toolResultSchema(revision: RevisionOfClient): Json {
  const content = listOf(objectOf({ type: TEXT }, ['type']));
  const common = { content, isError: FLAG, _meta: META };
  if (revision >= '2026-07-28') return objectOf({ ...common, resultType: TEXT }, ['content', 'resultType']);
  return objectOf(revision >= '2025-06-18' ? { ...common, structuredContent: { type: 'object' } } : common, [
    'content',
  ]);
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    // The official client in Python reads it as the URL standard has it.
    uri: (uri: string) => /^[a-z][a-z0-9+.-]*:[^\p{Cc}]*$/iu.test(uri) && parseUrl(uri) !== undefined,
    'uri-template': /^(?:[^{}\p{Cc}]|\{[^{}\p{Cc}]+\})*$/u,
  },
});
const known = new Map<string, ValidateFunction>();

function faultsOf(key: string, schema: () => Json, value: unknown): string[] {
  const validate = known.get(key) ?? ajv.compile(schema());
  known.set(key, validate);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** @returns where the result of a list is not what a revision says */
export function faultsOfList(revision: RevisionOfClient, method: ListName, result: unknown): string[] {
  return faultsOf(`${revision} ${method}`, () => listSchema(revision, method), result);
}

/** @returns the same for a result of `tools/call` */
export function faultsOfToolResult(revision: RevisionOfClient, result: unknown): string[] {
  return faultsOf(revision, () => toolResultSchema(revision), result);
}
