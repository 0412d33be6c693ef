import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolCalls } from './tool-calls';

export type Json = Record<string, unknown>;
export type UpstreamEra = 'modern' | 'legacy';

/** A message as it came. */
export interface ReceivedMessage {
  /** GET and DELETE have no message. */
  http: 'POST' | 'GET' | 'DELETE';
  headers: IncomingHttpHeaders;
  id: string | number | undefined;
  method: string;
  params: Json;
  /** Of an answer to a request of the upstream. */
  body: Json;
  /** The body as it came. */
  text: string;
}

/** A message under way. */
export interface Exchange {
  received: ReceivedMessage;
  era: UpstreamEra;
  /** Of the legacy era. */
  session: TestSession | undefined;
  response: ServerResponse;
}

/** A session of the legacy era. */
export interface TestSession {
  id: string;
  revision: string;
  capabilities: Json;
  /** The stream of its GET. */
  stream?: ServerResponse;
  subscribed: Set<string>;
  /** As it was set. */
  logLevel?: string;
}

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
const META = 'io.modelcontextprotocol/';

/** A tool that takes anything. */
export const toolOf = (name: string, fields: Json = {}): Json => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  ...fields,
});

/**
 * An MCP server on the loopback, on the bare protocol, in one era or in both. It offers a few tools that do something
 * (`tool-calls.ts`), and whatever else a test puts in; `fault` lets it do what no server should.
 */
export class TestUpstream {
  /** In the order in which they came. */
  readonly received: ReceivedMessage[] = [];
  readonly sessions = new Map<string, TestSession>();
  /** The ids of sessions that were ended by DELETE. */
  readonly ended: string[] = [];
  /** Requests that were cancelled, by a closed connection (modern) or a notification (legacy). */
  readonly cancelled: (string | number)[] = [];
  /** Streams of `subscriptions/listen`, with what they are about. */
  readonly listening = new Map<ServerResponse, { id: string | number; filter: Json }>();
  readonly calls = new ToolCalls(this);
  /** Sockets that were opened so far. */
  connections = 0;

