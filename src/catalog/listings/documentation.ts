import type { Fault } from '../../errors/errors';
import { isObject } from '../../http/requests/json-object';
import { PUBLISHER, type ServerDocument } from './server-document';

/** The `format` of the documentation of a version (`text-checks.ts`). */
export const DOCUMENTATION = 'documentation';

export const MAX_DOCUMENTATION_BYTES = 64 * 1_024;

/** @returns what is wrong with a documentation; one of too many characters is reported by the schema */
export function documentationFault(text: string): Omit<Fault, 'loc'> | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_DOCUMENTATION_BYTES || [...text].length > MAX_DOCUMENTATION_BYTES) return undefined;
  const [max, actual] = [MAX_DOCUMENTATION_BYTES, bytes].map((number) => number.toLocaleString('en'));
  return { msg: `Must have at most ${max} bytes of UTF-8 (64 KiB); it has ${actual}.`, type: 'value_error' };
}

/**
 * The documentation that is part of a `server.json`: `readme` of what the publisher provides, or of its `github`, which is
 * where GitHub's registry has it and VS Code reads it.
 *
 * @param server a `server.json`
 * @returns null if there is none, or one of more than 64 KiB, which only the document has
 */
export function documentationOf(server: object): string | null {
  const { _meta } = server as Partial<ServerDocument>;
  const provided = isObject(_meta) ? _meta[PUBLISHER] : undefined;
  if (!isObject(provided)) return null;
  const places = [provided, provided.github].filter(isObject);
  const readme = places.map((place) => place.readme).find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof readme !== 'string' || Buffer.byteLength(readme) > MAX_DOCUMENTATION_BYTES) return null;
  return readme;
}
