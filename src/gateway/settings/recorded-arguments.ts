import type { Keyring } from '../../config/keyring';
import { canonicalJson } from '../protocol/definition-digest';
import { isObject } from '../protocol/json-rpc';
import { recordedText } from './recorded-text';

/** What the record says of the arguments of a call. */
export const RECORDED_ARGUMENTS = ['NONE', 'KEYS', 'DIGEST'] as const;
export type RecordedArguments = (typeof RECORDED_ARGUMENTS)[number];

/** Of the names of arguments. */
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
