import { isIPv6 } from 'node:net';

/**
 * @param address in canonical form
 * @returns the network whose client it is: an IPv4 address itself, of an IPv6 address the first 64 bits, of which one
 *   customer has all
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
