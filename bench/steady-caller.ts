import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** What to send, and how fast. */
export interface SteadyLoad {
  /** Requests go to each of these in turn. */
  urls: string[];
  path: string;
  token: string;
  perSecond: number;
  seconds: number;
}

/** How it went. */
export interface SteadyResult {
  /** Requests that were answered, by status. */
  statuses: Record<number, number>;
  sent: number;
}

/** Connections to each address, with one request at a time; when all of them wait for an answer, it is late instead. */
const CONNECTIONS = 32;

/**
 * Sends GET requests evenly, from a thread of its own. autocannon sends those of a second all at once when it is given a
 * rate, which is another load: a burst. A real caller's cost is paid on its own machine, while this one takes from the
 * two cores of the service: so it writes the same bytes each time, and of an answer reads no more than it has to.
 */
export async function sendSteadily(load: SteadyLoad): Promise<SteadyResult> {
  const worker = new Worker(__filename, { workerData: load });
  return new Promise<SteadyResult>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  }).finally(() => worker.terminate());
}

/** Has at most one request at a time. */
class Connection {
  private received = '';

  private constructor(
    private readonly socket: Socket,
    private readonly request: Buffer,
    private readonly onAnswer: (connection: Connection, status: number) => void,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('end', () => {
      throw new Error('A connection was cut.');
    });
  }

  static async to(
    url: string,
    { path, token }: SteadyLoad,
    onAnswer: (connection: Connection, status: number) => void,
  ): Promise<Connection> {
    const { host, hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    return new Connection(socket, Buffer.from(request), onAnswer);
  }

  send(): void {
    this.socket.write(this.request);
  }

  close(): void {
    this.socket.destroy();
  }

  /** @throws Error, which ends the thread and the measurement, for an answer that does not say how long it is */
  private take(chunk: Buffer): void {
    this.received += chunk.toString('latin1');
    const end = this.received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(this.received.slice(0, end + 2))?.[1];
    if (length === undefined) throw new Error(`An answer without Content-Length: ${this.received.slice(0, end)}`);
    if (this.received.length < end + 4 + Number(length)) return;
    const status = Number(this.received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.received = '';
    this.onAnswer(this, status);
  }
}

async function run(load: SteadyLoad): Promise<SteadyResult> {
  const { urls, perSecond, seconds } = load;
  const statuses: Record<number, number> = {};
  const groups = await Promise.all(
    urls.map(async (url) => {
      const idle: Connection[] = [];
      const onAnswer = (connection: Connection, status: number): void => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        idle.push(connection);
      };
      const all = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.to(url, load, onAnswer)));
      idle.push(...all);
      return { all, idle };
    }),
  );
  const began = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - began) / 1_000) {
    for (const due = Math.floor(elapsed * perSecond); sent < due; sent++) {
      const connection = groups[sent % groups.length]?.idle.pop();
      if (!connection) break;
      connection.send();
    }
    await sleep(Math.floor(1_000 / perSecond));
  }
  while (groups.some(({ all, idle }) => idle.length < all.length)) await sleep(1);
  for (const connection of groups.flatMap(({ all }) => all)) connection.close();
  return { statuses, sent };
}

// A rejection ends the thread with an error, which fails the measurement.
if (parentPort) void run(workerData as SteadyLoad).then((result) => parentPort?.postMessage(result));
