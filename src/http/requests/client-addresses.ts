import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment';

/** A longer chain of proxies is a forgery. */
const MAX_HOPS = 20;
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;
/** As sockets write it; no need to parse it. */
const PLAINLY_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The other end of a connection. */
interface Peer {
  address: string;
  network: string;
  isProxy: boolean;
}

/** The network addresses of clients. `X-Forwarded-For` and `Forwarded` (RFC 7239) count only behind `TRUSTED_PROXIES`. */
@Injectable()
export class ClientAddresses {
  private readonly proxies = new BlockList();
  private readonly peers = new WeakMap<Socket, Peer>();

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
    const { address: peer, isProxy } = this.peerOf(request.socket);
    if (!isProxy) return peer;
    const { 'x-forwarded-for': list, forwarded } = request.headers;
    const listed = list === undefined ? undefined : this.before(peer, list, (hop) => hop);
    const named = forwarded === undefined ? undefined : this.before(peer, forwarded, forwardedFor);
    // A proxy maintains one of them, and passes on what the client claims in the other one.
    if (listed !== undefined && named !== undefined && listed !== named) return peer;
    return listed ?? named ?? peer;
  }

  /** @returns the network of the address, as `networkOf` names it */
  networkOf(request: IncomingMessage): string {
    const { network, isProxy } = this.peerOf(request.socket);
    return isProxy ? networkOf(this.of(request)) : network;
  }

  /** Each proxy appends the address that it was called from, so the last one is the most trustworthy. */
  private before(peer: string, header: string | string[], addressIn: (hop: string) => string): string {
    const hops = [header].flat().join(',').split(',').slice(-MAX_HOPS);
    let address = peer;
    while (this.isProxy(address)) {
      const before = canonicalAddress(addressIn(hops.pop() ?? ''));
      if (before === undefined) break;
      address = before;
    }
    return address;
  }

  /** @returns whether it names a client before the peer, and the peer is not one of `TRUSTED_PROXIES` */
  isBehindUnknownProxy({ socket, headers }: IncomingMessage): boolean {
    return (headers['x-forwarded-for'] ?? headers.forwarded) !== undefined && !this.peerOf(socket).isProxy;
  }

  /** Remembered, because to find it out takes 2 µs, as much as everything else that a limit costs. */
  private peerOf(socket: Socket): Peer {
    let peer = this.peers.get(socket);
    if (!peer) {
      const address = canonicalAddress(socket.remoteAddress ?? '');
      // The connection is gone.
      if (address === undefined) return { address: 'unknown', network: 'unknown', isProxy: false };
      peer = { address, network: networkOf(address), isProxy: this.isProxy(address) };
      this.peers.set(socket, peer);
    }
    return peer;
  }

  private isProxy(address: string): boolean {
    return this.proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

/** @returns what a hop of `Forwarded` was called from; nothing if it does not say so, or twice */
function forwardedFor(hop: string): string {
  const [value, ...others] = Array.from(hop.matchAll(/(?:^|;)\s*for=(?:"([^"]*)"|([^\s";]*))\s*(?=;|$)/gi));
  return others.length > 0 ? '' : (value?.[1] ?? value?.[2] ?? '');
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
    .replace(/%.*$/, '')
    .replace(PLAINLY_MAPPED, '$1');
  const family = isIP(bare);
  if (family !== 6) return family === 4 ? bare : undefined;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [first, second] = [parseInt(high, 16), parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/**
 * Finds whose address it is, as far as that can be known: for IPv6 it returns the first 64 bits, since anyone with one
 * address there has all of them.
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
