import { isObject } from '../../../../src/http/requests/json-object';
import type { BundleEntryPlace, CredentialMode, ListedEntry, Pinning } from '../../api/schema';

/** An entry of a bundle as it is being edited. */
export interface EditedEntry {
  /** That of the entry; of one that is not saved, made from its listing. */
  id: string;
  listing_id: string | null;
  /** Null if the person may not see the listing. */
  listing_name: string | null;
  listing_title: string | null;
  key: string | null;
  version: string | null;
  listing_version: string | null;
  is_enabled: boolean;
  is_available: boolean;
  config: Record<string, unknown>;
  credential_mode: CredentialMode;
  /** Null: what the API gives a new one. */
  pinning: Pinning | null;
  endpoint_url: string | null;
}

const NEW = 'new:';

/** @returns what is edited of an entry that the API gave */
export function editedOf(entry: ListedEntry): EditedEntry {
  const { position: _, ...rest } = entry;
  return rest;
}

/** @returns an entry for a listing that is not in the bundle */
export function newEntry(listing: { id: string; name: string; title: string; version: string }): EditedEntry {
  return {
    id: `${NEW}${listing.id}`,
    listing_id: listing.id,
    listing_name: listing.name,
    listing_title: listing.title,
    key: null,
    version: null,
    listing_version: listing.version,
    is_enabled: true,
    is_available: true,
    config: {},
    credential_mode: 'NONE',
    pinning: null,
    endpoint_url: null,
  };
}

export const isNew = ({ id }: Pick<EditedEntry, 'id'>): boolean => id.startsWith(NEW);

/** @returns the same entry as one to add, for one that was removed meanwhile; undefined without its listing */
export function renewed(entry: EditedEntry): EditedEntry | undefined {
  return entry.listing_id === null ? undefined : { ...entry, id: `${NEW}${entry.listing_id}`, key: null };
}

const FIELDS = ['version', 'is_enabled', 'credential_mode', 'pinning', 'endpoint_url'] as const;
/** What of a configuration has names of its own, so that two people may change different ones. */
const MAPS: readonly string[] = ['env', 'headers', 'variables'];

/** @returns the values of an entry by their paths (`["config","env","REGION"]` as JSON); null ones are left out */
export function leavesOf(entry: EditedEntry): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const field of FIELDS) if (entry[field] !== null) leaves.set(JSON.stringify([field]), entry[field]);
  for (const [name, value] of Object.entries(entry.config)) {
    if (MAPS.includes(name) && isObject(value)) {
      for (const [key, inner] of Object.entries(value)) leaves.set(JSON.stringify(['config', name, key]), inner);
    } else leaves.set(JSON.stringify(['config', name]), value);
  }
  return leaves;
}

/** The reverse of `leavesOf`: puts a value at its path; undefined takes it away. */
export function withLeaf(entry: EditedEntry, path: string, value: unknown): EditedEntry {
  const [field = '', name = '', key] = JSON.parse(path) as string[];
  if (field !== 'config') return { ...entry, [field]: value ?? null };
  if (key === undefined) return { ...entry, config: withKey(entry.config, name, value) };
  const map = entry.config[name];
  const changed = withKey(isObject(map) ? map : {}, key, value);
  const isEmpty = Object.keys(changed).length === 0;
  return { ...entry, config: withKey(entry.config, name, isEmpty ? undefined : changed) };
}

function withKey(record: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  if (value !== undefined) return { ...record, [key]: value };
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

export interface FieldChange {
  /** As in `leavesOf`. */
  path: string;
  before: unknown;
  after: unknown;
}

/** @returns what differs between two states of an entry */
export function fieldChanges(before: EditedEntry, after: EditedEntry): FieldChange[] {
  const [former, present] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...former.keys(), ...present.keys()])]
    .filter((path) => !same(former.get(path), present.get(path)))
    .map((path) => ({ path, before: former.get(path), after: present.get(path) }));
}

