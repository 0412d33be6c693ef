import { TOKEN } from '../../http/requests/header-token';
import type { JsonBytes } from './json-bytes';
import { bytesAt } from './json-splice';
import { jsonBuffer } from './json-writing';
import { decodeHeaderValue } from './header-value';
import { isObject, type JsonObject, type RequestId, RpcCode, RpcFailure } from './json-rpc';

/** @returns the value of a header; undefined if it is absent, or repeated */
export type HeaderReader = (name: string) => string | undefined;

/** Which parameter `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const NESTING = 32;

/**
 * Requires `Mcp-Method` and `Mcp-Name` to say what the body says (MCP 2026-07-28, Streamable HTTP, "Standard Request
 * Headers"). The body is what counts everywhere else.
 *
 * @throws RpcFailure 400 with -32020
 */
export function requireMatchingHeaders(id: RequestId, method: string, params: JsonObject, header: HeaderReader): void {
  requireSame(id, 'Mcp-Method', header('mcp-method'), method);
  const field = NAMED_BY.get(method);
  const value = field === undefined ? undefined : params[field];
  if (typeof value !== 'string') return; // What the method requires is checked where it is served.
  const said = header('mcp-name');
  if (said === undefined) throw mismatched(id, 'Mcp-Name is missing.');
  const decoded = decodeHeaderValue(said);
  if (decoded === undefined) throw mismatched(id, 'Mcp-Name is not a valid value.');
  requireSame(id, 'Mcp-Name', decoded, value);
}

/** A parameter that the definition of a tool wants repeated in a header. */
export interface ParamHeader {
  /** In lower case, such as `mcp-param-region`. */
  readonly name: string;
  /** The names of properties that lead to the value. */
  readonly path: readonly string[];
}

/**
 * The parameters that the input schema of a tool wants repeated (`x-mcp-header`).
 *
 * @returns undefined if an annotation violates the rules: clients leave such a tool out
 */
export function paramHeadersOf(inputSchema: unknown): ParamHeader[] | undefined {
  const found: ParamHeader[] = [];
  if (!collect(inputSchema, [], true, found)) return undefined;
  return new Set(found.map(({ name }) => name)).size === found.length ? found : undefined;
}

/**
 * Requires each `Mcp-Param-*` that the tool knows to say what the arguments say, and to be there exactly where a value is.
 *
 * @throws RpcFailure 400 with -32020
 */
export function requireMatchingParams(
  id: RequestId,
  headers: readonly ParamHeader[],
  args: JsonObject | JsonBytes,
  header: HeaderReader,
): void {
  const text = headers.length > 0 ? jsonBuffer(args) : undefined;
  for (const { name, path } of headers) {
    const found = text && bytesAt(text, path);
    const value = found?.parse();
    const said = header(name);
    if (value === undefined || value === null) {
      if (said !== undefined) throw mismatched(id, `${name} is present, but the arguments have no such value.`);
      continue;
    }
    if (said === undefined) throw mismatched(id, `${name} is missing.`);
    const decoded = decodeHeaderValue(said);
    if (decoded === undefined) throw mismatched(id, `${name} is not a valid value.`);
    if (found?.text !== decoded && !isSame(decoded, value))
      throw mismatched(id, `${name} does not say what the arguments say.`);
  }
}

/** @param path the names that lead to the schema: one array that is changed in place, and copied for an annotation */
function collect(schema: unknown, path: string[], isReachable: boolean, found: ParamHeader[]): boolean {
  if (path.length > NESTING) return false;
  if (Array.isArray(schema)) return schema.every((part) => collect(part, path, false, found));
  if (!isObject(schema)) return true;
  const named = schema['x-mcp-header'];
  // Also the name of a property, which is an object.
  if (named !== undefined && !isObject(named)) {
    const isValid = isReachable && path.length > 0 && typeof named === 'string' && TOKEN.test(named);
    if (!isValid || !['string', 'integer', 'boolean'].includes(String(schema.type))) return false;
    found.push({ name: `mcp-param-${named.toLowerCase()}`, path: [...path] });
  }
  return Object.entries(schema).every(([key, part]) => {
    if (key !== 'properties' || !isObject(part)) return collectInside(key, part, path, false, found);
    return Object.entries(part).every(([name, property]) => collectInside(name, property, path, isReachable, found));
  });
}

function collectInside(name: string, part: unknown, path: string[], isReachable: boolean, found: ParamHeader[]) {
  // Nothing is inside a text or a number: only its depth counts.
  if (typeof part !== 'object') return path.length < NESTING;
  path.push(name);
  const isValid = collect(part, path, isReachable, found);
  path.pop();
  return isValid;
}

/** Whole numbers are compared as numbers: `42.0` is 42. */
function isSame(said: string, value: unknown): boolean {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  if (typeof value === 'number') return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(said) && Number(said) === value;
  return said === String(value);
}

function requireSame(id: RequestId, name: string, said: string | undefined, value: string): void {
  if (said === undefined) throw mismatched(id, `${name} is missing.`);
  if (said !== value)
    throw mismatched(id, `${name} is ${JSON.stringify(said)}, but the body says ${JSON.stringify(value)}.`);
}

/** @returns the failure of a header that does not say what the body says */
export function mismatched(id: RequestId, detail: string): RpcFailure {
  return new RpcFailure(400, RpcCode.HeaderMismatch, `Header mismatch: ${detail}`, id);
}
