import { slugOf } from '../../http/requests/slug';

/** Clients prefix tool names with the name of the server, so it is short. */
const MAX_LENGTH = 64;
/** Leaves room for a number at the end. */
const MAX_BASE_LENGTH = 50;

/** Names that do not say what the server is for. */
const GENERIC = new Set(['mcp', 'server', 'mcp-server', 'mcp-remote']);

/**
 * Derives the name of an entry's server in the configuration of a client: the last part of the listing's name, preceded
 * by the publisher if that is too generic or taken, and followed by a number if that is taken too. It is stored with
 * the entry, so that it does not depend on the other entries of the bundle.
 *
 * @param listingName reverse-DNS, such as `io.github.acme/weather`
 * @param taken the keys of the other entries
 * @returns 1–64 characters of `[a-z0-9-]`, not among those taken
 */
export function entryKey(listingName: string, taken: ReadonlySet<string>): string {
  const slash = listingName.lastIndexOf('/');
  const name = cut(slugOf(listingName.slice(slash + 1)) ?? 'server');
  const publisher = slugOf(listingName.slice(0, Math.max(slash, 0)).split('.').at(-1) ?? '');
  const long = publisher === undefined || name.startsWith(publisher) ? name : cut(`${publisher}-${name}`);
  if (!GENERIC.has(name) && !taken.has(name)) return name;
  if (!taken.has(long)) return long;
  for (let number = 2; ; number++) {
    const key = `${long}-${number}`.slice(0, MAX_LENGTH);
    if (!taken.has(key)) return key;
  }
}

function cut(text: string): string {
  return text.slice(0, MAX_BASE_LENGTH).replace(/-+$/, '');
}
