import { MAX_SERVER_BYTES, sizeText } from '../listings/server-schema';
import { type Incoming, readEntry, type Reason, refused, type Unusable } from './incoming';

/** A page of a source, entry by entry. */
export interface PageEntries {
  /** What can be imported: one per name and version, in the order of the page. */
  usable: Incoming[];
  unusable: Unusable[];
  /** How many only repeat another entry of the page. */
  repeated: number;
}

/** A version that is stored, compared with the entry of the same name and version. */
export interface StoredVersion {
  server_name: string;
  version: string;
  is_same: boolean;
  /** Whether its fields are in the same order too: the first release sorted them. */
  is_verbatim: boolean;
  /** Whether it is what an earlier release kept of the document, without what was empty. */
  is_cleaned: boolean;
  status: string;
  status_message: string | null;
}

/** What is to be written for the entries of a page; nothing is written for the rest. */
export interface PagePlan {
  versionsToCreate: Incoming[];
  statesToChange: Incoming[];
  /** Documents of which an earlier release left out what was empty; for those who follow the registry they change. */
  documentsToRestore: Incoming[];
  /** Documents whose fields an earlier release sorted; registry clients see no change. */
  documentsToReorder: Incoming[];
  rejected: Unusable[];
  unchanged: number;
}

/**
 * Reads the entries of a page. A source whose list moves under the reader may repeat one; of two that contradict each
 * other, the first counts and the second is unusable.
 *
 * @param entries as the source has them
 */
export function readPage(entries: readonly unknown[]): PageEntries {
  return gather(entries.map(readEntry));
}

/** The same for entries that were read. */
export function gather(entries: readonly (Incoming | Unusable)[]): PageEntries {
  const usable = new Map<string, Incoming>();
  const rejected: Unusable[] = [];
  let repeated = 0;
  for (const incoming of entries) {
    if (!('server' in incoming)) {
      rejected.push(incoming);
      continue;
    }
    const key = versionKey(incoming.server.name, incoming.server.version);
    const first = usable.get(key);
    if (!first) usable.set(key, incoming);
    else if (isRepetition(first, incoming)) repeated++;
    else rejected.push(refused(incoming, contradictory(), 'VERSION_TAKEN'));
  }
  return { usable: [...usable.values()], unusable: rejected, repeated };
}

/**
 * Compares entries with what is stored. A version never changes but for its state; only what an earlier release stored
 * differently is put right.
 *
 * @param entries that may be imported, one per name and version
 * @param stored by `versionKey`
 */
export function planPage(entries: readonly Incoming[], stored: ReadonlyMap<string, StoredVersion>): PagePlan {
  const plan: PagePlan = {
    versionsToCreate: [],
    statesToChange: [],
    documentsToRestore: [],
    documentsToReorder: [],
    rejected: [],
    unchanged: 0,
  };
  for (const entry of entries) {
    const { server, state } = entry;
    const version = stored.get(versionKey(server.name, server.version));
    if (!version) {
      if (isSmall(entry)) plan.versionsToCreate.push(entry);
      else plan.rejected.push(refused(entry, tooLarge(entry), 'TOO_LARGE'));
      continue;
    }
    if (version.is_same && !version.is_verbatim) plan.documentsToReorder.push(entry);
    if (!version.is_same && version.is_cleaned) plan.documentsToRestore.push(entry);
    // A source may say of what it deleted no more than that.
    else if (!version.is_same && state.status !== 'deleted')
      plan.rejected.push(refused(entry, rewritten(), 'VERSION_TAKEN'));
    else if (version.status !== state.status || version.status_message !== state.statusMessage)
      plan.statesToChange.push(entry);
    else plan.unchanged++;
  }
  return plan;
}

/** @returns what a version of a page is known by */
export function versionKey(name: string, version: string): string {
  return `${name} ${version}`;
}

/** Whether a document is small enough to be stored; larger ones that are stored already stay. */
export function isSmall({ bytes }: Incoming): boolean {
  return bytes <= MAX_SERVER_BYTES;
}

function isRepetition(one: Incoming, other: Incoming): boolean {
  return JSON.stringify([one.server, one.state]) === JSON.stringify([other.server, other.state]);
}

function tooLarge({ bytes }: Incoming): Reason {
  return { path: '', message: sizeText(bytes) };
}

function rewritten(): Reason {
  return { path: '/version', message: 'already exists with another document; a version never changes' };
}

function contradictory(): Reason {
  return { path: '/version', message: 'appears twice, with different contents' };
}
