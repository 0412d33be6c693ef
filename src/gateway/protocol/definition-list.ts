import { isObject, type JsonObject } from './json-rpc';
import { nextTurn } from '../../http/requests/next-turn';
import { paramHeadersOf } from './mirrored-headers';
import { JsonBytes } from './json-bytes';
import { objectReading, readLongJson } from './json-reading';
import { compacted, repeatsNames } from './json-splice';
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
  /** One list has at most so many pages. */
  pages: 100,
  /** One page has at most so many items; the reader takes more of them (`json-reading.ts`). */
  pageItems: 4_000,
  /** All lists of an upstream together have at most so many definitions, and so many bytes. */
  definitions: 2_000,
  bytes: 4_194_304,
  definitionBytes: 262_144,
  /** One definition has at most so many bytes as it came, with white space. */
  rawBytes: 1_048_576,
  /** Definitions of all lists of an upstream that cannot be offered. */
  omitted: 2_000,
  /** It is part of an index, whose rows have room for 2.7 kB. */
  nameBytes: 1_024,
} as const;

/** So many bytes of definitions are read before other requests get a turn. */
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
  omitted: number;
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
  use: ListUsage = { definitions: 0, bytes: 0, omitted: 0 },
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
    for (const [index, item] of (result[field] as unknown[]).entries()) {
      if (index === LIST_LIMITS.pageItems) {
        cut(
          `It lists more than ${LIST_LIMITS.pageItems} on one page: the first ${found.size} of its ${field} are offered.`,
        );
        break reading;
      }
      const bytes = item instanceof JsonBytes ? item.bytes : jsonBuffer(item);
      unpaused += bytes.length;
      if (unpaused > BYTES_PER_TURN) {
        unpaused = 0;
        await nextTurn();
      }
      const definition = await definitionOf(kind, bytes, found);
      if (definition === undefined) continue;
      const limit = limitOf(use, definition);
      if (limit !== undefined) {
        cut(`It lists more than ${limit}: the first ${found.size} of its ${field} are offered.`);
        break reading;
      }
      if ('reason' in definition) {
        use.omitted++;
        leftOut.push(definition);
      } else {
        use.definitions++;
        use.bytes += Buffer.byteLength(definition.text);
        found.set(definition.name, definition);
      }
    }
    ttlMs = shorter(ttlMs, result.ttlMs);
    const { nextCursor } = result;
    if (nextCursor === undefined || nextCursor === null) break;
    if (typeof nextCursor !== 'string') {
      cut(`${method} has a "nextCursor" that is not a text: the first ${found.size} of its ${field} are offered.`);
      break;
    }
    cursor = nextCursor;
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

/** @returns what the lists of the upstream would exceed with this one; what is left out takes no room of others */
function limitOf({ definitions, bytes, omitted }: ListUsage, next: Definition | OmittedDefinition): string | undefined {
  const { definitions: most, bytes: mostBytes, omitted: mostOmitted } = LIST_LIMITS;
  if ('reason' in next) return omitted >= mostOmitted ? `${mostOmitted} definitions that cannot be offered` : undefined;
  if (definitions >= most) return `${most} definitions`;
  return bytes + Buffer.byteLength(next.text) > mostBytes ? `${mostBytes / 1_048_576} MiB` : undefined;
}

/** @returns undefined for one that was listed before, just so, such as on a page that comes again */
async function definitionOf(
  kind: DefinitionKind,
  bytes: Buffer,
  found: ReadonlyMap<string, Definition>,
): Promise<Definition | OmittedDefinition | undefined> {
  const { definitionBytes, rawBytes } = LIST_LIMITS;
  if (bytes.length > rawBytes) return tooLong(kind, bytes, `${rawBytes / 1_048_576} MiB`);
  const text = compacted(bytes);
  if (text.length > definitionBytes) return tooLong(kind, text, `${definitionBytes / 1_024} KiB`);
  const item: unknown = JSON.parse(text.toString('utf8'));
  const name = nameIn(item, DEFINITION_KINDS[kind].key);
  if (typeof name !== 'string') return name;
  const body = item as JsonObject;
  const known = found.get(name);
  if (known) {
    const isSame = known.text === writtenOnce(text, body);
    return isSame ? undefined : { name, reason: 'The server lists the name twice; the first one counts.' };
  }
  if (kind === 'tool') {
    if (!isObject(body.inputSchema)) return { name, reason: 'It has no "inputSchema".' };
    if (paramHeadersOf(body.inputSchema) === undefined)
      return { name, reason: 'Its "x-mcp-header" annotations violate the specification.' };
  }
  return { name, body, text: writtenOnce(text, body) };
}

/** One that is too long is not worth being parsed, and its name is looked for in turns. */
async function tooLong(kind: DefinitionKind, bytes: Buffer, limit: string): Promise<OmittedDefinition> {
  const reason = `It has more than ${limit}.`;
  const { key } = DEFINITION_KINDS[kind];
  const read = await readLongJson(bytes, objectReading({ [key]: 'value' }));
  if (!('value' in read)) return { name: undefined, reason };
  const name = nameIn(read.value, key);
  return typeof name === 'string' ? { name, reason } : name;
}

/** @returns a name that can be kept, or what is wrong with it */
function nameIn(item: unknown, key: string): string | OmittedDefinition {
  const name = isObject(item) ? item[key] : undefined;
  if (typeof name !== 'string' || name === '') return { name: undefined, reason: 'It has no name.' };
  // PostgreSQL stores no NUL, and no half of a character is UTF-8.
  if (name.includes('\0') || !name.isWellFormed()) return { name: undefined, reason: 'Its name is not valid text.' };
  if (Buffer.byteLength(name) <= LIST_LIMITS.nameBytes) return name;
  return { name: undefined, reason: `Its name has more than ${LIST_LIMITS.nameBytes} bytes.` };
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
