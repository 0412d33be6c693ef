import { isObject, type JsonObject } from '../protocol/json-rpc';

/**
 * What an upstream says, as PostgreSQL can store it: without NUL, and without halves of characters.
 *
 * @returns undefined if it is no text; cut at `most` characters
 */
export function storableText(value: unknown, most: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, most).replaceAll('\0', '\ufffd').toWellFormed() : undefined;
}

/** @returns undefined if it is no object, or longer than `most` characters as JSON */
export function storableObject(value: unknown, most: number): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const text = JSON.stringify(value, (_key, part: unknown) => storablePart(part));
  return text.length <= most ? (JSON.parse(text) as JsonObject) : undefined;
}

function storablePart(part: unknown): unknown {
  if (typeof part === 'string') return storableText(part, part.length);
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [storableText(name, name.length), inner]));
}
