import { domainToASCII } from 'node:url';

const LONGEST = 253;
/** What a URL would take for the end of the host, which `domainToASCII()` would drop. */
const URL_SYNTAX = /[\s/\\?#@:%[\]<>^|]/;
/** A letter-digit-hyphen label (RFC 5890, section 2.3.1). */
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @param text a domain as a person writes it
 * @returns the domain in lower case and in its ASCII form; undefined if it is not one, or a top-level domain
 */
export function domainName(text: string): string | undefined {
  const domain = URL_SYNTAX.test(text) ? '' : domainToASCII(text);
  const labels = domain.split('.');
  const isDomain = domain.length <= LONGEST && labels.length > 1 && labels.every((label) => LABEL.test(label));
  // An IPv4 address has labels, too.
  return isDomain && !/^\d+$/.test(labels.at(-1) ?? '') ? domain : undefined;
}
