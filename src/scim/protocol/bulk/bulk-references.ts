/*
 * References of bulk operations to what other operations of the same request create: `bulkId:` and the `bulkId` of the
 * other one, in place of an id (RFC 7644, section 3.7.2). They count where ids stand: in `value` and `manager`, in `$ref`
 * also at the end of an address (`../Users/bulkId:ada`), in the filters of PATCH paths, and in the path of an operation.
 * In all else the text is what it is.
 */

const REFERENCE = /^bulkId:(.+)$/;
const IN_PATH = /\bbulkId:([^"/?\]]+)/g;
/** As a whole, or as the last part of an address. */
const IN_ADDRESS = /(?:^|(?<=\/))bulkId:([^/?#]+)$/;
const ID_NAMES = new Set(['value', 'manager']);
const NONE: readonly string[] = [];

/** What the text under a name refers to, and how it reads with ids. */
type Place = 'id' | 'address' | 'path' | 'none';

/**
 * @param data of an operation
 * @returns the `bulkId`s that it refers to, each once; not those in the `groups` of a user, which nobody may write: what
 *   is there is not waited for
 */
export function referencesIn(data: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (text: string, place: Place): void => {
    for (const bulkId of referencesOf(text, place)) found.add(bulkId);
  };
  if (!isObject(data)) visitTexts(data, 'none', visit);
  else {
    for (const name of Object.keys(data)) {
      if (name.toLowerCase() !== 'groups') visitTexts(data[name], placeOf(name), visit);
    }
  }
  return found;
}

/** @returns the `bulkId`s that the path of an operation refers to */
export function referencesInPath(path: string): readonly string[] {
  return referencesOf(path, 'path');
}

/**
 * @param ids of what was created, by `bulkId`; others stay as they are
 * @returns a copy with ids in place of the references
 */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return mapTexts(value, 'none', (text, place) => textWithIds(text, place, ids));
}

/** @returns the path of an operation with ids in place of the references */
export function pathWithIds(path: string, ids: ReadonlyMap<string, string>): string {
  return textWithIds(path, 'path', ids);
}

/** A resource that is created in two steps. */
export interface Split {
  /** Without the values that cannot be given yet. */
  now: Record<string, unknown>;
  /** The attributes that have such values, whole. */
  later: Record<string, unknown>;
}

/**
 * Takes out of a resource what refers to resources that are not there yet, for circular references (section 3.7.1).
 *
 * @param pending their `bulkId`s
 */
export function split(data: Record<string, unknown>, pending: ReadonlySet<string>): Split {
  const parts: Split = { now: {}, later: {} };
  for (const [name, value] of Object.entries(data)) {
    if (!refersTo(name, value, pending)) {
      put(parts.now, name, value);
    } else if (/^urn:/i.test(name) && isObject(value)) {
      // An extension: of its attributes, too, only some may have to wait.
      const inner = split(value, pending);
      put(parts.now, name, inner.now);
      put(parts.later, name, inner.later);
    } else {
      put(parts.later, name, value);
      const rest = Array.isArray(value) ? value.filter((element) => !refersTo(name, element, pending)) : [];
      if (rest.length > 0) put(parts.now, name, rest);
    }
  }
  return parts;
}

function refersTo(name: string, value: unknown, pending: ReadonlySet<string>): boolean {
  let isFound = false;
  visitTexts(value, placeOf(name), (text, place) => {
    isFound ||= referencesOf(text, place).some((bulkId) => pending.has(bulkId));
  });
  return isFound;
}

function referencesOf(text: string, place: Place): readonly string[] {
  // Most texts are none, and there may be a hundred thousand.
  if (place === 'none' || !text.includes('bulkId:')) return NONE;
  if (place === 'path') return [...text.matchAll(IN_PATH)].map(([, bulkId = '']) => bulkId);
  const bulkId = (place === 'address' ? IN_ADDRESS : REFERENCE).exec(text)?.[1];
  return bulkId === undefined ? [] : [bulkId];
}

function textWithIds(text: string, place: Place, ids: ReadonlyMap<string, string>): string {
  if (place === 'none') return text;
  if (place === 'path') return text.replace(IN_PATH, (whole, bulkId: string) => ids.get(bulkId) ?? whole);
  if (place === 'address') return text.replace(IN_ADDRESS, (whole, bulkId: string) => ids.get(bulkId) ?? whole);
  return ids.get(REFERENCE.exec(text)?.[1] ?? '') ?? text;
}

function visitTexts(value: unknown, place: Place, visit: (text: string, place: Place) => void): void {
  if (typeof value === 'string') visit(value, place);
  else if (Array.isArray(value)) for (const element of value) visitTexts(element, place, visit);
  else if (isObject(value)) for (const name of Object.keys(value)) visitTexts(value[name], placeOf(name), visit);
}

/** @returns a copy with other texts */
function mapTexts(value: unknown, place: Place, map: (text: string, place: Place) => string): unknown {
  if (typeof value === 'string') return map(value, place);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, place, map));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) put(copy, name, mapTexts(child, placeOf(name), map));
  return copy;
}

/** Names may be prefixed by a URN or dotted: `urn:…:User:manager`, `manager.value`. */
function placeOf(name: string): Place {
  const last = name.toLowerCase().split(/[.:]/).at(-1) ?? '';
  if (ID_NAMES.has(last)) return 'id';
  if (last === '$ref') return 'address';
  return last === 'path' ? 'path' : 'none';
}

/** As an own property, whatever its name. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
