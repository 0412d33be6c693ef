import { isObject, type JsonObject } from './json-rpc';
import { type Edit, edited, type Path } from './json-edits';
import { isWrapped, wrappingEdits } from './output-wrapping';

/**
 * What makes a valid definition of a tool one for clients of the legacy era: those revisions want an `outputSchema` of type
 * `object` and, in both schemas, properties that are objects, where later ones also take true and false.
 *
 * @param tool as clients of the modern era get it
 * @returns edits; none: it is the same
 */
export function legacyEdits({ inputSchema, outputSchema }: JsonObject): Edit[] {
  const edits = objectsForFlags(inputSchema, ['inputSchema']);
  if (!isObject(outputSchema)) return edits;
  const output = isWrapped(outputSchema)
    ? wrappingEdits(outputSchema, ['outputSchema'])
    : objectsForFlags(outputSchema, ['outputSchema']);
  return [...edits, ...output];
}

/** @returns the definition of a tool for clients of the legacy era; the same object if nothing of it differs */
export function legacyTool(tool: JsonObject): JsonObject {
  return edited(tool, legacyEdits(tool));
}

function objectsForFlags(schema: unknown, path: Path): Edit[] {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, part]): Edit[] =>
    typeof part === 'boolean'
      ? [{ path: [...path, 'properties', name], what: 'set', value: part ? {} : { not: {} } }]
      : [],
  );
}
