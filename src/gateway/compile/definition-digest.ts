import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../edge/json-rpc';
import { JsonBytes } from '../protocol/json-bytes';

/**
 * The digest of what an upstream says of a tool, prompt or template: SHA-256 of its canonical JSON (RFC 8785), without
 * what does not change what it is: its icons, and `_meta` but for `_meta.ui`, which chooses what a person sees.
 */
export function definitionDigest(definition: JsonObject): Buffer {
  return createHash('sha256').update(digestedText(definition)).digest();
}

/** @returns the canonical JSON that the digest is of: everything that approving the digest approves */
export function digestedText(definition: JsonObject): string {
  const { icons: _, _meta: meta, ...rest } = definition;
  const kept = isObject(meta) && 'ui' in meta ? { ...rest, _meta: { ui: meta.ui } } : rest;
  return canonicalJson(kept);
}

/**
 * Writes a value that was parsed from JSON as RFC 8785 prescribes: members in the order of the UTF-16 code units of their
 * names, numbers as ECMAScript writes them, nothing optional.
 *
 * @param value nested less deeply than the parser of bodies allows
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof JsonBytes) return canonicalJson(value.parse());
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // The order of `sort` without a comparison is that of the code units.
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}
