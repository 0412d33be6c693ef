import { Injectable, Logger } from '@nestjs/common';
import { InsufficientScopeError } from '../../errors/errors';
import { CallRecords } from '../calls/call-records';
import { inOperationSpan } from './call-spans';
import { BundleCompiler } from '../compile/bundle-compiler';
import { targetOf } from './list-client';
import { type CompiledBundle, LIST_METHODS } from '../compile/compiled-bundle';
import { GatewayCounters } from './gateway-counters';
import type { EndpointScope } from './admission.sql';
import { CallMessages } from './call-messages';
import { CallsInFlight } from './calls-in-flight';
import { type LegacyMessage, type ModernRequest, readIncoming } from '../protocol/incoming';
import { isSearchTool } from '../search/search-tools';
import { SearchCalls } from './search-calls';
import { errorOf, isObject, type JsonObject, RpcCode, RpcFailure, resultOf } from '../protocol/json-rpc';
import { LegacySessions } from './legacy-sessions';
import { Listening } from './listening';
import { LogLevels } from './log-levels';
import { failureOf, noteRequestId } from './mcp-errors';
import { readMessage } from '../protocol/message-body';
import { type ClientView, type EndpointExchange, headerReader, type MethodCall } from './method-call';
import { hasGone, Reply } from './reply';
import type { Era } from '../protocol/revisions';
import { type Answer, ServerCalls } from './server-calls';
import { ServerLists } from './server-lists';
import { discovered, empty, initialized } from './server-words';
import { WaitingAnswers } from './waiting-answers';

/** @returns the answer; undefined if it is sent already, or comes later */
type Method = (call: MethodCall, bundle: CompiledBundle) => Answer | undefined | Promise<Answer | undefined>;

/** Errors of which the transport prescribes the status (2026-07-28, Streamable HTTP; basic, "Error Codes"). */
const BAD_REQUESTS: readonly number[] = [
  RpcCode.HeaderMismatch,
  RpcCode.MissingRequiredClientCapability,
  RpcCode.UnsupportedProtocolVersion,
];

/** The methods of endpoints, for clients of both eras. */
@Injectable()
export class McpMethods {
  private readonly logger = new Logger(McpMethods.name);
  private readonly methods: Readonly<Record<Era, ReadonlyMap<string, Method>>>;

  constructor(
    private readonly compiler: BundleCompiler,
    private readonly sessions: LegacySessions,
    private readonly calls: CallsInFlight,
    private readonly messages: CallMessages,
    private readonly counters: GatewayCounters,
    private readonly records: CallRecords,
    private readonly waiting: WaitingAnswers,
    lists: ServerLists,
    servers: ServerCalls,
    tools: SearchCalls,
    listening: Listening,
    levels: LogLevels,
  ) {
    const list: Method = (call, bundle) => void call.reply.end(lists.answer(call, bundle));
    const both: [string, Method][] = [
      ...LIST_METHODS.map((method): [string, Method] => [method, list]),
      ['tools/call', (call, bundle) => tools.tool(call, bundle)],
      ['prompts/get', (call, bundle) => servers.prompt(call, bundle)],
      ['resources/read', (call, bundle) => servers.resource(call, bundle)],
      ['completion/complete', (call, bundle) => servers.completion(call, bundle)],
    ];
    const done: Method = ({ client }, bundle) => ({ result: empty(bundle, client.era) });
    this.methods = {
      modern: new Map([
        ...both,
        ['server/discover', (_call, bundle) => ({ result: discovered(bundle) })],
        ['subscriptions/listen', (call, bundle) => listening.listen(call, bundle).then(() => undefined)],
      ]),
      legacy: new Map([
        ...both,
        ['initialize', (call, bundle) => this.initialize(call, bundle)],
        ['ping', done],
        ['logging/setLevel', (call, bundle) => levels.set(call).then(() => done(call, bundle))],
        ['resources/subscribe', (call, bundle) => listening.subscribe(call, bundle).then(() => done(call, bundle))],
        ['resources/unsubscribe', (call, bundle) => listening.unsubscribe(call).then(() => done(call, bundle))],
      ]),
    };
  }

  /** Answers a message that was posted. @throws RpcFailure; DomainError; what the database throws */
  async answer(exchange: EndpointExchange): Promise<void> {
    const { request, response } = exchange;
    const message = readIncoming(await readMessage(request, response), headerReader(request));
    if (message.era === 'modern') {
      if (message.kind === 'request') await this.answerModern(exchange, message);
      else response.writeHead(202).end();
    } else if (message.kind === 'request') await this.answerLegacy(exchange, message);
    else await this.accept(exchange, message);
  }

  private async answerModern(exchange: EndpointExchange, { id, method, params, client }: ModernRequest): Promise<void> {
    noteRequestId(exchange.response, id);
    const { revision, capabilities, logLevel, info = {} } = client;
    const view: ClientView = {
      ...{ era: 'modern', revision, capabilities, info },
      ...(logLevel === undefined ? {} : { logLevel }),
    };
    const { reply, gone } = replyOf(exchange, this.waiting);
    // Closing the stream of the answer is how these clients cancel (2026-07-28, "Cancellation").
    const call: MethodCall = {
      exchange,
      id,
      method,
      params,
      client: view,
      header: headerReader(exchange.request),
      reply,
      signal: gone,
      gone,
      trail: this.records.open(exchange, method, params, view),
    };
    await this.run(call);
  }

