import { domainToASCII } from 'node:url';

/** @returns the domain as A-labels in lower case, or undefined if it is none */
export function addressDomain(text: string): string | undefined {
  const domain = domainToASCII(text.trim().replace(/^@/, '').toLowerCase());
  return /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/.test(domain) ? domain : undefined;
}
