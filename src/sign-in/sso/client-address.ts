import type { Request } from 'express';

/** @returns the network address of the client, with an IPv4 address mapped into IPv6 unwrapped */
export function clientAddress({ socket }: Request): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
