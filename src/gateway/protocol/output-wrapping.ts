import { isObject, type JsonObject } from './json-rpc';
import type { Edit, Path } from './json-edits';
import { isSchemaMap, isSchemaValue } from './schema-places';

/** Where the schema of a tool is after it was wrapped. */
const INNER = '#/properties/result';
/** Its `$recursiveRef` is a `$ref` where the root says nothing else; other dialects do not have it. */
const DIALECT_2019 = 'https://json-schema.org/draft/2019-09/schema';

/**
 * Whether clients of the legacy era get the results of a tool as `{"result": …}`: until 2025-11-25 `outputSchema` has to be of
 * type `object`, and `structuredContent` has to be one.
 */
export function isWrapped(outputSchema: unknown): boolean {
  return isObject(outputSchema) && outputSchema.type !== 'object';
}

/**
 * What makes an `outputSchema` of any type one of type `object` with the member `result`, as the official SDKs do for clients
 * of the legacy era. References inside point to the same places as before: pointers into the document get a prefix, names
 * (`#node`, of `$anchor` and `$dynamicAnchor`) stay, and below an `$id` of its own nothing changes, since that is where
 * references begin (JSON Schema 2020-12, core, 8.2).
 *
 * @param at where the schema is in what is edited
 */
export function wrappingEdits(outputSchema: JsonObject, at: Path): Edit[] {
  const edits: Edit[] = [];
  const { $schema } = outputSchema;
  const dialect = typeof $schema === 'string' ? `"$schema":${JSON.stringify($schema)},` : '';
  // It is of the whole document, so it moves to the new root.
  if (dialect !== '') edits.push({ path: [...at, '$schema'], what: 'remove' });
  const is2019 = typeof $schema === 'string' && $schema.replace(/#$/, '') === DIALECT_2019;
  const convertsRecursion = is2019 && outputSchema.$recursiveAnchor !== true;
  moveReferences(outputSchema, at, convertsRecursion, edits);
  const before = `{${dialect}"type":"object","properties":{"result":`;
  edits.push({ path: at, what: 'wrap', before, after: '},"required":["result"]}' });
  return edits;
}

function moveReferences(schema: unknown, path: Path, convertsRecursion: boolean, edits: Edit[]): void {
  if (Array.isArray(schema)) {
    schema.forEach((item, index) => moveReferences(item, [...path, index], convertsRecursion, edits));
    return;
  }
  if (!isObject(schema) || hasOwnBase(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    const at = [...path, name];
    if (name === '$ref' || name === '$dynamicRef') {
      const moved = movedReference(value);
      if (moved !== undefined) edits.push({ path: at, what: 'set', value: moved });
    } else if (name === '$recursiveRef' && value === '#' && convertsRecursion && schema.$ref === undefined) {
      edits.push({ path: at, what: 'remove' }, { path: [...path, '$ref'], what: 'set', value: INNER });
    } else if (isSchemaMap(name) && isObject(value)) {
      for (const [key, part] of Object.entries(value)) moveReferences(part, [...at, key], convertsRecursion, edits);
    } else if (isSchemaValue(name)) moveReferences(value, at, convertsRecursion, edits);
  }
}

function movedReference(reference: unknown): string | undefined {
  if (reference === '#') return INNER;
  return typeof reference === 'string' && reference.startsWith('#/') ? INNER + reference.slice(1) : undefined;
}

/** One that is only a fragment is a name, as `$anchor` is later (draft-06 and -07). */
function hasOwnBase({ $id }: JsonObject): boolean {
  return typeof $id === 'string' && !$id.startsWith('#');
}
