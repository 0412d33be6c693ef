import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment';

/** A longer chain of proxies is a forgery. */
const MOST_HOPS = 20;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** The network addresses of clients. `X-Forwarded-For` counts only behind `TRUSTED_PROXIES`. */
@Injectable()
export class ClientAddresses {
  private readonly proxies = new BlockList();

  constructor({ trustedProxies }: Environment) {
    for (const network of trustedProxies) {
      const [address = '', prefix = ''] = network.split('/');
      this.proxies.addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    }
  }

  /**
   * @returns in canonical form, an IPv4 address that is mapped into IPv6 as IPv4; `unknown` if the connection is gone
   */
  of(request: IncomingMessage): string {
    let address = canonicalAddress(request.socket.remoteAddress ?? '');
    if (address === undefined) return 'unknown';
    // Each proxy appends the address that it was called from, so the last one is the most trustworthy.
    const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').slice(-MOST_HOPS);
    while (this.isProxy(address)) {
      const before = canonicalAddress(hops.pop() ?? '');
      if (before === undefined) break;
      address = before;
    }
    return address;
  }

  private isProxy(address: string): boolean {
    return this.proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/**
 * @param text perhaps with a port, a zone, or in brackets
 * @returns undefined if it is not an address
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  const family = isIP(bare);
  if (family !== 6) return family === 4 ? bare : undefined;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [first, second] = [parseInt(high, 16), parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/**
 * Whose address it is, as far as that can be known: of IPv6 the first 64 bits, since anyone with one address there has
 * all of them.
 *
 * @param address canonical
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
