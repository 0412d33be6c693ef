import type { RecordedArguments, RecordMode } from './endpoint-enums';
import type { Keyring } from '../../config/keyring';
import { canonicalJson } from '../protocol/definition-digest';
import { isObject } from '../protocol/json-rpc';

/** How the calls of an endpoint are recorded. */
export interface RecordSettings {
  readonly mode: RecordMode;
  readonly arguments: RecordedArguments;
}

/** A record has at most so many names of arguments, with so many characters each. */
const MAX_KEYS = 32;
const MAX_KEY_LENGTH = 64;

/** @returns the names of the arguments, sorted: the first 32, and what is after them as "…" */
export function argumentKeys(args: unknown): string[] {
  if (!isObject(args)) return [];
  const keys = Object.keys(args).sort();
  const shown = keys.slice(0, MAX_KEYS).map((key) => recordedText(key, MAX_KEY_LENGTH) ?? '');
  return keys.length > MAX_KEYS ? [...shown, '…'] : shown;
}

/**
 * HMAC-SHA256 of the arguments as canonical JSON (RFC 8785): equal arguments have equal digests. With a key of ours, because
 * a plain SHA-256 would let anyone who reads the record try out what a small argument was, such as a number or a name.
 *
 * @param args absent: as no arguments
 */
export function argumentDigest(keys: Keyring, args: unknown): Buffer {
  return keys.mac(canonicalJson(isObject(args) ? args : {}));
}

/** What PostgreSQL or a reader could stumble over: control characters, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * A text of a client's choice as the record has it: one line that PostgreSQL takes, of bounded size. A single row that it
 * refused would lose its whole group.
 *
 * @param text undefined, or no text: null
 * @param most characters that are kept, of up to four bytes each
 */
export function recordedText(text: unknown, most: number): string | null {
  if (typeof text !== 'string') return null;
  // Cut first: what follows would go through all of a megabyte.
  const cut =
    text.length > most
      ? Array.from(text.slice(0, most * 2))
          .slice(0, most)
          .join('')
      : text;
  return cut.replace(UNPRINTABLE, '\ufffd');
}