  private async answerLegacy(exchange: EndpointExchange, message: LegacyMessage & { kind: 'request' }): Promise<void> {
    const { id, method, params } = message;
    noteRequestId(exchange.response, id);
    const view = method === 'initialize' ? beginner(params) : this.viewOf(exchange);
    const { reply, gone } = replyOf(exchange, this.waiting);
    const { signal, done } = this.calls.begin(view.sessionId ?? exchange.request.id, id);
    try {
      await this.run({
        exchange,
        id,
        method,
        params,
        client: view,
        header: headerReader(exchange.request),
        reply,
        signal,
        gone,
        trail: this.records.open(exchange, method, params, view),
      });
    } finally {
      done();
    }
  }

  /** Notifications and answers of clients with sessions have no answer. */
  private async accept(
    exchange: EndpointExchange,
    message: Exclude<LegacyMessage, { kind: 'request' }>,
  ): Promise<void> {
    const { sessionId } = this.sessions.read(exchange.request, exchange);
    if (message.kind === 'answer') {
      // What a server makes of it is nothing that its client could mend.
      await this.messages
        .take(exchange, message.id, message.body)
        .catch((error: unknown) => this.logger.debug(String(error)));
    } else if (message.method === 'notifications/cancelled') {
      await this.calls.cancel(sessionId, message.params.requestId);
    }
    exchange.response.writeHead(202).end();
  }

  private async run(call: MethodCall): Promise<void> {
    const { id, reply, signal, gone, exchange, trail } = call;
    let failed = 0;
    try {
      const answer = await (trail ? trail.follow(signal, () => this.work(call)) : this.work(call));
      if (signal.aborted) reply.withdraw();
      else if (answer) send(call, answer);
    } catch (error) {
      if (signal.aborted || gone.aborted) return reply.withdraw();
      const { body } = failureOf(error as Error).of(id);
      failed = Buffer.byteLength(body);
      if (!reply.hasBegun) throw error;
      if (!(error instanceof RpcFailure))
        this.logger.error(error, `Failed after the answer had begun (request ${exchange.request.id})`);
      reply.end([body]);
    } finally {
      trail?.end(reply.sentBytes === 0 ? failed : reply.sentBytes);
    }
  }

  private async work(call: MethodCall): Promise<Answer | undefined> {
    const { client, method, signal, exchange } = call;
    requireScope(exchange.admission.scopes, scopeOf(method, call.params));
    const handler = this.methods[client.era].get(method);
    if (!handler) throw unknownMethod(client.era, method);
    return inOperationSpan(call, () =>
      this.counters.timed(call, async () => {
        const target = targetOf(call);
        let bundle = await this.compiler.compile(target);
        if (isUnknown(call, bundle)) bundle = await this.compiler.withFirstLists(target, bundle);
        // What begins after the client has gone would not be told that it has.
        return signal.aborted ? undefined : handler(call, bundle);
      }),
    );
  }

  private initialize({ exchange, id, params, reply }: MethodCall, bundle: CompiledBundle): undefined {
    const { sessionId, revision } = this.sessions.begin(exchange, params);
    reply.end(resultOf(id, initialized(bundle, revision)), 200, { 'Mcp-Session-Id': sessionId });
    return undefined;
  }

  private viewOf(exchange: EndpointExchange): ClientView {
    const { sessionId, session } = this.sessions.read(exchange.request, exchange);
    const { revision, capabilities, client: info } = session;
    return { era: 'legacy', revision, capabilities, info, sessionId };
  }
}

/** A client that has no session yet. */
function beginner({ capabilities }: JsonObject): ClientView {
  return { era: 'legacy', revision: '2025-03-26', capabilities: isObject(capabilities) ? capabilities : {} };
}

function replyOf({ response }: EndpointExchange, waiting: WaitingAnswers): { reply: Reply; gone: AbortSignal } {
  const controller = new AbortController();
  if (hasGone(response)) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return { reply: new Reply(response, { waiting }), gone: controller.signal };
}

function send({ id, client, reply }: MethodCall, answer: Answer): void {
  if ('result' in answer) return reply.end(resultOf(id, answer.result));
  const { error } = answer;
  const status = client.era === 'modern' && BAD_REQUESTS.includes(error.code) ? 400 : 200;
  reply.end(errorOf(id, error), status);
}

/**
 * Calling a tool may change something; everything else only reads, and so does searching for tools. Whether that is what a name
 * means is known with the bundle only (`SearchCalls`).
 */
function scopeOf(method: string, { name }: JsonObject): EndpointScope {
  const isSearch = isSearchTool(name) && name !== 'call_tool';
  return method === 'tools/call' && !isSearch ? 'call' : 'read';
}

function requireScope(granted: ReadonlySet<EndpointScope>, scope: EndpointScope): void {
  if (!granted.has(scope)) throw new InsufficientScopeError([`mcp:${scope}`]);
}

/** Whether a client names what no server of the bundle lists, as far as that is known. */
function isUnknown({ method, params: { name, uri } }: MethodCall, bundle: CompiledBundle): boolean {
  if (method === 'tools/call') return typeof name === 'string' && !bundle.tools.has(name);
  if (method === 'prompts/get') return typeof name === 'string' && !bundle.prompts.has(name);
  return method === 'resources/read' && typeof uri === 'string' && !bundle.resources.has(uri);
}

/** The status of the modern era (Streamable HTTP, "Protocol Version Header"). */
function unknownMethod(era: Era, method: string): RpcFailure {
  const detail = `Method not found: ${method.slice(0, 128)}`;
  return new RpcFailure(era === 'modern' ? 404 : 200, RpcCode.MethodNotFound, detail);
}
