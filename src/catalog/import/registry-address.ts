import { parseUrl } from '../../config/parse-url';
import { SourceError } from './source-error';

/** @returns whether listings come from an address and not from a file */
export function isAddress(from: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(from);
}

/**
 * The one form of a registry's address: its listings are known by it, so that `https://Tools.example.com/v0.1/` must not
 * be another registry than `https://tools.example.com`.
 *
 * @param allowHttp as for webhooks (`WEBHOOKS_ALLOW_HTTP`)
 * @returns the address without `/v0.1` and without a slash at its end
 * @throws SourceError for an address that is none, or is not taken as it is
 */
export function registryAddress(from: string, allowHttp: boolean): string {
  const url = parseUrl(from);
  if (!url) throw new SourceError('This is not an address of a registry: it cannot be parsed.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SourceError(`Registries are read by https, not by ${url.protocol.slice(0, -1)}.`);
  }
  if (url.protocol === 'http:' && !allowHttp) {
    throw new SourceError('Registries are read by https; http needs WEBHOOKS_ALLOW_HTTP=true.');
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(from)) {
    throw new SourceError('The address of a registry must not have user info, a query or a fragment.');
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v0(\.1)?(\/servers)?$/, '');
  return url.origin + path.replace(/\/+$/, '');
}
