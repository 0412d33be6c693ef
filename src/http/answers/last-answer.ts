import type { Duplex } from 'node:stream';

/** How long the client has to read the last response before the connection is cut. */
const LINGER_MS = 1_000;

/** The connections whose last response has been sent. */
const ending = new WeakSet<Duplex>();

/** Nothing after this response is a request or part of one (RFC 9112, section 9.6). */
export function markLastAnswer(socket: Duplex): void {
  ending.add(socket);
}

/** Whether the last response on this connection has been sent, so that whatever still arrives must be ignored. */
export function hasLastAnswer(socket: Duplex): boolean {
  return ending.has(socket);
}

/**
 * Closes the connection in two steps: the response and our FIN immediately, the cut a second later, and nothing is read
 * in between. A connection that is cut while bytes from the client wait to be read is reset, and the client, busy
 * sending, may then lose the response (RFC 9112, section 9.6). Without the cut, Node would keep the connection for as
 * long as the client keeps its side open.
 *
 * @param answer what is still to be written
 */
export function endInTwoSteps(socket: Duplex, answer = ''): void {
  markLastAnswer(socket);
  socket.end(answer);
  socket.pause();
  // After Node has begun to skip the remaining body.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
