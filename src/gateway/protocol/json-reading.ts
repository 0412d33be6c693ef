import { nextTurn } from '../../http/requests/next-turn';
import { JsonBytes, MAX_PARSED_VALUES } from './json-bytes';
import { JsonScanner, type ScanPlan, type ValueSpan, type ScanFault } from './json-scanner';

/**
 * What becomes of a value: it is parsed; it stays as it came (what is written the same again is parsed); each item of a list stays as it came, of the first 5,000; or it is an object that has
 * its members read, each in its own way.
 */
export type Reading = 'value' | 'bytes' | 'items' | ObjectReading;

/** How the members of an object are read. What is no object is parsed. */
export interface ObjectReading {
  readonly members: Readonly<Record<string, Reading>>;
  readonly others: 'value' | 'bytes';
  readonly opening: ScanPlan;
}

/** What was read, or why it was not. */
export type ReadJson = { readonly value: unknown } | { readonly fault: ScanFault | 'too_many_values' };

/** About 3 ms of the densest text. */
const PIECE_BYTES = 65_536;
/** A list that is read as `items` gives at most so many. */
const MAX_ITEMS = 5_000;
const MAX_SAME_BYTES = 4_096;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** @param others what becomes of members that are not named */
export function objectReading(
  members: Readonly<Record<string, Reading>>,
  others: ObjectReading['others'] = 'bytes',
): ObjectReading {
  const opened = Object.entries(members).flatMap(([name, reading]): [string, ScanPlan][] => {
    const opening = openingOf(reading);
    return opening ? [[name, opening]] : [];
  });
  return { members, others, opening: { members: Object.fromEntries(opened) } };
}

/** Reads a text, in one piece if that takes no longer than a turn may. @param bytes UTF-8 */
export function readAnyJson(bytes: Buffer, reading: Reading): ReadJson | Promise<ReadJson> {
  return bytes.length <= PIECE_BYTES ? readJson(bytes, reading) : readLongJson(bytes, reading);
}

/** Reads a text in one piece. @param bytes UTF-8 */
export function readJson(bytes: Buffer, reading: Reading): ReadJson {
  const scanner = new JsonScanner(bytes, openingOf(reading));
  scanner.run();
  return built(bytes, scanner, reading);
}

/** The same for a text of any length: other requests get turns. */
export async function readLongJson(bytes: Buffer, reading: Reading): Promise<ReadJson> {
  const scanner = new JsonScanner(bytes, openingOf(reading));
  while (!scanner.run(PIECE_BYTES)) await turnOfOwn();
  return built(bytes, scanner, reading);
}

/** The end of the last turn that was given. */
let lastTurn: Promise<void> = Promise.resolve();

/** Long texts take turns with each other, too: 64 at once, each with its piece in the same turn, would take 200 ms of it. */
function turnOfOwn(): Promise<void> {
  lastTurn = lastTurn.then(nextTurn);
  return lastTurn;
}

function openingOf(reading: Reading): ScanPlan | undefined {
  if (reading === 'items') return { items: {}, most: MAX_ITEMS };
  return typeof reading === 'string' ? undefined : reading.opening;
}

function built(bytes: Buffer, { root, fault }: JsonScanner, reading: Reading): ReadJson {
  if (!root || fault !== undefined) return { fault: fault ?? 'invalid' };
  return parsedValues(root, reading) > MAX_PARSED_VALUES
    ? { fault: 'too_many_values' }
    : { value: valueOf(bytes, root, reading) };
}

/** How many values would be built. */
function parsedValues(place: ValueSpan, reading: Reading): number {
  if (reading === 'bytes') return 0;
  if (reading === 'items' && place.items) return place.items.length;
  if (typeof reading === 'string' || !place.members) return place.values;
  let sum = 1;
  for (const [name, member] of place.members) sum += parsedValues(member, readingOf(reading, name));
  return sum;
}

function valueOf(bytes: Buffer, place: ValueSpan, reading: Reading): unknown {
  if (reading === 'bytes') return scalarOrBytes(bytes, place);
  if (reading === 'items' && place.items) return place.items.map((item) => bytesAt(bytes, item));
  if (typeof reading === 'string' || !place.members) return JSON.parse(bytes.toString('utf8', place.start, place.end));
  const value: Record<string, unknown> = {};
  for (const [name, member] of place.members) put(value, name, valueOf(bytes, member, readingOf(reading, name)));
  return value;
}

/** @returns a short text, a number, `true`, `false` or `null` itself, where `JSON.stringify` writes it as it came */
function scalarOrBytes(bytes: Buffer, place: ValueSpan): unknown {
  const { start, end } = place;
  const first = bytes[start];
  if (end - start <= MAX_SAME_BYTES && first !== OPEN_LIST && first !== OPEN_OBJECT) {
    const text = bytes.toString('utf8', start, end);
    const value: unknown = text.includes('\\') ? undefined : JSON.parse(text);
    if (value !== undefined && (typeof value !== 'number' || String(value) === text)) return value;
  }
  return bytesAt(bytes, place);
}

function readingOf({ members, others }: ObjectReading, name: string): Reading {
  return Object.hasOwn(members, name) ? (members[name] ?? others) : others;
}

function bytesAt(bytes: Buffer, { start, end, values }: ValueSpan): JsonBytes {
  return new JsonBytes(bytes.subarray(start, end), values);
}

/** As `JSON.parse` does: `__proto__` is a name like others. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
