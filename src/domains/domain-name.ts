import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
/** Characters that end the host in a URL: `domainToASCII()` would silently drop the remainder. */
const URL_SYNTAX = /[\s/\\?#@:%[\]<>^|]/;
/** A letter-digit-hyphen label (RFC 5890, section 2.3.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @param text a domain as entered by a user
 * @returns the domain in lower-case ASCII form; undefined if it is invalid or a top-level domain
 */
export function domainName(text: string): string | undefined {
  const domain = URL_SYNTAX.test(text) ? '' : domainToASCII(text);
  const labels = domain.split('.');
  const isDomain = domain.length <= MAX_LENGTH && labels.length > 1 && labels.every((label) => LABEL.test(label));
  // An IPv4 address also consists of valid labels.
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined;
}
