import { JsonBytes } from './json-bytes';
import { endOfString } from './json-lexemes';
import { isObject } from './json-rpc';
import { JsonScanner, SCAN_LIMITS, type ScanPlan, type ValueSpan } from './json-scanner';
import { jsonText } from './json-writing';

const QUOTE = 0x22;

/** What becomes of members of an object: JSON in their place; undefined: they are dropped. */
export type MemberChanges = Readonly<Record<string, string | undefined>>;

/**
 * Replaces, adds and drops members of an object. The values of all others stay byte for byte; of a name that is repeated, the last.
 *
 * @param text an object of JSON
 */
export function withMembers(text: Buffer, changes: MemberChanges): string {
  const kept: [string, string][] = [];
  for (const [name, place] of membersOf(text))
    if (!Object.hasOwn(changes, name)) kept.push([name, textAt(text, place)]);
    else if (changes[name] !== undefined) kept.push([name, changes[name]]);
  const known = new Set(kept.map(([name]) => name));
  for (const [name, change] of Object.entries(changes))
    if (change !== undefined && !known.has(name)) kept.push([name, change]);
  return `{${kept.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/**
 * Writes a value that was made from a parsed text, with the bytes of that text wherever it is still the same: what rules have not
 * changed keeps its numbers and its words.
 *
 * @param text valid JSON
 * @param before what `JSON.parse` makes of it
 * @param after the same, changed
 */
export function rewritten(text: Buffer, before: unknown, after: unknown): string {
  if (Object.is(before, after)) return text.toString('utf8');
  if (Array.isArray(before) && Array.isArray(after)) return `[${rewrittenItems(text, before, after).join(',')}]`;
  if (!isObject(before) || !isObject(after)) return jsonText(after);
  const places = membersOf(text);
  const members = Object.entries(after).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const place = Object.hasOwn(before, name) ? places.get(name) : undefined;
    const written = place ? rewritten(text.subarray(place.start, place.end), before[name], value) : jsonText(value);
    return `${JSON.stringify(name)}:${written}`;
  });
  return `{${members.join(',')}}`;
}

/** Where items were dropped, those that are still the same stay as they came. */
function rewrittenItems(text: Buffer, before: readonly unknown[], after: readonly unknown[]): string[] {
  const items = itemsIn(text) ?? [];
  let next = 0;
  return after.map((item, index) => {
    const from = before.length === after.length ? index : before.indexOf(item, next);
    const found = items[from];
    if (!found) return jsonText(item);
    next = from + 1;
    return rewritten(found, before[from], item);
  });
}

/** @returns the value at a path of names, as it came; undefined: there is none */
export function bytesAt(text: Buffer, path: readonly string[]): JsonBytes | undefined {
  const opening = path.reduceRight<ScanPlan>((inner, name) => ({ members: { [name]: inner } }), {});
  let place = placeOf(text, opening);
  for (const name of path) place = place?.members?.get(name);
  return place && new JsonBytes(text.subarray(place.start, place.end), place.values);
}

/** @returns the names of the members of an object, each once */
export function namesIn(text: Buffer): string[] {
  return [...membersOf(text).keys()];
}

/** @returns whether a text is an object with one member, of this name */
export function hasOnlyMember(text: Buffer, name: string): boolean {
  const scanner = new JsonScanner(text, { members: {} }, { ...SCAN_LIMITS, places: 1 });
  scanner.run();
  return scanner.root?.members?.has(name) ?? false;
}

/** @returns the values of the members of an object, as they came; undefined: it is no object */
export function membersIn(text: Buffer): ReadonlyMap<string, Buffer> | undefined {
  const members = placeOf(text, { members: {} })?.members;
  return members && new Map([...members].map(([name, { start, end }]) => [name, text.subarray(start, end)]));
}

/** @returns the items of a list, as they came; undefined: it is no list */
export function itemsIn(text: Buffer): Buffer[] | undefined {
  return placeOf(text, { items: {} })?.items?.map(({ start, end }) => text.subarray(start, end));
}

/** Whether an object in it has two members of one name: readers differ in which of them counts. @param value what it says */
export function repeatsNames(text: Buffer, value: unknown): boolean {
  const scanner = new JsonScanner(text);
  scanner.run();
  return scanner.names !== countNames(value);
}

/** @returns the same without white space between its parts @param text valid JSON */
export function compacted(text: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length;) {
    const byte = text[at] as number;
    const end = byte === QUOTE ? endOfString(text, at) : at + 1;
    if (byte > 0x20) for (; at < end; at++) kept[length++] = text[at] as number;
    at = end;
  }
  return length === text.length ? text : kept.subarray(0, length);
}

function membersOf(text: Buffer): ReadonlyMap<string, ValueSpan> {
  return placeOf(text, { members: {} })?.members ?? new Map<string, ValueSpan>();
}

function placeOf(text: Buffer, opening: ScanPlan): ValueSpan | undefined {
  const scanner = new JsonScanner(text, opening, { depth: Infinity, places: Infinity });
  scanner.run();
  return scanner.root;
}

function textAt(text: Buffer, { start, end }: ValueSpan): string {
  return text.toString('utf8', start, end);
}

function countNames(value: unknown): number {
  if (Array.isArray(value)) return (value as unknown[]).reduce<number>((sum, item) => sum + countNames(item), 0);
  if (!isObject(value)) return 0;
  const parts = Object.values(value);
  return parts.reduce<number>((sum, part) => sum + countNames(part), parts.length);
}
