/** Settings of a listing in a bundle: any JSON object; `export/` reads what it knows of it (entry-config.ts). */
export type EntryConfig = Readonly<Record<string, unknown>>;

/** An entry, as its bundle's list and the snapshots of the versions have it. */
export interface ListEntry {
  readonly id: string;
  /** Null: the listing was deleted. */
  readonly listing_id: string | null;
  /** The name that the listing has, or had. */
  readonly listing_name: string;
  /** The name of the server in the configuration of a client. */
  readonly key: string;
  /** The version of the listing to which the entry is pinned; null: it follows the newest. */
  readonly version: string | null;
  readonly is_enabled: boolean;
  readonly config: EntryConfig;
}

/** An entry as a snapshot has it. */
export interface SnapshotEntry extends ListEntry {
  /** The version of the listing that was meant then; null: the listing was deleted before. */
  readonly listing_version: string | null;
}

/** The entries of a bundle in their order; the position of each is its index. */
export type EntryList = readonly ListEntry[];

/** What an editor may change of an entry besides its place; null or absent: unchanged, but for a version. */
export interface EntrySettings {
  /** Null: the newest; absent: unchanged. */
  version?: string | null;
  is_enabled?: boolean | null;
  config?: EntryConfig | null;
}

/** More would be no bundle any more, and every version keeps a copy of all of them. */
export const MOST_ENTRIES = 500;

/** @param position at most the length of the list; at the end when it is left out */
export function insertEntry(list: EntryList, entry: ListEntry, position: number = list.length): EntryList {
  return list.toSpliced(position, 0, entry);
}

export function removeEntries(list: EntryList, ids: readonly string[]): EntryList {
  const gone = new Set(ids);
  return list.filter(({ id }) => !gone.has(id));
}

/** Takes an entry out and puts it in again where it then stands at `position`; what lies between moves by one. */
export function moveEntry(list: EntryList, id: string, position: number): EntryList {
  const entry = list.find((candidate) => candidate.id === id);
  return entry ? insertEntry(removeEntries(list, [id]), entry, position) : list;
}

export function setEntry(list: EntryList, id: string, settings: EntrySettings): EntryList {
  return list.map((entry) => (entry.id === id ? withSettings(entry, settings) : entry));
}

/** @returns the entry with what is given in place of what it had */
export function withSettings(entry: ListEntry, { version, is_enabled, config }: EntrySettings): ListEntry {
  return {
    ...entry,
    version: version === undefined ? entry.version : version,
    is_enabled: is_enabled ?? entry.is_enabled,
    config: config ? stored(config) : entry.config,
  };
}

/** What the database makes of a configuration: `-0` is 0 to it. */
export function stored(config: EntryConfig): EntryConfig {
  return JSON.parse(JSON.stringify(config)) as EntryConfig;
}
