import { connect } from 'node:net';
import { type ClientBase, Pool, type PoolClient, type PoolConfig } from 'pg';
import { databaseDeadline, DatabaseDeadline, DatabaseDeadlineError, DatabaseQueueError } from './deadline';
import { TransactionClient } from './transaction-client';

/** PostgreSQL, "Message Formats": CancelRequest. */
const CANCEL_REQUEST_BYTES = 16;
const CANCEL_REQUEST_CODE = 80_877_102;
const CANCEL_PATIENCE_MS = 2_000;

/** Requests that may wait for a connection, for each connection. At 5 ms each the last of them would wait half a second. */
const WAITING_PER_CONNECTION = 100;

/** How long a request waits for a connection while none of the last has answered. A new connection takes 10 ms. */
const SUSPICIOUS_WAIT_MS = 1_000;

type Release = (error?: Error | boolean) => void;
type OnConnection = (error: Error | undefined, client: PoolClient | undefined, release?: Release) => void;

/** Fields of a node-postgres connection that its types omit. */
interface Connection {
  host: string;
  port: number;
  processID: number | null;
  secretKey: number | null;
  connection: { stream: { destroy: (error: Error) => void } };
}

/**
 * A pool that enforces the deadline of requests (`deadline.ts`). When it passes, a wait for a connection fails, and a
 * connection in use is destroyed, so that its statement fails and nothing more can be sent on it, not even COMMIT;
 * after it no connection is handed out. Once that has happened, requests wait only briefly for a connection until one has
 * answered, so that they do not pile up before a database that is frozen. TypeORM takes connections by callback; so does
 * this.
 */
export class DeadlinePool extends Pool {
  /** Whether a deadline has passed since a connection was last returned in order. */
  private isSuspicious = false;

  constructor(config?: PoolConfig) {
    super({ ...config, Client: TransactionClient });
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnConnection): void;
  override connect(callback?: OnConnection): Promise<PoolClient> | void {
    const deadline = databaseDeadline();
    if (!callback) return super.connect();
    if (!deadline) return super.connect(callback);
    this.connectWithin(deadline, callback);
  }

  private connectWithin(deadline: DatabaseDeadline, callback: OnConnection): void {
    const startedAt = performance.now();
    if (deadline.remainingAt(startedAt) <= 0) {
      // A connection would only be destroyed with its first statement, and the next request would have to open another.
      process.nextTick(() => callback(new DatabaseDeadlineError(), undefined, () => undefined));
      return;
    }
    if (this.waitingCount >= WAITING_PER_CONNECTION * this.options.max) {
      process.nextTick(() => callback(new DatabaseQueueError(), undefined, () => undefined));
      return;
    }
    const patience = this.isSuspicious ? SUSPICIOUS_WAIT_MS : Infinity;
    let connection: PoolClient | undefined;
    let isLate = false;
    const remaining = (): number => {
      const ofRequest = deadline.remainingAt(startedAt);
      return connection ? ofRequest : Math.min(ofRequest, startedAt + patience - performance.now());
    };
    const expire = (): void => {
      // Extended in the meantime, or answered: then the remaining work is background work.
      if (remaining() > 0) timer = setTimeout(expire, remaining());
      else if (!deadline.isOver()) {
        isLate = true;
        this.isSuspicious = true;
        if (connection) abandon(connection);
        else callback(new DatabaseDeadlineError(), undefined, () => undefined);
      }
    };
    let timer = setTimeout(expire, remaining());
    const end = (): void => {
      clearTimeout(timer);
      deadline.count(startedAt);
    };
    super.connect((error, client, release) => {
      if (isLate) {
        // Nobody is waiting for it any more, and nothing was sent on it. pg-pool's own timeout only passes an error.
        release?.();
      } else if (error || !client) {
        end();
        callback(error, client, release);
      } else {
        connection = client;
        callback(undefined, client, (fault) => {
          connection = undefined;
          if (!isLate && !fault) this.isSuspicious = false;
          end();
          release(fault);
        });
      }
    });
  }
}

/**
 * Destroys a connection, and asks the server to cancel its statement: one that waits for a lock would otherwise be
 * executed as soon as it gets it, after the client received an error.
 */
function abandon(client: PoolClient & ClientBase): void {
  const connection = client as unknown as Connection;
  sendCancelRequest(connection);
  connection.connection.stream.destroy(new DatabaseDeadlineError());
}

/** Without TLS, like libpq: the request contains only two numbers that become invalid with the connection. */
function sendCancelRequest({ host, port, processID, secretKey }: Connection): void {
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return;
  const message = Buffer.alloc(CANCEL_REQUEST_BYTES);
  message.writeInt32BE(CANCEL_REQUEST_BYTES, 0);
  message.writeInt32BE(CANCEL_REQUEST_CODE, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // Best effort.
  socket.on('error', () => socket.destroy());
  socket.setTimeout(CANCEL_PATIENCE_MS, () => socket.destroy());
  socket.unref();
  socket.end(message);
}
