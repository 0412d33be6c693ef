import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';

/** So that a receiver that has moved is noticed even if the old one keeps its connections open. */
const MAX_AGE_MS = 60_000;
/** A receiver may request more or less with `Keep-Alive: timeout`; Node servers close after 5 s. */
const IDLE_MS = 4_000;
const MAX_IDLE_MS = 30_000;

/**
 * Bytes of one response with everything around it: early hints, headers, and the worst chunk overhead for a body of
 * which 16 KiB are kept. Without a bound, a receiver could keep the parser busy until the deadline.
 */
const MAX_RESPONSE_BYTES = 256 * 1_024;

/** The receiver has sent more than any response needs. */
export class TooLongError extends Error {
  constructor() {
    super('The response is too long.');
    this.name = 'TooLongError';
  }
}

/** A request on a connection; the method is POST. */
export interface OutgoingRequest {
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
}

/**
 * A connection to one origin for consecutive requests. An undici `Client` with a socket that we dial, rather than its
 * `Agent`, which cannot cancel a request that waits for a connection, does not limit idle connections and does not
 * report whether a connection is new.
 */
export class Connection {
  private readonly client: Client;
  private readonly openedAt = performance.now();
  /** Bytes received before the current response. */
  private bytesBefore = 0;

  /** @param socket connected */
  constructor(
    readonly origin: string,
    private readonly socket: Socket,
  ) {
    let isFresh = true;
    this.client = new Client(origin, {
      connect: (_options, callback) => {
        const isFirst = isFresh;
        isFresh = false;
        queueMicrotask(() => {
          if (isFirst) callback(null, socket);
          else callback(new Error('The connection was closed while it was idle.'), null);
        });
      },
      pipelining: 1,
      // Our limit applies first: undici would continue to the end of its buffer and create an Error for every header.
      maxHeaderSize: 4 * MAX_RESPONSE_BYTES,
      // The attempt has one deadline for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
    });
    // Called before undici reads, because its listener is added later.
    socket.on('readable', () => {
      if (socket.bytesRead - this.bytesBefore > MAX_RESPONSE_BYTES) socket.destroy(new TooLongError());
    });
  }

  /** @returns whether another request may be sent */
  get isUsable(): boolean {
    return !this.socket.destroyed && performance.now() - this.openedAt < MAX_AGE_MS;
  }

  /** @param handler receives the response or the error; an error may follow later */
  send({ path, headers, body }: OutgoingRequest, handler: Dispatcher.DispatchHandler): void {
    this.bytesBefore = this.socket.bytesRead;
    this.client.dispatch({ method: 'POST', path, headers, body }, handler);
  }

  /** @param listener called once when either side closes the connection */
  onceClosed(listener: () => void): void {
    if (this.socket.destroyed) listener();
    else this.socket.once('close', listener);
  }

  /** Closes the connection immediately; a request on it fails. */
  destroy(): void {
    void this.client.destroy();
    this.socket.destroy();
  }
}
