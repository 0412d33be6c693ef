/**
 * Namespaces are domains read from their end: `com.example` is that of `example.com`. They are compared without case, as
 * domains are (RFC 4343). An international domain is written in its ASCII form: `com.xn--bcher-kva` for bücher.com, since
 * the names of servers have no other letters.
 */

/** The longest domain, in characters (RFC 1035, section 2.3.4). */
const LONGEST = 253;

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Where anybody can have an account, but its domain is the host's: a TXT record cannot prove who `io.github.alice` is, so
 * what lies below these is only granted.
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

/** @returns the namespace of a listing's name, in lower case: `com.example` of `com.example/weather` */
export function namespaceOf(listingName: string): string {
  return listingName.slice(0, listingName.indexOf('/')).toLowerCase();
}

/** @returns the namespace and all above it, the widest one last; to hold any of them is enough */
export function coveringNamespaces(namespace: string): string[] {
  const labels = namespace.split('.');
  return labels.map((_, index) => labels.slice(0, labels.length - index).join('.'));
}

/** @returns the domain whose TXT record proves the namespace: `example.com` of `com.example` */
export function domainOf(namespace: string): string {
  return namespace.split('.').reverse().join('.');
}

/** @returns whether it belongs to an account at a host, or is the host itself, and so can only be granted */
export function isGrantedOnly(namespace: string): boolean {
  return coveringNamespaces(namespace).some((one) => HOSTS.includes(one));
}

/** @returns what is wrong with a namespace, or undefined. @param namespace in lower case */
export function namespaceFault(namespace: string): string | undefined {
  const labels = namespace.split('.');
  if (namespace.length > LONGEST || !labels.every((label) => LABEL.test(label))) {
    return 'Must be a domain read from its end, such as com.example: letters, digits and hyphens between dots.';
  }
  // Nobody has a whole top-level domain in a way that a TXT record could show.
  return labels.length < 2 ? 'Must have at least two parts, such as com.example.' : undefined;
}
