import { isIPv6 } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * The network that a request comes from, in canonical form: an IPv4 address, or the first 64 bits of an IPv6 address,
 * of which one customer has all.
 */
export function networkOf({ socket }: IncomingMessage): string {
  return canonicalNetwork(socket.remoteAddress ?? '');
}

/** @param address as the operating system writes it */
export function canonicalNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] ?? '';
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0');
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
