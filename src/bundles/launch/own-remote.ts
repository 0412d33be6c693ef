import { parseUrl } from '../../config/parse-url';
import { bracesIn, readServerParts } from './server-parts';

/**
 * Whether a document says where its server is reached by Streamable HTTP. The configuration of an entry does not count: with values
 * that make no address, an editor could have any listing pass for one without a remote server.
 *
 * @param document a `server.json`
 */
export function hasOwnRemote(document: unknown): boolean {
  return readServerParts(document).remotes.some(({ type, url }) => type === 'streamable-http' && canBeAddress(url));
}

/** With variables it can be, whatever they lack now. */
function canBeAddress(url: string): boolean {
  return bracesIn(url).length > 0 || (/^https?:\/\//i.test(url) && parseUrl(url) !== undefined);
}
