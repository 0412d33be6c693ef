import { bitOf, type CapabilitySet, NO_CAPABILITIES, wordsOf } from '../protocol/capability-set';
import type { DefinitionKind, OmittedDefinition } from '../protocol/definition-list';
import type { JsonObject } from '../protocol/json-rpc';
import type { LegacyRevision } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';

const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** What an upstream says of itself. */
export interface UpstreamInfo {
  readonly capabilities: JsonObject;
  readonly serverInfo: ServerInfo | null;
  readonly instructions: string | null;
}

/** A definition to store. */
export interface DefinitionToStore {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly place: number;
  readonly digest: Buffer;
  readonly shownDigest: Buffer;
  readonly body: string;
  /** For clients with which capabilities it is listed, a bit for each set. */
  readonly listedFor: number;
}

/** What reading the lists of an upstream has brought. */
export interface Listing {
  /** Undefined: it could not be asked. */
  readonly about: UpstreamInfo | undefined;
  /** The kinds whose lists were read, and for which sets: of the others, what was known before stays. */
  readonly readFor: ReadonlyMap<DefinitionKind, number>;
  readonly definitions: readonly DefinitionToStore[];
  readonly leftOut: readonly OmittedDefinition[];
  /** Some of these kinds failed on a later page, for this reason: a whole list from before may still count. */
  readonly brokenOff: ReadonlyMap<DefinitionKind, string>;
  /** The kinds whose lists did not come because of the way there or in time: with other capabilities they are not asked for. */
  readonly unanswered: ReadonlySet<DefinitionKind>;
  readonly ttlMs: number | undefined;
  /** Why something could not be read, as a sentence; null: everything was. */
  readonly error: string | null;
  /** Whether it answered for no list, as far as that is known: one that refuses us, or lists too much, has answered. */
  readonly isDown: boolean | undefined;
  /** The sets besides that of no capabilities whose lists were read to the end. */
  readonly sets: readonly CapabilitySet[];
}

/** Capabilities of clients for which lists are read as well. */
export interface RequestedCapabilitySet {
  readonly set: CapabilitySet;
  /** Whether what is listed for them is known from an earlier time. */
  readonly isListed: boolean;
}

/** Servers of 2024-11-05 may complete, and have no capability by which they could say so. */
export function withImplied(about: UpstreamInfo, revision: LegacyRevision): UpstreamInfo {
  if (revision !== '2024-11-05') return about;
  return { ...about, capabilities: { completions: {}, ...about.capabilities } };
}

/** @returns a listing that has brought nothing */
export function nothingListed(error: string, isDown: boolean | undefined): Listing {
  return {
    ...{ about: undefined, definitions: [], leftOut: [], ttlMs: undefined, sets: [], error, isDown },
    readFor: new Map(),
    brokenOff: new Map(),
    unanswered: new Set(),
  };
}

/**
 * Adds what an upstream lists for clients with some capabilities. What could not be read stays as it was; if nothing was known
 * of these clients, they go on with the lists of others.
 *
 * @param other read with the capabilities of the set, as a listing for none
 */
export function withSet(listing: Listing, { set, isListed }: RequestedCapabilitySet, other: Listing): Listing {
  const failure = other.error ?? [...other.brokenOff.values()][0];
  const error = listing.error ?? (failure === undefined ? null : `For clients with ${wordsOf(set)}: ${failure}`);
  if (failure !== undefined && !isListed) return { ...listing, error };
  const bit = bitOf(set);
  const readFor = new Map(listing.readFor);
  for (const kind of other.readFor.keys())
    if (!other.brokenOff.has(kind)) readFor.set(kind, (readFor.get(kind) ?? 0) | bit);
  const added = new Map<string, DefinitionToStore>(listing.definitions.map((each) => [keyOf(each), each]));
  for (const each of other.definitions) {
    if (other.brokenOff.has(each.kind)) continue;
    const key = keyOf(each);
    const known = added.get(key);
    added.set(key, known ? { ...known, listedFor: known.listedFor | bit } : { ...each, listedFor: bit });
  }
  const faults = new Set(listing.leftOut.map(wordsOfFault));
  return {
    ...listing,
    ...{ readFor, error },
    definitions: [...added.values()],
    leftOut: [...listing.leftOut, ...other.leftOut.filter((each) => !faults.has(wordsOfFault(each)))],
    sets: failure === undefined ? [...listing.sets, set] : listing.sets,
  };
}

/** The bit of what is listed for clients without capabilities. */
export const FOR_NONE = bitOf(NO_CAPABILITIES);

function keyOf({ kind, name, digest }: DefinitionToStore): string {
  return `${kind} ${digest.toString('base64')} ${name}`;
}

function wordsOfFault({ name, reason, kind }: OmittedDefinition): string {
  return JSON.stringify([kind, name, reason]);
}

/** @returns whether a message of an upstream says that one of its lists has changed */
export function isListChange({ method }: JsonObject): boolean {
  return typeof method === 'string' && LIST_CHANGED.test(method);
}