/** @returns whether two values of JSON are the same, whatever the order of their keys */
export function same(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

export interface Changes {
  added: EditedEntry[];
  removed: EditedEntry[];
  /** With their places before and after, from 1. */
  moved: { entry: EditedEntry; from: number; to: number }[];
  changed: { entry: EditedEntry; fields: FieldChange[] }[];
}

/** @returns how two lists of entries differ; what stays in the longest common order counts as not moved */
export function changesBetween(before: readonly EditedEntry[], now: readonly EditedEntry[]): Changes {
  const former = new Map(before.map((entry, index) => [entry.id, { entry, index }]));
  const present = new Set(now.map(({ id }) => id));
  const common = now.flatMap((entry, to) => {
    const found = former.get(entry.id);
    return found ? [{ entry, to, from: found.index, was: found.entry }] : [];
  });
  const kept = longestRise(common.map(({ from }) => from));
  return {
    added: now.filter(({ id }) => !former.has(id)),
    removed: before.filter(({ id }) => !present.has(id)),
    moved: common
      .filter((_, index) => !kept.has(index))
      .map(({ entry, from, to }) => ({ entry, from: from + 1, to: to + 1 })),
    changed: common
      .map(({ entry, was }) => ({ entry, fields: fieldChanges(was, entry) }))
      .filter(({ fields }) => fields.length > 0),
  };
}

export const countOf = ({ added, removed, moved, changed }: Changes): number =>
  added.length + removed.length + moved.length + changed.length;

/** @returns the indexes of a longest rising part of a list without duplicates, in O(n log n) */
function longestRise(values: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  values.forEach((value, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before.set(index, ends[low - 1]);
    ends[low] = index;
  });
  const kept = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) kept.add(at);
  return kept;
}

/** @returns the entries as `PUT …/entries` takes them: of those that exist, only what is changed */
export function placesOf(before: readonly EditedEntry[], now: readonly EditedEntry[]): BundleEntryPlace[] {
  const former = new Map(before.map((entry) => [entry.id, entry]));
  return now.map((entry) => {
    const was = former.get(entry.id);
    if (was === undefined) return addition(entry);
    const changed = new Set(fieldChanges(was, entry).map(({ path }) => (JSON.parse(path) as string[])[0]));
    return {
      id: entry.id,
      ...(changed.has('version') && { version: entry.version }),
      ...(changed.has('is_enabled') && { is_enabled: entry.is_enabled }),
      ...(changed.has('config') && { config: entry.config }),
      ...(changed.has('credential_mode') && { credential_mode: entry.credential_mode }),
      ...(changed.has('pinning') && { pinning: entry.pinning }),
      ...(changed.has('endpoint_url') && { endpoint_url: entry.endpoint_url }),
    };
  });
}

function addition(entry: EditedEntry): BundleEntryPlace {
  const { listing_id, version, is_enabled, config, credential_mode, pinning, endpoint_url } = entry;
  return { listing_id, version, is_enabled, config, credential_mode, pinning, endpoint_url };
}

/** @returns the list with the entry at another place (from 0) */
export function moved(entries: readonly EditedEntry[], id: string, to: number): EditedEntry[] {
  const entry = entries.find((one) => one.id === id);
  return entry === undefined ? [...entries] : entries.filter((one) => one.id !== id).toSpliced(to, 0, entry);
}

/** @returns the list with one entry as it was before: its values, and its place if it was removed or moved */
export function undone(before: readonly EditedEntry[], now: readonly EditedEntry[], id: string): EditedEntry[] {
  const index = before.findIndex((entry) => entry.id === id);
  const was = before[index];
  const others = now.filter((entry) => entry.id !== id);
  if (was === undefined) return others;
  const isPlaced =
    now.some((entry) => entry.id === id) && !changesBetween(before, now).moved.some(({ entry }) => entry.id === id);
  if (isPlaced) return now.map((entry) => (entry.id === id ? was : entry));
  // One that was moved itself is no neighbour.
  const elsewhere = new Set(changesBetween(before, others).moved.map((one) => one.entry.id));
  const places = new Map(
    others.flatMap((entry, place) => (elsewhere.has(entry.id) ? [] : [[entry.id, place] as const])),
  );
  const follows = before.slice(0, index).findLast((entry) => places.has(entry.id));
  return others.toSpliced(follows === undefined ? 0 : (places.get(follows.id) ?? 0) + 1, 0, was);
}
