import { ConflictError, type Fault } from '../../errors/errors';
import { parseUrl } from '../../config/parse-url';
import { ErrorCode } from '../bundle.errors';
import { hasOwnRemote } from '../launch/own-remote';
import type { EntryListing } from './entry-listings';
import type { EntrySettings, ListEntry } from './entry-list';

/**
 * The `format` of an `endpoint_url` in the OpenAPI document. The gateway registers it: which addresses may be reached is not
 * for bundles to know.
 */
export const ENTRY_ENDPOINT_FORMAT = 'entry-endpoint-url';
export const MAX_ENDPOINT_URL_LENGTH = 2_048;

/**
 * @returns what is wrong with the text of an `endpoint_url`, whatever host it names
 */
export function endpointUrlFault(text: string): Omit<Fault, 'loc'> | undefined {
  const url = parseUrl(text);
  // The parser silently strips white space and repairs slashes. What is stored must mean the same to every other parser.
  if (!url || /[\s\p{Cc}\\]/u.test(text)) return NOT_ABSOLUTE;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { msg: 'Must start with https:// or http://.', type: 'url_scheme' };
  if (!/^https?:\/\/[^/]/i.test(text)) return NOT_ABSOLUTE;
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text)) {
    return { msg: 'Must not contain a user name or password.', type: 'value_error' };
  }
  if (text.includes('#')) return { msg: 'Must not contain a fragment.', type: 'value_error' };
  if (/[{}]/.test(text)) return { msg: 'Must not contain variables in braces.', type: 'value_error' };
  return undefined;
}

const NOT_ABSOLUTE = { msg: 'Must be an absolute URL.', type: 'url_parsing' } as const;

/**
 * Checks that an entry may have an `endpoint_url`. One that it has already stays, whatever its listing has become: only
 * editors decide where calls go. When an editor sets another one or another version, it is checked again.
 *
 * @param present what the entry has; undefined: it is new
 * @param settings what it gets
 * @param listing in the version that the entry will mean; undefined: it was deleted
 * @throws ConflictError if the listing has a remote server of its own, or the caller may not see it
 */
export function requireEndpointUrl(
  present: Pick<ListEntry, 'endpoint_url' | 'version'> | undefined,
  settings: Pick<EntrySettings, 'endpoint_url' | 'version'>,
  listing: EntryListing | undefined,
): void {
  const { endpoint_url: presentUrl, version: presentVersion } = present ?? { endpoint_url: null, version: null };
  const { endpoint_url = presentUrl, version = presentVersion } = settings;
  if (endpoint_url === null || (endpoint_url === presentUrl && version === presentVersion)) return;
  if (!listing?.is_visible) throw new ConflictError(ErrorCode.BundleEntryConflict, NOT_SEEN);
  if (hasOwnRemote(listing.server)) throw new ConflictError(ErrorCode.BundleEntryConflict, HAS_REMOTE);
}

const NOT_SEEN = 'The listing of the entry was deleted, or you may not see it, so the entry takes no endpoint_url.';
const HAS_REMOTE =
  'The listing has a remote server (Streamable HTTP) in this version, so the entry takes no endpoint_url: calls go where the listing says.';
