const LONGEST_PATH = 2_000;
/** A host that is no one's (RFC 2606). */
const BASE = 'http://own.invalid';

/**
 * Where to go after signing in. Only a path of this server: an address elsewhere would make us an open redirector.
 *
 * @param text from a query
 * @returns the path with its query, normalised; undefined if it is none of ours
 */
export function ownPath(text: unknown): string | undefined {
  // Browsers read a backslash as a slash, and drop tabs and line breaks (WHATWG URL, section 4.4).
  if (typeof text !== 'string' || text.length > LONGEST_PATH || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text))
    return undefined;
  const url = new URL(text.startsWith('//') ? '/' : text, BASE);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // "/.//host" is a path whose normal form is a reference to another host.
  return text.startsWith('//') || path.startsWith('//') ? undefined : path;
}
