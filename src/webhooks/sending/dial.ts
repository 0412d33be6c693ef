import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from '../../outbound/address-rules';
import type { Attempt } from './attempt';
import { connectionFailure, tlsFailure } from './send-error';
import type { TargetAddress } from '../../outbound/target-addresses';
import type { Target } from './target';

/**
 * Opens a connection to a target, at one of the given addresses only.
 *
 * @param addresses tried in order, each with an equal share of the attempt's remaining time
 * @param attempt dialling is aborted when it ends
 * @returns a connected socket; for https with a valid certificate for the host
 * @throws SendFailure
 */
export function dial(target: Target, addresses: readonly TargetAddress[], attempt: Attempt): Promise<Socket> {
  const host = bareHost(target.hostname);
  const tcp = {
    host,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    lookup: fixedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(attempt.timeLeft / addresses.length)),
  };
  return new Promise((resolve, reject) => {
    const { signal } = attempt;
    attempt.stage = 'connecting';
    const socket = target.isSecure
      ? connectTls({
          ...tcp,
          // No server name for an address (RFC 6066, section 3). Set explicitly: an environment variable can
          // change the default.
          servername: isIP(host) === 0 ? host : '',
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp(tcp);
    const abort = () => socket.destroy();
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      reject(attempt.stage === 'negotiating TLS' ? tlsFailure(error) : connectionFailure(error));
    };
    signal.addEventListener('abort', abort, { once: true });
    // The first listener stays for the life of the socket: an error on an idle socket must not crash the process.
    socket.on('error', ignore).once('error', fail).once('close', fail);
    if (target.isSecure) socket.once('connect', () => (attempt.stage = 'negotiating TLS'));
    socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', abort);
      socket.off('error', fail).off('close', fail);
      resolve(socket);
    });
    if (signal.aborted) abort();
  });
}

function ignore(): void {}

/** Replaces the DNS lookup, so that exactly the checked addresses are dialled; a second lookup could return others. */
function fixedLookup(addresses: readonly TargetAddress[]): LookupFunction {
  const [first] = addresses;
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
