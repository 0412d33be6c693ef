import { TOKEN_CHARACTER } from '../../http/requests/header-token';

/** What a server says about the tokens that it wants, with status 401 or 403 (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface Challenge {
  /** Where the metadata of the protected resource are. */
  readonly resourceMetadata?: string;
  /** The scopes that the request needs, separated by spaces. */
  readonly scope?: string;
  readonly error?: string;
}

const MAX_HEADER_LENGTH = 8_192;
const MAX_SCOPE_LENGTH = 1_000;
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;
/** A scheme at the beginning, or after a comma, that is followed by a parameter (RFC 9110, section 11.6.1). */
const SCHEME = new RegExp(`(?:^|,)\\s*(${TOKEN_CHARACTER}+)\\s+(?=[\\w-]+\\s*=)`, 'g');
const PARAMETER = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/**
 * Reads the `Bearer` challenge of `WWW-Authenticate`, of which there may be others beside it.
 *
 * @returns undefined if there is none
 */
export function readChallenge(header: string | null | undefined): Challenge | undefined {
  if (!header || header.length > MAX_HEADER_LENGTH) return undefined;
  if (/^\s*bearer\s*$/i.test(header)) return {};
  // What is in quotes is no scheme.
  const bare = header.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => `"${'x'.repeat(quoted.length - 2)}"`);
  const schemes = [...bare.matchAll(SCHEME)];
  const place = schemes.findIndex(([, name]) => name?.toLowerCase() === 'bearer');
  const begin = schemes[place];
  if (!begin) return undefined;
  const text = header.slice(begin.index + begin[0].length, schemes[place + 1]?.index);
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    // The first one of a repeated parameter counts.
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token ?? '');
  }
  const [resourceMetadata, scope, error] = ['resource_metadata', 'scope', 'error'].map((name) => found.get(name));
  return {
    ...(resourceMetadata ? { resourceMetadata } : {}),
    ...(scope && isScope(scope) ? { scope } : {}),
    ...(error ? { error } : {}),
  };
}

/** @returns whether it is a list of scopes that may be asked for */
export function isScope(text: string): boolean {
  return text.length <= MAX_SCOPE_LENGTH && SCOPE.test(text);
}

/** @returns each scope of all lists once, in the order of their first sight; undefined if there is none */
export function scopeUnion(...lists: readonly (string | undefined)[]): string | undefined {
  const all = [...new Set(lists.flatMap((list) => list?.split(' ').filter((scope) => scope !== '') ?? []))];
  return all.length === 0 ? undefined : all.join(' ');
}
