import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';

type Document = Readonly<Record<string, unknown>>;

/** Characters that browsers leave out of an address before they read it (WHATWG URL, section 4.4). */
const IGNORED = /[\t\n\r]|^[\0-\x20]+/g;

/** A user or a password. Browsers read a backslash as a slash; a template such as `https://{host}/` is no valid URL. */
const USER_INFO = /^[a-z][a-z0-9+.-]*:[/\\]*[^/\\?#]*@/i;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Any place in a list. */
const EACH = '*';

/** Where addresses are, and how much of the path is dropped with one that may not be opened. */
const PLACES: readonly { path: readonly string[]; dropped: number }[] = [
  { path: ['websiteUrl'], dropped: 1 },
  { path: ['repository', 'url'], dropped: 1 },
  { path: ['icons', EACH, 'src'], dropped: 2 },
  { path: ['remotes', EACH, 'url'], dropped: 2 },
  { path: ['packages', EACH, 'registryBaseUrl'], dropped: 3 },
  { path: ['packages', EACH, 'transport', 'url'], dropped: 2 },
];

/** @returns what is wrong with an address that people or programs will open; undefined: nothing, or it has no scheme */
function faultOf(address: string): Pick<Fault, 'msg' | 'type'> | undefined {
  const read = address.replace(IGNORED, '');
  const scheme = parseUrl(read)?.protocol ?? SCHEME.exec(read)?.[0].toLowerCase();
  if (scheme !== undefined && scheme !== 'http:' && scheme !== 'https:')
    return { msg: 'Must begin with http:// or https://.', type: 'url_scheme' };
  return USER_INFO.test(read) ? { msg: 'Must not contain a user or password.', type: 'value_error' } : undefined;
}

/** One that may not be in a document. */
interface BadAddress {
  fault: Fault;
  /** The path of what is dropped with it. */
  dropped: string[];
}

/**
 * Checks the addresses of a `server.json` (contract, section 13.7): registries and clients make links of `websiteUrl`,
 * `repository.url` and `icons`, programs open the others, and everyone who can read the document sees their passwords.
 *
 * @param document whatever its form
 */
export function addressFaults(document: Document): Fault[] {
  return badAddresses(document).map(({ fault }) => fault);
}

/**
 * The same document without what has such an address: a website, a repository, an icon, a remote, a package. For documents
 * that nobody here can correct.
 *
 * @returns the document itself if there is nothing to drop; and the paths of what was dropped, as `/icons/0`
 */
export function withoutBadAddresses<D extends Document>(document: D): { document: D; dropped: string[] } {
  const paths = badAddresses(document).map(({ dropped }) => dropped);
  if (paths.length === 0) return { document, dropped: [] };
  return { document: without(document, paths) as D, dropped: paths.map((path) => `/${path.join('/')}`) };
}

function badAddresses(document: Document): BadAddress[] {
  return PLACES.flatMap(({ path, dropped }) =>
    valuesAt(document, path).flatMap(({ loc, value }): BadAddress[] => {
      const fault = typeof value === 'string' ? faultOf(value) : undefined;
      return fault ? [{ fault: { loc, ...fault }, dropped: loc.slice(0, dropped) }] : [];
    }),
  );
}

function valuesAt(value: unknown, path: readonly string[], loc: string[] = []): { loc: string[]; value: unknown }[] {
  const [step, ...rest] = path;
  if (step === undefined) return [{ loc, value }];
  if (step === EACH)
    return Array.isArray(value) ? value.flatMap((item, at) => valuesAt(item, rest, [...loc, String(at)])) : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return valuesAt((value as Document)[step], rest, [...loc, step]);
}

/** @param paths of what is left out; each exists */
function without(value: unknown, paths: readonly string[][]): unknown {
  if (paths.length === 0) return value;
  const kept = (key: string) => !paths.some(([step, ...rest]) => step === key && rest.length === 0);
  const inside = (key: string, child: unknown) =>
    without(
      child,
      paths.flatMap(([step, ...rest]) => (step === key ? [rest] : [])),
    );
  if (Array.isArray(value))
    return value.flatMap((item: unknown, at) => (kept(String(at)) ? [inside(String(at), item)] : []));
  return Object.fromEntries(
    Object.entries(value as Document).flatMap(([key, child]) => (kept(key) ? [[key, inside(key, child)]] : [])),
  );
}
