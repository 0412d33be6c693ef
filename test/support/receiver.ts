import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A webhook as it came. */
export interface ReceivedWebhook {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes that were signed. */
  body: Buffer;
  at: Date;
}

/** What a receiver does with a webhook, whose body has been read; the default answers 204. */
export type Handler = (webhook: ReceivedWebhook, response: ServerResponse) => unknown;

/** A webhook receiver on the loopback. */
export class Receiver {
  /** In the order in which their last byte came. */
  readonly requests: ReceivedWebhook[] = [];
  /** Sockets that were opened so far. */
  connections = 0;
  /** Sockets that are open. */
  open = 0;

  private constructor(
    private readonly server: Server,
    public handler: Handler,
  ) {
    server.on('connection', (socket) => {
      this.connections += 1;
      this.open += 1;
      socket.once('close', () => (this.open -= 1));
    });
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start(handler: Handler = (_, response) => response.writeHead(204).end()): Promise<Receiver> {
    const server = createServer({ requestTimeout: 0, headersTimeout: 0 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Receiver(server, handler);
  }

  /** Without a slash at the end. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The ids of what came, in that order. */
  get ids(): string[] {
    return this.requests.map(({ headers }) => String(headers['webhook-id']));
  }

  /** Closes the sockets on which nothing is under way, as a server does with those that were idle for long. */
  closeIdle(): void {
    this.server.closeIdleConnections();
  }

  /** Breaks every connection and listens no more. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // The sender broke off, or the test is over.
    }
    const { method = '', url = '', headers } = request;
    const webhook = { method, path: url, headers, body: Buffer.concat(chunks), at: new Date() };
    this.requests.push(webhook);
    this.handler(webhook, response);
  }
}

/** What a webhook says. */
export interface Payload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/**
 * As a receiver verifies it, with the reference library.
 *
 * @throws WebhookVerificationError
 */
export function verified({ body, headers }: ReceivedWebhook, secret: string): Payload {
  return new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>) as Payload;
}