  /** What it lists for a client with these capabilities. */
  toolsFor: (capabilities: Json) => Json[] = () => this.tools;
  tools: Json[] = ['echo', 'progress', 'slow', 'elicit', 'log', 'fail'].map((name) => toolOf(name));
  prompts: Json[] = [{ name: 'greet', arguments: [{ name: 'name', required: true }] }];
  resources: Json[] = [{ uri: 'memo://one', name: 'One', mimeType: 'text/plain' }];
  templates: Json[] = [{ uriTemplate: 'memo://{name}', name: 'Any' }];
  capabilities: Json = {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
  };
  eras: ReadonlySet<UpstreamEra> = new Set(['modern', 'legacy']);
  /** Of the legacy era, the newest first. */
  revisions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
  /** How it answers requests; what brings other messages first always comes as events. */
  answersBy: 'json' | 'events' = 'json';
  /** Whether sessions have an id. */
  isStateful = true;
  /** How it answers a session that it does not know: 404 is right. */
  unknownSession = 404;
  ttlMs = 300_000;
  pageSize = 1_000;
  /**
   * Looks at each request first, after its body was read.
   *
   * @returns whether it has taken care of the answer, or of its absence
   */
  fault: (exchange: Exchange) => boolean | Promise<boolean> = () => false;

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request, response) => void this.receive(request, response));
  }

  static async start(
    behaviour: Partial<Pick<TestUpstream, 'eras' | 'answersBy' | 'isStateful'>> = {},
  ): Promise<TestUpstream> {
    const server = createServer({ requestTimeout: 0, headersTimeout: 0 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return Object.assign(new TestUpstream(server), behaviour);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** @returns the messages of a method */
  of(method: string): ReceivedMessage[] {
    return this.received.filter((message) => message.method === method);
  }

  /** The server forgets them, as one that was started again. */
  forgetSessions(): void {
    for (const { stream } of this.sessions.values()) stream?.destroy();
    this.sessions.clear();
  }

  /** Says that a list has changed, on every stream that wants to hear of it. */
  announce(list: 'tools' | 'prompts' | 'resources'): void {
    const method = `notifications/${list}/list_changed`;
    for (const [stream, { id, filter }] of this.listening)
      if (filter[`${list}ListChanged`] === true) notify(stream, method, { _meta: { [`${META}subscriptionId`]: id } });
    for (const { stream } of this.sessions.values()) if (stream) notify(stream, method, {});
  }

  /** Says that a resource has changed, on every stream that is subscribed to it. */
  update(uri: string): void {
    const method = 'notifications/resources/updated';
    for (const [stream, { id, filter }] of this.listening)
      if ((filter.resourceSubscriptions as string[] | undefined)?.includes(uri))
        notify(stream, method, { uri, _meta: { [`${META}subscriptionId`]: id } });
    for (const { stream, subscribed } of this.sessions.values())
      if (stream && subscribed.has(uri)) notify(stream, method, { uri });
  }

  /** Breaks off every stream that stays open. */
  breakStreams(): void {
    for (const stream of this.listening.keys()) stream.destroy();
    for (const { stream } of this.sessions.values()) stream?.destroy();
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
      return; // The sender broke off.
    }
    response.on('error', () => undefined);
    const http = request.method as ReceivedMessage['http'];
    const text = Buffer.concat(chunks).toString('utf8');
    const body = http === 'POST' ? (JSON.parse(text) as Json) : {};
    const { headers } = request;
    const received: ReceivedMessage = {
      ...{ http, headers, body, text },
      id: body.id as string | number | undefined,
      method: typeof body.method === 'string' ? body.method : http === 'POST' ? '(answer)' : http,
      params: (body.params ?? {}) as Json,
    };
    this.received.push(received);
    const era = this.eraOf(received);
    const session = this.sessions.get(String(headers['mcp-session-id']));
    const exchange: Exchange = { received, era, session, response };
    if (await this.fault(exchange)) return;
    if (era === 'modern') await this.answerModern(exchange);
    else await this.answerLegacy(exchange);
  }

  private eraOf({ headers, method }: ReceivedMessage): UpstreamEra {
    return headers['mcp-protocol-version'] === MODERN && method !== 'initialize' ? 'modern' : 'legacy';
  }

  private async answerModern(exchange: Exchange): Promise<void> {
    const { received, response } = exchange;
    const { id = 0, method, params, headers } = received;
    if (!this.eras.has('modern')) {
      // As the official SDK of the legacy era does.
      return refuse(response, 400, null, -32_000, 'Bad Request: Unsupported protocol version');
    }
    const meta = params._meta as Json | undefined;
    const said = [headers['mcp-protocol-version'], headers['mcp-method']];
    if (said[0] !== meta?.[`${META}protocolVersion`] || said[1] !== method)
      return refuse(response, 400, id, -32_020, 'Header mismatch');
    if (method === 'server/discover') {
      const about = { supportedVersions: [MODERN], capabilities: this.capabilities, instructions: 'Be kind.' };
      return this.send(exchange, { ...about, ...this.freshness });
    }
    if (method === 'subscriptions/listen') return this.listen(exchange);
    response.once('close', () => !response.writableFinished && this.cancelled.push(id));
    await this.answerEither(exchange);
  }

  private async answerLegacy(exchange: Exchange): Promise<void> {
    const { received, response, session } = exchange;
    const { id, method, params, http, headers } = received;
    if (!this.eras.has('legacy')) {
      if (http !== 'POST') return void response.writeHead(405).end();
      return refuse(response, 400, id ?? null, -32_022, 'Unsupported protocol version', { supported: [MODERN] });
    }
    if (method === 'initialize') return this.initialize(exchange);
    if (this.isStateful && !session) {
      if (headers['mcp-session-id'] === undefined)
        return refuse(response, 400, null, -32_000, 'Bad Request: no session');
      return refuse(
        response,
        this.unknownSession,
        null,
        this.unknownSession === 404 ? -32_001 : -32_000,
        'No such session',
      );
    }
    if (http === 'GET') {
      if (!session) return void response.writeHead(405).end();
      session.stream = response.writeHead(200, EVENTS);
      response.flushHeaders();
      return;
    }
    if (http === 'DELETE') {
      if (session) this.ended.push(session.id);
      this.sessions.delete(session?.id ?? '');
      return void response.writeHead(204).end();
    }
    if (id === undefined || method === '(answer)') {
      if (method === 'notifications/cancelled') this.cancelled.push(params.requestId as string);
      if (method === '(answer)') this.calls.answered(received.body);
      return void response.writeHead(202).end();
    }
    if (method === 'logging/setLevel') {
      if (session) session.logLevel = String(params.level);
      return this.send(exchange, {});
    }
    if (method === 'resources/subscribe') {
      session?.subscribed.add(String(params.uri));
      return this.send(exchange, {});
    }
    await this.answerEither(exchange);
  }

  private initialize(exchange: Exchange): void {
    const { params } = exchange.received;
    const wanted = String(params.protocolVersion);
    const revision = this.revisions.includes(wanted) ? wanted : (this.revisions[0] ?? LEGACY);
    const id = randomUUID();
    if (this.isStateful) {
      const session = { id, revision, capabilities: params.capabilities as Json, subscribed: new Set<string>() };
      this.sessions.set(id, session);
      exchange.response.setHeader('mcp-session-id', id);
    }
    const about = {
      capabilities: this.capabilities,
      serverInfo: { name: 'test', version: '1.0.0' },
      instructions: 'Be kind.',
    };
    this.send(exchange, { protocolVersion: revision, ...about });
  }

  private listen({ received: { id = 0, params }, response }: Exchange): void {
    const filter = (params.notifications ?? {}) as Json;
    this.listening.set(response, { id, filter });
    response.once('close', () => this.listening.delete(response));
    response.writeHead(200, EVENTS);
    const method = 'notifications/subscriptions/acknowledged';
    notify(response, method, { notifications: filter, _meta: { [`${META}subscriptionId`]: id } });
  }

  private async answerEither(exchange: Exchange): Promise<void> {
    const { received, response } = exchange;
    const { id = 0, method, params } = received;
    switch (method) {
      case 'ping':
        return this.send(exchange, {});
      case 'tools/list':
        return this.sendPage(exchange, 'tools', this.toolsFor(capabilitiesIn(exchange)));
      case 'prompts/list':
        return this.sendPage(exchange, 'prompts', this.prompts);
      case 'resources/list':
        return this.sendPage(exchange, 'resources', this.resources);
      case 'resources/templates/list':
        return this.sendPage(exchange, 'resourceTemplates', this.templates);
      case 'tools/call':
        if (!this.toolsFor(capabilitiesIn(exchange)).some(({ name }) => name === params.name))
          return this.sendError(exchange, -32_602, 'Unknown tool');
        return this.calls.run(exchange);
      case 'prompts/get': {
        const { name } = (params.arguments ?? {}) as Json;
        return this.send(exchange, {
          messages: [{ role: 'user', content: { type: 'text', text: `Hello ${String(name)}` } }],
        });
      }
      case 'resources/read': {
        const { uri } = params;
        if (typeof uri !== 'string' || !uri.startsWith('memo://'))
          return this.sendError(exchange, exchange.era === 'modern' ? -32_602 : -32_002, 'Resource not found');
        const contents = [{ uri, mimeType: 'text/plain', text: `The memo ${uri}.` }];
        return this.send(exchange, { contents, ...this.freshness });
      }
      case 'completion/complete':
        return this.send(exchange, { completion: { values: ['ada', 'bob'], total: 2, hasMore: false } });
      default:
        return refuse(response, exchange.era === 'modern' ? 404 : 200, id, -32_601, 'Method not found');
    }
  }

  private get freshness(): Json {
    return { ttlMs: this.ttlMs, cacheScope: 'public' };
  }

  private sendPage(exchange: Exchange, field: string, all: readonly Json[]): void {
    const from = Number(exchange.received.params.cursor ?? 0);
    const to = from + this.pageSize;
    const rest = to < all.length ? { nextCursor: String(to) } : {};
    this.send(exchange, {
      [field]: all.slice(from, to),
      ...rest,
      ...(exchange.era === 'modern' ? this.freshness : {}),
    });
  }

  /** Answers a request. */
  send(exchange: Exchange, result: Json): void {
    const { era, response, received } = exchange;
    const complete = era === 'legacy' ? result : { resultType: 'complete', ...result, _meta: modernMeta(result) };
    this.finish(response, { jsonrpc: '2.0', id: received.id, result: complete });
  }

  /** Answers a request with an error. */
  sendError(exchange: Exchange, code: number, message: string): void {
    this.finish(exchange.response, { jsonrpc: '2.0', id: exchange.received.id, error: { code, message } });
  }

  private finish(response: ServerResponse, answer: Json): void {
    if (response.destroyed) return;
    if (response.headersSent) return void response.end(eventOf(answer));
    if (this.answersBy === 'events') return void response.writeHead(200, EVENTS).end(eventOf(answer));
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer));
  }
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/** @returns a message as an event of a stream */
export function eventOf(message: Json): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function notify(stream: ServerResponse, method: string, params: Json): void {
  stream.write(eventOf({ jsonrpc: '2.0', method, params }));
}

function modernMeta({ _meta }: Json): Json {
  return { ...(_meta as Json | undefined), [`${META}serverInfo`]: { name: 'test', version: '1.0.0' } };
}

function refuse(
  response: ServerResponse,
  status: number,
  id: string | number | null,
  code: number,
  message: string,
  data?: Json,
): void {
  response.writeHead(status, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
}

/** What the client of a request can do, as it said. */
function capabilitiesIn({ era, session, received: { params } }: Exchange): Json {
  if (era === 'legacy') return session?.capabilities ?? {};
  return ((params._meta as Json | undefined)?.[`${META}clientCapabilities`] ?? {}) as Json;
}
