import { isObject, type JsonObject } from './json-rpc';
import { nextTurn } from '../../http/requests/next-turn';
import { paramHeadersOf } from './mirrored-headers';
import { JsonBytes } from './json-bytes';
import { bytesAt, compacted, repeatsNames } from './json-splice';
import { jsonBuffer } from './json-writing';
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

/** Of definitions that are read before other requests get a turn. */
const BYTES_PER_TURN = 262_144;

/** A tool, prompt, resource or template as its upstream defines it. */
export interface Definition {
  /** Its name, address or template: unique in the list. */
  readonly name: string;
  readonly body: JsonObject;
  /** The same as it came, but for white space. */
  readonly text: string;
}

/** A definition that cannot be offered, or the end of a list that could not be read. */
export interface OmittedDefinition {
  /** Undefined if it has none that could be shown. */
  readonly name: string | undefined;
  readonly reason: string;
  /** That the list of this kind was cut; absent: it is about one definition. */
  readonly code?: 'list_cut';
  readonly kind?: DefinitionKind;
}

/** What an upstream lists. */
export interface DefinitionList {
  readonly definitions: readonly Definition[];
  readonly leftOut: readonly OmittedDefinition[];
  /** For how long the upstream says that it is fresh, in milliseconds; undefined if it says nothing. */
  readonly ttlMs: number | undefined;
  /** Why the rest of it could not be read, if its first page could: an upstream that fails may give all of it the next time. */
  readonly failure: UpstreamFailure | undefined;
}

/** How much the lists of an upstream have taken so far. */
export interface ListUsage {
  definitions: number;
  bytes: number;
}

/** @returns the result of one page; undefined if the upstream does not know the method */
export type ReadPage = (method: string, cursor: string | undefined) => Promise<JsonObject | undefined>;

/**
 * Reads all pages of a list. What cannot be offered is left out, each with a reason. A list whose later pages cannot be read, or
 * that is too long, is cut there: what precedes that counts, and `leftOut` says so.
 *
 * @param use of the lists of the upstream that were read before; is added to
 * @throws UpstreamFailure `upstream_error` for a first page that is no list; what `read` throws about the first page, and what
 *   is no UpstreamFailure
 */
export async function readDefinitions(
  kind: DefinitionKind,
  read: ReadPage,
  use: ListUsage = { definitions: 0, bytes: 0 },
): Promise<DefinitionList> {
  const { method, field } = DEFINITION_KINDS[kind];
  const found = new Map<string, Definition>();
  const leftOut: OmittedDefinition[] = [];
  const cursors = new Set<string>();
  let ttlMs: number | undefined;
  let unpaused = 0;
  let cursor: string | undefined;
  let failure: UpstreamFailure | undefined;
  const cut = (reason: string) => void leftOut.unshift({ name: undefined, reason, code: 'list_cut', kind });
  reading: for (let page = 1; ; page++) {
    let result: JsonObject | undefined;
    try {
      result = await read(method, cursor);
      if (result === undefined) break;
      if (!Array.isArray(result[field])) throw broken(`${method} has answered without "${field}".`);
    } catch (error) {
      if (page === 1 || !(error instanceof UpstreamFailure)) throw error;
      failure = error;
      cut(`Page ${page} of its ${field} could not be read: ${error.message} Those before it are offered.`);
      break;
    }
    for (const item of result[field] as unknown[]) {
      const text = item instanceof JsonBytes ? compacted(item.bytes) : jsonBuffer(item);
      unpaused += text.length;
      if (unpaused > BYTES_PER_TURN) {
        unpaused = 0;
        await nextTurn();
      }
      const definition = definitionOf(kind, text, found);
      // Such as those of a page that comes again.
      if ('reason' in definition && isKnown(definition, text, found)) continue;
      const limit = limitOf(use, text.length);
      if (limit !== undefined) {
        cut(`It lists more than ${limit}: the first ${found.size} of its ${field} are offered.`);
        break reading;
      }
      use.definitions++;
      use.bytes += text.length;
      if ('reason' in definition) leftOut.push(definition);
      else found.set(definition.name, definition);
    }
    ttlMs = shorter(ttlMs, result.ttlMs);
    if (typeof result.nextCursor !== 'string') break;
    cursor = result.nextCursor;
    if (cursors.has(cursor)) {
      cut(`${method} repeats a cursor, so its list has no end: the first ${found.size} of its ${field} are offered.`);
      break;
    }
    cursors.add(cursor);
    if (page === LIST_LIMITS.pages) {
      cut(`It lists more than ${LIST_LIMITS.pages} pages: the first ${found.size} of its ${field} are offered.`);
      break;
    }
  }
  return { definitions: [...found.values()], leftOut, ttlMs, failure };
}

/** @returns what its next definition would exceed */
function limitOf({ definitions, bytes }: ListUsage, size: number): string | undefined {
  if (definitions >= LIST_LIMITS.definitions) return `${LIST_LIMITS.definitions} definitions`;
  return bytes + size > LIST_LIMITS.bytes ? `${LIST_LIMITS.bytes / 1_048_576} MiB` : undefined;
}

/** @returns whether it has been listed before, just so */
function isKnown({ name }: OmittedDefinition, text: Buffer, found: ReadonlyMap<string, Definition>): boolean {
  const known = name === undefined ? undefined : found.get(name);
  if (known === undefined || text.length > LIST_LIMITS.definitionBytes) return false;
  return known.text === writtenOnce(text, JSON.parse(text.toString('utf8')) as JsonObject);
}

function definitionOf(
  kind: DefinitionKind,
  text: Buffer,
  found: ReadonlyMap<string, Definition>,
): Definition | OmittedDefinition {
  // One that is too long is not worth being parsed.
  const isLong = text.length > LIST_LIMITS.definitionBytes;
  const key = DEFINITION_KINDS[kind].key;
  const item: unknown = isLong ? { [key]: bytesAt(text, [key])?.parse() } : JSON.parse(text.toString('utf8'));
  const name = isObject(item) ? item[key] : undefined;
  if (!isObject(item) || typeof name !== 'string' || name === '') return { name: undefined, reason: 'It has no name.' };
  // PostgreSQL stores no NUL, and no half of a character is UTF-8.
  if (name.includes('\0') || !name.isWellFormed()) return { name: undefined, reason: 'Its name is not valid text.' };
  if (Buffer.byteLength(name) > LIST_LIMITS.nameBytes)
    return { name: undefined, reason: `Its name has more than ${LIST_LIMITS.nameBytes} bytes.` };
  if (isLong) return { name, reason: `It has more than ${LIST_LIMITS.definitionBytes / 1_024} KiB.` };
  if (found.has(name)) return { name, reason: 'The server lists the name twice; the first one counts.' };
  if (kind === 'tool') {
    if (!isObject(item.inputSchema)) return { name, reason: 'It has no "inputSchema".' };
    if (paramHeadersOf(item.inputSchema) === undefined)
      return { name, reason: 'Its "x-mcp-header" annotations violate the specification.' };
  }
  return { name, body: item, text: writtenOnce(text, item) };
}

/** Readers differ in which of two members of one name counts, and what is approved has to be what clients see. */
function writtenOnce(text: Buffer, value: JsonObject): string {
  return repeatsNames(text, value) ? JSON.stringify(value) : text.toString('utf8');
}

function shorter(known: number | undefined, said: unknown): number | undefined {
  if (!Number.isSafeInteger(said) || (said as number) < 0) return known;
  return Math.min(known ?? Infinity, said as number);
}

function broken(detail: string): UpstreamFailure {
  return new UpstreamFailure('upstream_error', detail, false);
}
