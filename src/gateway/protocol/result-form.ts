import { isObjectOrBytes, JsonBytes } from './json-bytes';
import type { JsonObject } from './json-rpc';
import type { Era } from './revisions';

/**
 * The members of a result that its method prescribes, in the form that a client of an era can read: the official SDKs refuse
 * a result as a whole if one member is of another type (MCP, `CallToolResult` and its likes in `schema.ts` of each revision).
 *
 * @param method of the request
 * @param rest of a result that is complete, without `_meta`
 * @param wrapsOutput whether the list says that the tool gives its `structuredContent` as `{"result": …}` in the legacy era
 */
export function resultForm(method: string, rest: JsonObject, to: Era, wrapsOutput: boolean): JsonObject {
  switch (method) {
    case 'tools/call':
      return toolResult(rest, to, wrapsOutput);
    case 'prompts/get':
      return without(rest, 'description', isText(rest.description));
    default:
      return rest;
  }
}

function toolResult(rest: JsonObject, to: Era, wrapsOutput: boolean): JsonObject {
  const { content, structuredContent } = rest;
  // Required in every revision, also where there is nothing but `structuredContent`.
  const listed = isList(content) ? rest : { ...rest, content: [] };
  const flagged = without(listed, 'isError', typeof rest.isError === 'boolean');
  if (to === 'modern' || structuredContent === undefined) return flagged;
  // Before 2026-07-28 it is an object, and null is what some servers have in place of none. It may be of any size, so it
  // is wrapped as the bytes that it is.
  if (structuredContent === null && !wrapsOutput) return without(flagged, 'structuredContent', false);
  if (isObjectOrBytes(structuredContent) && !wrapsOutput) return flagged;
  return { ...flagged, structuredContent: { result: structuredContent } };
}

function isList(value: unknown): boolean {
  return value instanceof JsonBytes ? value.kind === 'list' : Array.isArray(value);
}

function isText(value: unknown): boolean {
  return value instanceof JsonBytes ? value.kind === 'string' : typeof value === 'string';
}

function without(value: JsonObject, name: string, isGood: boolean): JsonObject {
  if (isGood || !Object.hasOwn(value, name)) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}
