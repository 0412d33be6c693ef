import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from './json-rpc';
import { JsonBytes } from './json-bytes';

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

/** The keys of `_meta`, besides `ui`, from which clients take what they show or how they use a tool. */
const SHOWN_META = /^(?:ui|mcp-ui|mcpui\.dev|openai|anthropic)\//;

/**
 * What clients show of a definition besides what `definitionDigest` is of: its icons, and what other clients take from `_meta`.
 * Other keys of `_meta` are left out, since servers put there whatever they like, and something else with each list.
 *
 * @returns canonical JSON; its SHA-256 is the second digest that is approved
 */
export function shownText(definition: JsonObject): string {
  return canonicalJson(shownPart(definition));
}

/** @returns SHA-256 of `shownText` */
export function shownDigest(definition: JsonObject): Buffer {
  return createHash('sha256').update(shownText(definition)).digest();
}

/**
 * @param shown as `shownText` writes it, parsed; undefined: it is not known any more
 * @returns the definition with this in place of what clients would show of it
 */
export function withShown(definition: JsonObject, shown: JsonObject | undefined): JsonObject {
  const { icons: _icons, _meta, ...rest } = definition;
  const kept = Object.entries(isObject(_meta) ? _meta : {}).filter(([key]) => !SHOWN_META.test(key));
  const meta = { ...Object.fromEntries(kept), ...(isObject(shown?._meta) ? shown._meta : {}) };
  return {
    ...rest,
    ...(shown?.icons === undefined ? {} : { icons: shown.icons }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

function shownPart({ icons, _meta }: JsonObject): JsonObject {
  const meta = Object.entries(isObject(_meta) ? _meta : {}).filter(([key]) => SHOWN_META.test(key));
  return {
    ...(icons === undefined ? {} : { icons }),
    ...(meta.length === 0 ? {} : { _meta: Object.fromEntries(meta) }),
  };
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
