import type { Columns } from '../../database/columns';
import { MASK } from '../sending/target-url';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

/**
 * A `target_url` as stored. Its query often contains tokens, so it is encrypted; `target_url` then ends with a `#` in
 * its place, which no valid address has. A process of the previous release, which does not know the other column,
 * therefore refuses to send instead of leaving the query out. An address written by an older release contains its query
 * until the worker has encrypted it.
 */
export type StoredTarget = Pick<Columns<WebhookEndpoint>, 'target_url' | 'encrypted_query'>;

const MARK = '#';

/** @returns the address up to its query, and the query including the `?`, or null */
export function splitTarget(targetUrl: string): { address: string; query: string | null } {
  const place = targetUrl.indexOf('?');
  return place === -1
    ? { address: targetUrl, query: null }
    : { address: targetUrl.slice(0, place), query: targetUrl.slice(place) };
}

/**
 * @param targetUrl the complete address
 * @param encrypt encrypts a query
 */
export function toStoredTarget(targetUrl: string, encrypt: (query: string) => Buffer): StoredTarget {
  const { address, query } = splitTarget(targetUrl);
  return query === null
    ? { target_url: address, encrypted_query: null }
    : { target_url: address + MARK, encrypted_query: encrypt(query) };
}

/**
 * @param decrypt decrypts a query
 * @returns the complete address
 */
export function wholeTarget({ target_url, encrypted_query }: StoredTarget, decrypt: (query: Buffer) => string): string {
  // An older release may have stored a new address and left the previous one's query in place.
  if (!target_url.endsWith(MARK) || encrypted_query === null) return target_url;
  return target_url.slice(0, -MARK.length) + decrypt(encrypted_query);
}

/** @returns the address with `?…` in place of its query, for those who may not see it, and for events and logs */
export function maskedTarget({ target_url }: Pick<StoredTarget, 'target_url'>): string {
  if (target_url.endsWith(MARK)) return target_url.slice(0, -MARK.length) + MASK;
  const { address, query } = splitTarget(target_url);
  return query === null ? address : address + MASK;
}
