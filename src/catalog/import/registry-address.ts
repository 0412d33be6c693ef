import { parseUrl } from '../../config/parse-url';
import { SourceError } from './source-error';

/** @returns whether `from` is an address rather than a file */
export function isAddress(from: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(from);
}

/**
 * Normalises a registry's address, which identifies the source of a listing: `https://Tools.example.com/v0.1/` must not
 * be another registry than `https://tools.example.com`.
 *
 * @param allowHttp as for webhooks (`WEBHOOKS_ALLOW_HTTP`)
 * @returns the address without `/v0.1` and without a trailing slash
 * @throws SourceError if the address is invalid or not allowed
 */
export function registryAddress(from: string, allowHttp: boolean): string {
  const url = parseUrl(from);
  if (!url) throw new SourceError('The address of the registry is not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SourceError(`The address of a registry must use https, not ${url.protocol.slice(0, -1)}.`);
  }
  if (url.protocol === 'http:' && !allowHttp) {
    throw new SourceError(
      'The address of a registry must use https; http is allowed only with WEBHOOKS_ALLOW_HTTP=true.',
    );
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(from)) {
    throw new SourceError('The address of a registry must not have user info, a query or a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v0(\.1)?(\/servers)?$/, '');
  return url.origin + path.replace(/\/+$/, '');
}
