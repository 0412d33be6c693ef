import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Listens, and takes no connection ever: its thread sleeps. */
const LISTEN = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ host: workerData, port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;
/** More than the kernel takes in the place of a server. */
const ENOUGH = 8;

/** A server to which no connection comes about, as behind a firewall that drops packets. */
export class DeafServer {
  private constructor(
    private readonly worker: Worker,
    private readonly waiting: Socket[],
    readonly port: number,
  ) {}

  static async start(host: string): Promise<DeafServer> {
    const worker = new Worker(LISTEN, { eval: true, workerData: host });
    const [port] = (await once(worker, 'message')) as [number];
    const waiting = Array.from({ length: ENOUGH }, () => connect(port, host).on('error', () => undefined));
    await once(waiting[0] as Socket, 'connect');
    return new DeafServer(worker, waiting, port);
  }

  async close(): Promise<void> {
    for (const socket of this.waiting) socket.destroy();
    await this.worker.terminate();
  }
}
