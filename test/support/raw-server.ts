import { once } from 'node:events';
import { AddressInfo, createServer, Server, Socket } from 'node:net';

/** A server on the loopback that does with its connections whatever a test wants, also what HTTP forbids. */
export class RawServer {
  /** The connections that were made so far. */
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  /** @param serve is given every connection, and which one it is, from 1 on */
  static async start(
    serve: (socket: Socket, connection: number) => unknown,
    host = '127.0.0.1',
    port = 0,
  ): Promise<RawServer> {
    const server = createServer();
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.connections += 1;
      raw.sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => raw.sockets.delete(socket));
      serve(socket, raw.connections);
    });
    server.listen(port, host);
    await once(server, 'listening');
    return raw;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Answers each request with what is given, as it is. */
export const answering =
  (...texts: string[]) =>
  (socket: Socket): void => {
    let next = 0;
    onRequest(socket, () => socket.write(texts[Math.min(next++, texts.length - 1)] ?? ''));
  };

/** Calls back for every request; those of tests are short and come in one piece, their body last. */
export function onRequest(socket: Socket, answer: () => unknown): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? NaN);
    if (text.length < text.indexOf('\r\n\r\n') + 4 + length) return;
    text = '';
    answer();
  });
}
