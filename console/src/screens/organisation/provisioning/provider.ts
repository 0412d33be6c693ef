/** Identity providers that the page guides through. */
export const PROVIDERS = ['okta', 'entra', 'google', 'other'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The steps of the guide, in their order. */
export const STEPS = ['domain', 'application', 'connection', 'people', 'groups'] as const;
export type Step = (typeof STEPS)[number];

export const providerOf = (text: string | undefined): Provider | undefined => PROVIDERS.find((one) => one === text);
export const stepOf = (text: string | undefined): Step => STEPS.find((one) => one === text) ?? 'domain';

/** @returns the step before or after another; undefined beyond the ends */
export function stepBeside(step: Step, by: -1 | 1): Step | undefined {
  return STEPS[STEPS.indexOf(step) + by];
}

/**
 * @param base the address of the SCIM service
 * @returns the address as the provider is to be given it
 */
export function addressFor(provider: Provider, base: string): string {
  // Makes Entra ID follow the standard: docs/scim/providers.md.
  return provider === 'entra' ? `${base}?aadOptscim062020` : base;
}

/** What is wrong with an address, so that the provider cannot reach or does not accept it. */
export type AddressFault = 'not_https' | 'local' | 'underscore';

const LOCAL = /^(localhost|.*\.localhost|127\..*|\[::1\]|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/;

/** @returns what would keep this provider from calling the address */
export function addressFaults(provider: Provider, address: string): AddressFault[] {
  if (!URL.canParse(address)) return [];
  const { protocol, hostname } = new URL(address);
  const faults: AddressFault[] = [];
  if (protocol !== 'https:') faults.push('not_https');
  if (LOCAL.test(hostname)) faults.push('local');
  if (provider === 'okta' && hostname.includes('_')) faults.push('underscore');
  return faults;
}

/** @returns the provider that a token is for, as far as its name says */
export function providerOfToken(name: string | undefined): Provider {
  if (name === undefined) return 'other';
  if (/okta/i.test(name)) return 'okta';
  if (/entra|azure|microsoft/i.test(name)) return 'entra';
  return /google/i.test(name) ? 'google' : 'other';
}
