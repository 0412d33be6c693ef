import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';

/** So that a receiver that has moved is noticed although the old one keeps its connections open. */
const MOST_AGE_MS = 60_000;
/** A receiver may ask for more or less with `Keep-Alive: timeout`; Node servers close after 5 s. */
const IDLE_MS = 4_000;
const MOST_IDLE_MS = 30_000;

/**
 * Of one answer with everything around it: hints, head, and what makes chunks of a body, at their worst for a body of
 * which 16 KiB are kept. Without a bound a receiver could keep the parser busy until the deadline.
 */
const MOST_BYTES = 256 * 1_024;

/** The other side has sent more than any answer needs. */
export class TooLongError extends Error {
  constructor() {
    super('The answer is too long.');
    this.name = 'TooLongError';
  }
}

/** What goes over a connection; the method is POST. */
export interface OutgoingRequest {
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
}

/**
 * A connection to one origin, for one request after the other. An undici `Client` with a socket that is dialled by us,
 * and not its `Agent`: that cannot give up a request that waits for a connection, has no bound on idle connections, and
 * does not say whether a connection is fresh.
 */
export class Connection {
  private readonly client: Client;
  private readonly openedAt = performance.now();
  /** Bytes that came before the answer that is awaited. */
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
      // Ours comes first: undici would go on to the end of what it has read, with an Error for every header.
      maxHeaderSize: 4 * MOST_BYTES,
      // The attempt has one deadline for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MOST_IDLE_MS,
    });
    // Is called before undici reads, whose listener comes later.
    socket.on('readable', () => {
      if (socket.bytesRead - this.bytesBefore > MOST_BYTES) socket.destroy(new TooLongError());
    });
  }

  /** @returns whether another request may follow */
  get isUsable(): boolean {
    return !this.socket.destroyed && performance.now() - this.openedAt < MOST_AGE_MS;
  }

  /** @param handler is told of the answer, or of the error; later perhaps of an error once more */
  send({ path, headers, body }: OutgoingRequest, handler: Dispatcher.DispatchHandler): void {
    this.bytesBefore = this.socket.bytesRead;
    this.client.dispatch({ method: 'POST', path, headers, body }, handler);
  }

  /** @param listener called once when the connection is closed by whomever */
  onceClosed(listener: () => void): void {
    if (this.socket.destroyed) listener();
    else this.socket.once('close', listener);
  }

  /** Closes it at once; a request on it fails. */
  destroy(): void {
    void this.client.destroy();
    this.socket.destroy();
  }
}
