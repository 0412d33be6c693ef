import type { KnownConfig } from '../entries/entry-config';
import { planEachWay } from './launch';

/**
 * Whether a server can be reached where its document says, by Streamable HTTP. Values that are missing in its address can be
 * given, and do not count.
 *
 * @param document a `server.json`
 * @param config of the entry; which way it selects does not count
 */
export function hasOwnRemote(document: unknown, config: KnownConfig): boolean {
  const remoteOnly: KnownConfig = { ...config, runWith: 'remote' };
  for (const way of planEachWay(document, remoteOnly, { remotes: true, asks: true }))
    if (!('reason' in way) && way.server.kind === 'remote' && way.server.type === 'http') return true;
  return false;
}
