import type { Json } from './test-upstream';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
const META = 'io.modelcontextprotocol/';

/** What came back for one message. */
export interface Got {
  status: number;
  headers: Headers;
  /** What preceded the answer, on a stream. */
  before: Json[];
  /** The last message; undefined: there was none. */
  answer: Json | undefined;
}

/** Sends a message as it is. */
export function post(
  url: string,
  token: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
    signal,
  });
}

/** The messages of a stream of events, one after the other. */
export class MessageStream {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private rest = '';
  private isOver = false;
  /** All of them so far. */
  readonly messages: Json[] = [];
  private read = 0;

  constructor(readonly response: Response) {
    if (!response.body) throw new Error(`No stream: ${response.status}`);
    this.reader = response.body.getReader();
  }

  /** @returns the next message; undefined: the stream has ended */
  async next(): Promise<Json | undefined> {
    while (this.read === this.messages.length) {
      if (this.isOver) return undefined;
      await this.fill();
    }
    return this.messages[this.read++];
  }

  /** @returns the next message of a method */
  async nextOf(method: string): Promise<Json> {
    for (;;) {
      const message = await this.next();
      if (!message) throw new Error(`The stream has ended without ${method}.`);
      if (message.method === method) return message;
    }
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this.reader.cancel().catch(() => undefined);
  }

  private async fill(): Promise<void> {
    const { done, value } = await this.reader.read();
    if (done) {
      this.isOver = true;
      return;
    }
    const events = (this.rest + this.decoder.decode(value, { stream: true })).split('\n\n');
    this.rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
      if (data.length > 0) this.messages.push(JSON.parse(data.join('\n')) as Json);
    }
  }
}

/** Reads the whole answer to a message. */
export async function gotten(response: Response): Promise<Got> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    const stream = new MessageStream(response);
    while (await stream.next());
    const answer = stream.messages.at(-1);
    return { status, headers, before: stream.messages.slice(0, -1), answer };
  }
  const text = await response.text();
  return { status, headers, before: [], answer: text === '' ? undefined : (JSON.parse(text) as Json) };
}

let counter = 0;

/** A client of one of the eras. Each request goes to the next of its addresses. */
abstract class Client {
  private turn = 0;

  /** @param urls of the same endpoint at one or more processes */
  constructor(
    readonly urls: readonly string[],
    readonly token: string | undefined,
  ) {}

  /** Of the process whose turn it is. */
  protected get url(): string {
    return this.urls[this.turn++ % this.urls.length] ?? '';
  }

  /** @returns the result of a request. @throws Error if it is an error */
  async result(method: string, params: Json = {}): Promise<Json> {
    const { status, answer } = await this.request(method, params);
    if (!answer?.result) throw new Error(`${method}: ${status} ${JSON.stringify(answer)}`);
    return answer.result as Json;
  }

  /** @returns the error of a request. @throws Error if it has a result */
  async error(method: string, params: Json = {}): Promise<Json & { status: number }> {
    const { status, answer } = await this.request(method, params);
    if (!answer?.error) throw new Error(`${method}: ${status} ${JSON.stringify(answer)}`);
    return { status, ...(answer.error as Json) };
  }

  /** @returns all items of a list, from all its pages */
  async all(method: string, field: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let cursor: unknown; ;) {
      const page = await this.result(method, cursor === undefined ? {} : { cursor });
      items.push(...(page[field] as Json[]));
      cursor = page.nextCursor;
      if (cursor === undefined) return items;
    }
  }

  async request(method: string, params: Json = {}): Promise<Got> {
    return gotten(await this.send(method, params));
  }

  abstract send(
    method: string,
    params?: Json,
    options?: { signal?: AbortSignal; id?: number | string },
  ): Promise<Response>;
}

/** A client of 2026-07-28. */
export class ModernClient extends Client {
  capabilities: Json = {};
  info: Json = { name: 'test', version: '1' };
  logLevel: string | undefined;

  send(
    method: string,
    params: Json = {},
    { signal, id = ++counter }: { signal?: AbortSignal; id?: number | string } = {},
  ): Promise<Response> {
    const _meta = {
      ...(params._meta as Json | undefined),
      [`${META}protocolVersion`]: MODERN,
      [`${META}clientCapabilities`]: this.capabilities,
      [`${META}clientInfo`]: this.info,
      ...(this.logLevel === undefined ? {} : { [`${META}logLevel`]: this.logLevel }),
    };
    const name = params.name ?? params.uri;
    const headers = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...((params.headers as Record<string, string> | undefined) ?? {}),
    };
    const { headers: _headers, ...rest } = params;
    return post(this.url, this.token, { jsonrpc: '2.0', id, method, params: { ...rest, _meta } }, headers, signal);
  }
}

/** A client with a session. */
export class LegacyClient extends Client {
  capabilities: Json = {};
  revision = LEGACY;
  sessionId: string | undefined;

  /** The same session at one of the processes only. */
  at(url: string): LegacyClient {
    const client = new LegacyClient([url], this.token);
    return Object.assign(client, {
      capabilities: this.capabilities,
      revision: this.revision,
      sessionId: this.sessionId,
    });
  }

  /** Begins a session. @returns the result of `initialize` */
  async begin(): Promise<Json> {
    const params = {
      protocolVersion: this.revision,
      capabilities: this.capabilities,
      clientInfo: { name: 'test', version: '1' },
    };
    const response = await post(this.url, this.token, { jsonrpc: '2.0', id: ++counter, method: 'initialize', params });
    const { status, answer, headers } = await gotten(response);
    if (status !== 200) throw new Error(`initialize: ${status} ${JSON.stringify(answer)}`);
    this.sessionId = headers.get('mcp-session-id') ?? undefined;
    await this.notify('notifications/initialized');
    return answer?.result as Json;
  }

  get headers(): Record<string, string> {
    return {
      'mcp-protocol-version': this.revision,
      ...(this.sessionId === undefined ? {} : { 'mcp-session-id': this.sessionId }),
    };
  }

  send(
    method: string,
    params: Json = {},
    { signal, id = ++counter }: { signal?: AbortSignal; id?: number | string } = {},
  ): Promise<Response> {
    return post(this.url, this.token, { jsonrpc: '2.0', id, method, params }, this.headers, signal);
  }

  /** @returns the status */
  async notify(method: string, params: Json = {}): Promise<number> {
    return (await post(this.url, this.token, { jsonrpc: '2.0', method, params }, this.headers)).status;
  }

  /** Answers a request of a server. @returns the status */
  async answer(id: unknown, result: Json): Promise<number> {
    return (await post(this.url, this.token, { jsonrpc: '2.0', id, result }, this.headers)).status;
  }

  /** GET, or DELETE. */
  async open(method: 'GET' | 'DELETE' = 'GET', accept = 'text/event-stream'): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, accept, ...this.headers };
    return fetch(this.url, { method, headers });
  }
}
