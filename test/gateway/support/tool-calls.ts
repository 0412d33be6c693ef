import type { ServerResponse } from 'node:http';
import { EVENTS, eventOf, type Exchange, type Json, type TestUpstream } from './test-upstream';

/**
 * What the tools of a test upstream do:
 * - `echo` gives its arguments back; so does every tool that is not here.
 * - `progress` says twice how far it is, if it was asked to, and waits for `release` if its argument `waits` is true.
 * - `slow` answers when the test says so (`release`), or never.
 * - `elicit` asks the client for a name: by a request on its stream, or with `input_required`.
 * - `log` writes to the log of the client.
 * - `fail` answers that it has failed.
 */
export class ToolCalls {
  /** The calls of each tool that have begun, by name, whatever became of them. */
  readonly begun: string[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly asked = new Map<unknown, (answer: Json) => void>();
  private nextId = 1;

  constructor(private readonly upstream: TestUpstream) {}

  /** How many calls wait for `release`. */
  get held(): number {
    return this.waiting.size;
  }

  /** Lets all calls that wait go on. */
  release(): void {
    for (const goOn of this.waiting) goOn();
    this.waiting.clear();
  }

  /** An answer of a client to a request of this upstream. */
  answered(body: Json): void {
    this.asked.get(body.id)?.(body);
    this.asked.delete(body.id);
  }

  async run(exchange: Exchange): Promise<void> {
    const { params } = exchange.received;
    const name = String(params.name);
    this.begun.push(name);
    switch (name) {
      case 'progress':
        return this.progress(exchange);
      case 'slow':
        await this.hold(exchange.response);
        return this.text(exchange, 'done');
      case 'elicit':
        return this.elicit(exchange);
      case 'log':
        write(exchange, 'notifications/message', { level: 'info', logger: 'test', data: 'It works.' });
        return this.text(exchange, 'logged');
      case 'fail':
        return this.upstream.send(exchange, { content: [{ type: 'text', text: 'It failed.' }], isError: true });
      default:
        return this.text(exchange, JSON.stringify(params.arguments ?? {}));
    }
  }

  private async progress(exchange: Exchange): Promise<void> {
    const { params, id } = exchange.received;
    const meta = params._meta as Json | undefined;
    const progressToken = meta?.progressToken;
    const { waits } = (params.arguments ?? {}) as Json;
    for (const progress of [1, 2]) {
      if (progressToken !== undefined) write(exchange, 'notifications/progress', { progressToken, progress, total: 2 });
      if (progress === 1 && waits === true) await this.hold(exchange.response);
    }
    this.text(exchange, `progressed ${typeof id}`);
  }

  private async elicit(exchange: Exchange): Promise<void> {
    const { params } = exchange.received;
    const form = {
      message: 'What is your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    };
    if (exchange.era === 'modern') {
      const responses = params.inputResponses as Json | undefined;
      if (!responses) {
        const inputRequests = { name: { method: 'elicitation/create', params: { mode: 'form', ...form } } };
        return this.upstream.send(exchange, { resultType: 'input_required', inputRequests, requestState: 'state-1' });
      }
      return this.text(exchange, JSON.stringify({ responses, state: params.requestState }));
    }
    if (exchange.session?.capabilities.elicitation === undefined) return this.text(exchange, 'nobody to ask');
    const id = `ask-${this.nextId++}`;
    const answer = new Promise<Json>((resolve) => this.asked.set(id, resolve));
    write(exchange, 'elicitation/create', form, id);
    const { result, error } = await answer;
    this.text(exchange, JSON.stringify(result ?? error));
  }

  /** Until it is released, or nobody waits for the answer any more. */
  private hold(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      response.once('close', () => {
        this.waiting.delete(resolve);
        resolve();
      });
    });
  }

  private text(exchange: Exchange, text: string): void {
    this.upstream.send(exchange, { content: [{ type: 'text', text }] });
  }
}

/** A notification, or a request, on the stream of a call. */
function write({ response }: Exchange, method: string, params: Json, id?: string): void {
  if (!response.headersSent) response.writeHead(200, EVENTS);
  response.write(eventOf({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params }));
}
