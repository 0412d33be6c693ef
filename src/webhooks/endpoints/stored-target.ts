import type { Columns } from '../../database/columns';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

/**
 * A `target_url` as it is stored. Its query is where people put tokens, so it is encrypted; where there is one, `target_url`
 * ends in place of it with a `#`, which no address that may be saved has. So the release before this one, which does not know
 * of the other column, refuses to send to half an address instead of leaving the query out. Until the worker has encrypted
 * it, an address that an older release wrote holds its query itself.
 */
export type StoredTarget = Pick<Columns<WebhookEndpoint>, 'target_url' | 'encrypted_query'>;

const MARK = '#';

/** What stands for a query that the reader may not see. */
const MASK = '?…';

/** @returns the address up to its query, and the query from the `?` on; null: it has none */
export function splitTarget(targetUrl: string): { address: string; query: string | null } {
  const place = targetUrl.indexOf('?');
  return place === -1
    ? { address: targetUrl, query: null }
    : { address: targetUrl.slice(0, place), query: targetUrl.slice(place) };
}

/**
 * @param targetUrl whole
 * @param encrypt of a query
 */
export function toStoredTarget(targetUrl: string, encrypt: (query: string) => Buffer): StoredTarget {
  const { address, query } = splitTarget(targetUrl);
  return query === null
    ? { target_url: address, encrypted_query: null }
    : { target_url: address + MARK, encrypted_query: encrypt(query) };
}

/**
 * @param decrypt of a query
 * @returns the whole address
 */
export function wholeTarget({ target_url, encrypted_query }: StoredTarget, decrypt: (query: Buffer) => string): string {
  // An older release may have stored another address, and left the query of the one before where it was.
  if (!target_url.endsWith(MARK) || encrypted_query === null) return target_url;
  return target_url.slice(0, -MARK.length) + decrypt(encrypted_query);
}

/** @returns the address with `?…` in place of its query, for those who may not see it, and for events and logs */
export function maskedTarget({ target_url }: Pick<StoredTarget, 'target_url'>): string {
  if (target_url.endsWith(MARK)) return target_url.slice(0, -MARK.length) + MASK;
  const { address, query } = splitTarget(target_url);
  return query === null ? address : address + MASK;
}

/** @returns whether it is an address as it was shown to somebody who may not see the query */
export function isMaskedTarget(targetUrl: string): boolean {
  return targetUrl.endsWith(MASK);
}
