import { isObject } from '../../../http/requests/json-object';

/*
 * References of bulk operations to resources created by other operations of the same request: `bulkId:` and the
 * `bulkId` of that operation, instead of an id (RFC 7644, section 3.7.2). They are recognized wherever ids occur: in
 * `value` and `manager`, in `$ref` also at the end of a URL (`../Users/bulkId:ada`), in the filters of PATCH paths, and
 * in the path of an operation. Elsewhere the text is taken literally.
 */

const REFERENCE = /^bulkId:(.+)$/;
const IN_PATH = /\bbulkId:([^"/?\]]+)/g;
/** The whole value, or the last segment of a URL. */
const IN_ADDRESS = /(?:^|(?<=\/))bulkId:([^/?#]+)$/;
const ID_NAMES = new Set(['value', 'manager']);
const NONE: readonly string[] = [];

/** The references in a text, depending on its attribute, and how to substitute ids. */
type Place = 'id' | 'address' | 'path' | 'none';

/**
 * @param data of an operation
 * @returns the `bulkId`s that it refers to, each once; except in the `groups` of a user, which are read-only and must
 *   not cause a wait
 */
export function referencesIn(data: unknown): Set<string> {
  const bulkIds = new Set<string>();
  const visit = (text: string, place: Place): void => {
    for (const bulkId of referencesOf(text, place)) bulkIds.add(bulkId);
  };
  if (!isObject(data)) visitTexts(data, 'none', visit);
  else {
    for (const name of Object.keys(data)) {
      if (name.toLowerCase() !== 'groups') visitTexts(data[name], placeOf(name), visit);
    }
  }
  return bulkIds;
}

/** @returns the `bulkId`s that the path of an operation refers to */
export function referencesInPath(path: string): readonly string[] {
  return referencesOf(path, 'path');
}

/**
 * @param ids of created resources, by `bulkId`; other references stay as they are
 * @returns a copy with ids instead of the references
 */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  return mapTexts(value, 'none', (text, place) => textWithIds(text, place, ids));
}

/** @returns the path of an operation with ids instead of the references */
export function pathWithIds(path: string, ids: ReadonlyMap<string, string>): string {
  return textWithIds(path, 'path', ids);
}

/** A resource that is created in two steps. */
export interface Split {
  /** Without the values that are not available yet. */
  now: Record<string, unknown>;
  /** The complete attributes that contain such values. */
  later: Record<string, unknown>;
}

/**
 * Separates the attributes that refer to resources not created yet, for circular references (section 3.7.1).
 *
 * @param pending their `bulkId`s
 */
export function split(data: Record<string, unknown>, pending: ReadonlySet<string>): Split {
  const parts: Split = { now: {}, later: {} };
  for (const [name, value] of Object.entries(data)) {
    if (!refersTo(name, value, pending)) {
      put(parts.now, name, value);
    } else if (/^urn:/i.test(name) && isObject(value)) {
      // An extension: only some of its attributes may have to wait.
      const inner = split(value, pending);
      put(parts.now, name, inner.now);
      put(parts.later, name, inner.later);
    } else {
      put(parts.later, name, value);
      const available = Array.isArray(value) ? value.filter((element) => !refersTo(name, element, pending)) : [];
      if (available.length > 0) put(parts.now, name, available);
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
  // Most texts contain none, and there may be a hundred thousand.
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

/** @returns a copy with mapped texts */
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

/** Defines an own property, whatever its name. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
