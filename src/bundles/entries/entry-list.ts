import type { CredentialMode } from './credential-mode';
import type { Pinning } from './pinning';

/** Settings of a listing in a bundle: any JSON object. `entry-config.ts` says what of it the export reads. */
export type EntryConfig = Readonly<Record<string, unknown>>;

/**
 * Who may know the name of an entry's listing after the listing was deleted: everyone who may read the bundle even if
 * it is not public, the owner of the bundle (its organisation or a person), or nobody. Stored when the entry is added,
 * because later nothing says whose the listing was.
 */
export const NAME_AUDIENCES = ['EVERYONE', 'OWNER', 'NOBODY'] as const;
export type NameAudience = (typeof NAME_AUDIENCES)[number];

/** An entry in the list of its bundle and in the snapshots of the versions. */
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
  readonly credential_mode: CredentialMode;
  /** Counts once the listing is deleted. Computed by the database when the entry is added (entry-store.ts). */
  readonly name_known_to: NameAudience;
  /** Null in an entry that is about to be added: by its listing, as the database decides (entry-store.ts). */
  readonly pinning: Pinning | null;
  /** Where its server runs, if the listing does not say that; null: where the listing says. */
  readonly endpoint_url: string | null;
}

/** An entry in a snapshot. */
export interface SnapshotEntry extends Omit<
  ListEntry,
  'name_known_to' | 'credential_mode' | 'pinning' | 'endpoint_url'
> {
  /** The effective version of the listing then; null: the listing had been deleted. */
  readonly listing_version: string | null;
  /** Absent in snapshots of earlier releases: `NOBODY`. */
  readonly name_known_to?: NameAudience;
  /** Absent in snapshots of earlier releases: `NONE`. */
  readonly credential_mode?: CredentialMode;
  /** Absent in snapshots of earlier releases: `FORMER_PINNING`. */
  readonly pinning?: Pinning;
  /** Absent in snapshots of earlier releases: null. */
  readonly endpoint_url?: string | null;
}

/** The entries of a bundle in their order; the position of each is its index. */
export type EntryList = readonly ListEntry[];

/** What an editor may change of an entry besides its position. Null or absent: unchanged, except where it says otherwise. */
export interface EntrySettings {
  /** Null: the newest; absent: unchanged. */
  version?: string | null;
  is_enabled?: boolean | null;
  config?: EntryConfig | null;
  credential_mode?: CredentialMode | null;
  pinning?: Pinning | null;
  /** Null: none; absent: unchanged. */
  endpoint_url?: string | null;
}

/** Every version keeps a copy of all of them. */
export const MAX_ENTRIES = 500;

/** @param position at most the length of the list; at the end when it is left out */
export function insertEntry(list: EntryList, entry: ListEntry, position: number = list.length): EntryList {
  return list.toSpliced(position, 0, entry);
}

export function removeEntries(list: EntryList, ids: readonly string[]): EntryList {
  const removed = new Set(ids);
  return list.filter(({ id }) => !removed.has(id));
}

/** Moves an entry to `position`; the entries in between move by one. */
export function moveEntry(list: EntryList, id: string, position: number): EntryList {
  const entry = list.find((candidate) => candidate.id === id);
  return entry ? insertEntry(removeEntries(list, [id]), entry, position) : list;
}

export function setEntry(list: EntryList, id: string, settings: EntrySettings): EntryList {
  return list.map((entry) => (entry.id === id ? withSettings(entry, settings) : entry));
}

/** @returns the entry with its settings replaced by those that are not absent */
export function withSettings(
  entry: ListEntry,
  { version, is_enabled, config, credential_mode, pinning, endpoint_url }: EntrySettings,
): ListEntry {
  return {
    ...entry,
    version: version === undefined ? entry.version : version,
    is_enabled: is_enabled ?? entry.is_enabled,
    config: config ? asStored(config) : entry.config,
    credential_mode: credential_mode ?? entry.credential_mode,
    pinning: pinning ?? entry.pinning,
    endpoint_url: endpoint_url === undefined ? entry.endpoint_url : endpoint_url,
  };
}

/** A configuration as the database returns it: `-0` becomes 0. */
export function asStored(config: EntryConfig): EntryConfig {
  return JSON.parse(JSON.stringify(config)) as EntryConfig;
}
