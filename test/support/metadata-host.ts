import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { DnsResolver } from '../../src/outbound/dns-resolver';
import { TEST_CERTIFICATE, TEST_KEY } from './certificates';

const { connect: CONNECT } = tls;

/** What the host answers below a path. */
export type Answer = object | Handler;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A host on the web that serves metadata documents of clients, with a certificate that this process trusts. */
export class MetadataHost {
  /** The paths that were asked for. */
  readonly requests: string[] = [];
  /** How many connections were opened, whatever came of them. */
  connections = 0;
  private readonly answers = new Map<string, Answer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<MetadataHost> {
    // What suites share is loaded outside of Jest, which has no `jest` there.
    tls.connect = ((options: tls.ConnectionOptions) => CONNECT({ ...options, ca: TEST_CERTIFICATE })) as typeof CONNECT;
    const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE });
    const host = new MetadataHost(server);
    server.on('request', (request, response) => host.answer(request, response));
    server.on('connection', () => (host.connections += 1));
    // Also at 127.0.0.2, which is no address that the tests allow.
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    return host;
  }

  /** @returns the address, which is also the client's id */
  serve(path: string, answer: (id: string) => Answer): string {
    const id = this.urlOf(path);
    this.answers.set(path, answer(id));
    return id;
  }

  urlOf(path: string): string {
    return `https://hooks.example.com:${this.port}${path}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    tls.connect = CONNECT;
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    const answer = this.answers.get(path);
    if (typeof answer === 'function') {
      (answer as Handler)(request, response);
      return;
    }
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  }
}

/** Every name has the addresses that the next answer says; the last answer stays. */
export class ScriptedDns extends DnsResolver {
  /** How often it was asked. */
  questions = 0;

  constructor(public answers: string[][] = [['127.0.0.1']]) {
    super();
  }

  override lookup(): Promise<string[]> {
    this.questions += 1;
    const [next = []] = this.answers;
    if (this.answers.length > 1) this.answers.shift();
    return Promise.resolve(next);
  }
}
