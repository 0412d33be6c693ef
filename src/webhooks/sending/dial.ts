import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from '../../outbound/address-rules';
import type { Attempt } from './attempt';
import { connectionFailure, tlsFailure } from './send-error';
import type { TargetAddress } from '../../outbound/target-addresses';
import type { Target } from './target';

/**
 * Opens a connection to a target, at one of the addresses and nowhere else.
 *
 * @param addresses tried one after the other, each with the same share of the time that the attempt has left
 * @param attempt ends the dialling when it ends itself
 * @returns a socket that is connected, and for https has a good certificate of the host
 * @throws SendFailure
 */
export function dial(target: Target, addresses: readonly TargetAddress[], attempt: Attempt): Promise<Socket> {
  const host = bareHost(target.hostname);
  const tcp = {
    host,
    port: target.port,
    noDelay: true,
    keepAlive: true,
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(10, Math.floor(attempt.timeLeft / addresses.length)),
  };
  return new Promise((resolve, reject) => {
    const { signal } = attempt;
    attempt.stage = 'connecting';
    const socket = target.isSecure
      ? connectTls({
          ...tcp,
          // No server name for an address (RFC 6066, section 3). Said although it is the default, which an environment
          // variable can change.
          servername: isIP(host) === 0 ? host : '',
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp(tcp);
    const give = () => socket.destroy();
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', give);
      reject(attempt.stage === 'agreeing on TLS' ? tlsFailure(error) : connectionFailure(error));
    };
    signal.addEventListener('abort', give, { once: true });
    // The first stays for the life of the socket: one that fails while nobody uses it must not end the process.
    socket.on('error', ignore).once('error', fail).once('close', fail);
    if (target.isSecure) socket.once('connect', () => (attempt.stage = 'agreeing on TLS'));
    socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
      signal.removeEventListener('abort', give);
      socket.off('error', fail).off('close', fail);
      resolve(socket);
    });
    if (signal.aborted) give();
  });
}

function ignore(): void {}

/** In place of a look-up: what was vetted is what is dialled, and no second question to the DNS comes between. */
function answering(addresses: readonly TargetAddress[]): LookupFunction {
  const [first] = addresses;
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
