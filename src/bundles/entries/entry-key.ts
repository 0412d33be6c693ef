import { slugOf } from '../../http/requests/slug';

/** What clients take for the name of a server; tool names are made of it, so it is short. */
const LONGEST = 64;
/** Leaves room for a number behind it. */
const LONGEST_BASE = 50;

/** Names that say nothing of what the server is for. */
const GENERIC = new Set(['mcp', 'server', 'mcp-server', 'mcp-remote']);

/**
 * Gives an entry the name under which a client's configuration has its server: from the last part of the listing's
 * name, with the publisher's before it where that alone says too little or is taken, then with a number. It is given
 * once and kept with the entry, so what else comes and goes in the bundle never changes it.
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
    const key = `${long}-${number}`.slice(0, LONGEST);
    if (!taken.has(key)) return key;
  }
}

function cut(text: string): string {
  return text.slice(0, LONGEST_BASE).replace(/-+$/, '');
}
