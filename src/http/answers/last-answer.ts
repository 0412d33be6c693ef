import type { Duplex } from 'node:stream';

/** How long the client has to read the last answer before the connection is cut. */
const LINGER_MS = 1_000;

/** The connections whose last answer was given. */
const ending = new WeakSet<Duplex>();

/** Nothing that comes behind this answer is a request or part of one (RFC 9112, section 9.6). */
export function markLastAnswer(socket: Duplex): void {
  ending.add(socket);
}

/** Whether the last answer on this connection was given, so that what still arrives on it must not be acted on. */
export function hasLastAnswer(socket: Duplex): boolean {
  return ending.has(socket);
}

/**
 * Ends the connection in two steps: the answer and the end of ours at once, the cut a second later, and nothing is read
 * meanwhile. A connection that is cut while bytes of the client wait to be read is reset, and the client, busy with
 * sending, may then lose the answer (RFC 9112, section 9.6). One that is never cut stays for as long as the client
 * keeps its side open, since Node lets it.
 *
 * @param answer what is still to be written
 */
export function endInTwoSteps(socket: Duplex, answer = ''): void {
  markLastAnswer(socket);
  socket.end(answer);
  socket.pause();
  // After Node has begun to skip the rest of the body.
  setImmediate(() => socket.pause());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
