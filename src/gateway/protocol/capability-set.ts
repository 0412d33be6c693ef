import { isObject, type JsonObject } from './json-rpc';

/**
 * The capabilities of a client on which the lists of servers may depend, as bits: whether it can be asked for samples, by a
 * form, by a page, and for its roots. Everything else that clients declare changes no list.
 */
export type CapabilitySet = number;

/** A client that can be asked nothing has this set, and so does this service itself. */
export const NO_CAPABILITIES: CapabilitySet = 0;

const SAMPLING = 1;
const FORM = 2;
const URL = 4;
const ROOTS = 8;
const WORDS: readonly (readonly [bit: number, word: string])[] = [
  [SAMPLING, 'sampling'],
  [FORM, 'elicitation by form'],
  [URL, 'elicitation by page'],
  [ROOTS, 'roots'],
];

/** A number with the bit of every set. */
export const EVERY_SET = 0xffff;

/** @param capabilities as a client declares them; a bare `elicitation` means forms (MCP 2025-11-25, elicitation) */
export function capabilitySetOf({ sampling, elicitation, roots }: JsonObject): CapabilitySet {
  let set = (isObject(sampling) ? SAMPLING : 0) | (isObject(roots) ? ROOTS : 0);
  if (!isObject(elicitation)) return set;
  const byUrl = isObject(elicitation.url);
  if (byUrl) set |= URL;
  if (isObject(elicitation.form) || !byUrl) set |= FORM;
  return set;
}

/** @returns what a client with these capabilities declares */
export function capabilitiesIn(set: CapabilitySet): JsonObject {
  const byForm = (set & FORM) !== 0;
  const byUrl = (set & URL) !== 0;
  return {
    ...(set & SAMPLING ? { sampling: {} } : {}),
    ...(byForm || byUrl ? { elicitation: { ...(byForm ? { form: {} } : {}), ...(byUrl ? { url: {} } : {}) } } : {}),
    ...(set & ROOTS ? { roots: {} } : {}),
  };
}

/** @returns the bit of a set in a number that says for which sets something is listed */
export function bitOf(set: CapabilitySet): number {
  return 1 << set;
}

/** @returns the largest of the known sets that asks for nothing which a client does not have */
export function nearestSet(wanted: CapabilitySet, known: Iterable<CapabilitySet>): CapabilitySet {
  let nearest = NO_CAPABILITIES;
  for (const set of known) if ((set & wanted) === set && countOf(set) > countOf(nearest)) nearest = set;
  return nearest;
}

/** @returns for people: `sampling and roots` */
export function wordsOf(set: CapabilitySet): string {
  return WORDS.flatMap(([bit, word]) => (set & bit ? [word] : [])).join(' and ');
}

function countOf(set: CapabilitySet): number {
  return WORDS.filter(([bit]) => set & bit).length;
}
