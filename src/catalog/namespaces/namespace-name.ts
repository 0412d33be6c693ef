/**
 * Namespaces are reversed domains: `com.example` is the namespace of `example.com`. Like domains, they are compared
 * case-insensitively (RFC 4343). An internationalised domain is written in its ASCII form, `com.xn--bcher-kva` for
 * bücher.com, because server names allow no other letters.
 */

/** The longest domain, in characters (RFC 1035, section 2.3.4). */
const MAX_LENGTH = 253;

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Hosts where anyone can have an account. The domain belongs to the host, so a TXT record cannot prove who
 * `io.github.alice` is: namespaces below these can only be granted.
 */
const HOSTS: readonly string[] = [
  'io.github',
  'com.github',
  'io.gitlab',
  'com.gitlab',
  'io.bitbucket',
  'org.bitbucket',
  'org.codeberg',
  'page.codeberg',
  'co.huggingface',
  'space.hf',
];

/** @returns the namespace of a listing's name, in lower case: `com.example` for `com.example/weather` */
export function namespaceOf(listingName: string): string {
  return listingName.slice(0, listingName.indexOf('/')).toLowerCase();
}

/** @returns the namespace and its parents, the widest last; holding any of them is enough */
export function coveringNamespaces(namespace: string): string[] {
  const labels = namespace.split('.');
  return labels.map((_, index) => labels.slice(0, labels.length - index).join('.'));
}

/** @returns the domain whose TXT record proves the namespace: `example.com` for `com.example` */
export function domainOf(namespace: string): string {
  return namespace.split('.').reverse().join('.');
}

/** @returns whether it is one of the hosts or an account there, and so can only be granted */
export function isGrantedOnly(namespace: string): boolean {
  return coveringNamespaces(namespace).some((candidate) => HOSTS.includes(candidate));
}

/** @returns an error message, or undefined if the namespace is valid. @param namespace in lower case */
export function namespaceFault(namespace: string): string | undefined {
  const labels = namespace.split('.');
  if (namespace.length > MAX_LENGTH || !labels.every((label) => LABEL.test(label))) {
    return 'Must be a reversed domain such as com.example: letters, digits and hyphens between dots.';
  }
  // A TXT record cannot prove the ownership of a whole top-level domain.
  return labels.length < 2 ? 'Must have at least two parts, such as com.example.' : undefined;
}
