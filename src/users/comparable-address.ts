import { domainToASCII } from 'node:url';

/** What a URL would take for the end of the host. */
const URL_SYNTAX = /[\s/\\?#@:%[\]<>^|]/;

/** @returns a domain in lower case and in its ASCII form (A-labels); undefined for what cannot be one */
export function asciiDomain(text: string): string | undefined {
  return URL_SYNTAX.test(text) ? undefined : domainToASCII(text) || undefined;
}

/**
 * An e-mail address in the form in which addresses are compared (contract, section 12.2): in NFC, with A–Z folded and
 * nothing else, and the domain in its ASCII form. Folded before NFC, which makes a K of the KELVIN SIGN.
 */
export function comparableAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${folded(address.slice(0, at))}@${asciiDomain(domain) ?? folded(domain)}`;
}

function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).normalize('NFC');
}
