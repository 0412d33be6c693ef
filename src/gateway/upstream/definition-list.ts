import { isObject, type JsonObject } from '../edge/json-rpc';
import { paramHeadersOf } from '../edge/mirrored-headers';
import { UpstreamFailure } from './upstream-failure';

/** What an upstream offers, by the method that lists it. */
export const DEFINITION_KINDS = {
  tool: { method: 'tools/list', field: 'tools', key: 'name' },
  prompt: { method: 'prompts/list', field: 'prompts', key: 'name' },
  resource: { method: 'resources/list', field: 'resources', key: 'uri' },
  template: { method: 'resources/templates/list', field: 'resourceTemplates', key: 'uriTemplate' },
} as const;
export type DefinitionKind = keyof typeof DEFINITION_KINDS;

/** Bounds of what an upstream lists; it cannot take what the others of a bundle need. */
export const LIST_LIMITS = {
  /** Of one list. */
  pages: 100,
  /** Of all lists of an upstream together. */
  definitions: 2_000,
  bytes: 4_194_304,
  definitionBytes: 262_144,
  /** It is part of an index, whose rows have room for 2.7 kB. */
  nameBytes: 1_024,
} as const;

/** A tool, prompt, resource or template as its upstream defines it. */
export interface Definition {
  /** Its name, address or template: unique in the list. */
  readonly name: string;
  readonly body: JsonObject;
}

/** A definition that cannot be offered. */
export interface LeftOut {
  /** Undefined if it has none that could be shown. */
  readonly name: string | undefined;
  readonly reason: string;
}

/** What an upstream lists. */
export interface DefinitionList {
  readonly definitions: readonly Definition[];
  readonly leftOut: readonly LeftOut[];
  /** For how long the upstream says that it is fresh, in milliseconds; undefined if it says nothing. */
  readonly ttlMs: number | undefined;
}

/** How much the lists of an upstream have taken so far. A list that was refused takes nothing from the next one. */
export interface ListUse {
  definitions: number;
  bytes: number;
}

/** @returns the result of one page; undefined if the upstream does not know the method */
export type ReadPage = (method: string, cursor: string | undefined) => Promise<JsonObject | undefined>;

/**
 * Reads all pages of a list. What cannot be offered is left out, each with a reason; a list that is too long as a whole is
 * a failure, because nobody could tell which part of it counts.
 *
 * @param use of the lists of the upstream that were read before; is added to
 * @throws UpstreamFailure `too_large`, `upstream_error`; what `read` throws
 */
export async function readDefinitions(
  kind: DefinitionKind,
  read: ReadPage,
  use: ListUse = { definitions: 0, bytes: 0 },
): Promise<DefinitionList> {
  const { method, field } = DEFINITION_KINDS[kind];
  const found = new Map<string, Definition>();
  const leftOut: LeftOut[] = [];
  const cursors = new Set<string>();
  let ttlMs: number | undefined;
  let { bytes } = use;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const result = await read(method, cursor);
    if (result === undefined) break;
    const items = result[field];
    if (!Array.isArray(items)) throw broken(`${method} has answered without "${field}".`);
    for (const item of items as unknown[]) {
      const text = JSON.stringify(item);
      bytes += Buffer.byteLength(text);
      if (bytes > LIST_LIMITS.bytes) throw tooLarge(field, `${LIST_LIMITS.bytes / 1_048_576} MiB`);
      const definition = definitionOf(kind, item, Buffer.byteLength(text), found);
      if ('reason' in definition) leftOut.push(definition);
      else found.set(definition.name, definition);
      if (use.definitions + found.size + leftOut.length > LIST_LIMITS.definitions)
        throw tooLarge(field, `${LIST_LIMITS.definitions} definitions`);
    }
    ttlMs = shorter(ttlMs, result.ttlMs);
    if (typeof result.nextCursor !== 'string') break;
    cursor = result.nextCursor;
    if (cursors.has(cursor)) throw broken(`${method} repeats a cursor, so its list has no end.`);
    cursors.add(cursor);
    if (page === LIST_LIMITS.pages) throw tooLarge(field, `${LIST_LIMITS.pages} pages`);
  }
  use.definitions += found.size + leftOut.length;
  use.bytes = bytes;
  return { definitions: [...found.values()], leftOut, ttlMs };
}

function definitionOf(
  kind: DefinitionKind,
  item: unknown,
  bytes: number,
  found: ReadonlyMap<string, Definition>,
): Definition | LeftOut {
  const name = isObject(item) ? item[DEFINITION_KINDS[kind].key] : undefined;
  if (!isObject(item) || typeof name !== 'string' || name === '') return { name: undefined, reason: 'It has no name.' };
  // PostgreSQL stores no NUL, and no half of a character is UTF-8.
  if (name.includes('\0') || !name.isWellFormed()) return { name: undefined, reason: 'Its name is not valid text.' };
  if (Buffer.byteLength(name) > LIST_LIMITS.nameBytes)
    return { name: undefined, reason: `Its name has more than ${LIST_LIMITS.nameBytes} bytes.` };
  if (bytes > LIST_LIMITS.definitionBytes)
    return { name, reason: `It has more than ${LIST_LIMITS.definitionBytes / 1_024} KiB.` };
  if (found.has(name)) return { name, reason: 'The server lists the name twice; the first one counts.' };
  if (kind === 'tool') {
    if (!isObject(item.inputSchema)) return { name, reason: 'It has no "inputSchema".' };
    if (paramHeadersOf(item.inputSchema) === undefined)
      return { name, reason: 'Its "x-mcp-header" annotations violate the specification.' };
  }
  return { name, body: item };
}

function shorter(known: number | undefined, said: unknown): number | undefined {
  if (!Number.isSafeInteger(said) || (said as number) < 0) return known;
  return Math.min(known ?? Infinity, said as number);
}

function tooLarge(field: string, limit: string): UpstreamFailure {
  return new UpstreamFailure('too_large', `It lists more than ${limit}, so its ${field} were not read.`, false);
}

function broken(detail: string): UpstreamFailure {
  return new UpstreamFailure('upstream_error', detail, false);
}
