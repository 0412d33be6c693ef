import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';

type Document = Readonly<Record<string, unknown>>;

/** Characters that browsers leave out of an address before they read it (WHATWG URL, section 4.4). */
const IGNORED = /[\t\n\r]|^[\0-\x20]+/g;

/** A user or a password. Browsers read a backslash as a slash; a template such as `https://{host}/` is no valid URL. */
const USER_INFO = /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** @returns what is wrong with an address that people or programs will open; undefined: nothing, or it has no scheme */
function faultOf(address: string): Pick<Fault, 'msg' | 'type'> | undefined {
  const read = address.replace(IGNORED, '');
  const scheme = parseUrl(read)?.protocol ?? SCHEME.exec(read)?.[0].toLowerCase();
  if (scheme !== undefined && scheme !== 'http:' && scheme !== 'https:')
    return { msg: 'Must begin with http:// or https://.', type: 'url_scheme' };
  return USER_INFO.test(read) ? { msg: 'Must not contain a user or password.', type: 'value_error' } : undefined;
}

function isBad(address: unknown): boolean {
  return typeof address === 'string' && faultOf(address) !== undefined;
}

/**
 * Checks the addresses of a `server.json` (contract, section 13.7): registries and clients make links of `websiteUrl`,
 * `repository.url` and `icons`, and everyone who can read the document sees the password of a remote.
 *
 * @param document whatever its form
 */
export function addressFaults(document: Document): Fault[] {
  return placesOf(document).flatMap(([loc, address]) => {
    const fault = typeof address === 'string' ? faultOf(address) : undefined;
    return fault ? [{ loc, ...fault }] : [];
  });
}

/**
 * The same document without what has such an address: a website, a repository, an icon, a remote. For documents that
 * nobody here can correct.
 *
 * @returns the document itself if there is nothing to drop; and the paths of what was dropped, as `/icons/0`
 */
export function withoutBadAddresses<D extends Document>(document: D): { document: D; dropped: string[] } {
  const dropped = addressFaults(document).map(
    ({ loc }) => `/${loc.slice(0, ['icons', 'remotes'].includes(loc[0] ?? '') ? 2 : 1).join('/')}`,
  );
  if (dropped.length === 0) return { document, dropped };
  const kept = Object.entries(document).flatMap(([field, value]): [string, unknown][] => {
    if (field === 'websiteUrl') return isBad(value) ? [] : [[field, value]];
    if (field === 'repository') return isBad(fieldOf(value, 'url')) ? [] : [[field, value]];
    const address = field === 'icons' ? 'src' : 'url';
    if ((field !== 'icons' && field !== 'remotes') || !Array.isArray(value)) return [[field, value]];
    return [[field, value.filter((item: unknown) => !isBad(fieldOf(item, address)))]];
  });
  return { document: Object.fromEntries(kept) as D, dropped };
}

function placesOf(document: Document): [loc: string[], address: unknown][] {
  const { websiteUrl, repository, icons, remotes } = document;
  return [
    [['websiteUrl'], websiteUrl],
    [['repository', 'url'], fieldOf(repository, 'url')],
    ...listOf(icons).map((icon, index): [string[], unknown] => [['icons', String(index), 'src'], fieldOf(icon, 'src')]),
    ...listOf(remotes).map((remote, index): [string[], unknown] => [
      ['remotes', String(index), 'url'],
      fieldOf(remote, 'url'),
    ]),
  ];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
