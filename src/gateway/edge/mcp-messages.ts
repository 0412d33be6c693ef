import { Injectable, Logger } from '@nestjs/common';
import { CallRecords } from '../calls/call-records';
import { type LegacyMessage, type ModernRequest, readIncoming } from '../protocol/incoming';
import { errorOf, isObject, type JsonObject, RpcCode, RpcFailure, resultOf } from '../protocol/json-rpc';
import { readMessage } from '../protocol/message-body';
import type { Answer } from './call-context';
import { CallMessages } from './call-messages';
import { CallSteps } from './call-steps';
import { CallsInFlight } from './calls-in-flight';
import { LegacySessions } from './legacy-sessions';
import { failureOf, noteRequestId } from './mcp-errors';
import { type ClientView, type EndpointExchange, headerReader, type MethodCall } from './method-call';
import { hasGone, StreamableResponse } from './streamable-response';
import { UnreadResponses } from './unread-responses';

/** Errors of which the transport prescribes the status (2026-07-28, Streamable HTTP; basic, "Error Codes"). */
const BAD_REQUESTS: readonly number[] = [
  RpcCode.HeaderMismatch,
  RpcCode.MissingRequiredClientCapability,
  RpcCode.UnsupportedProtocolVersion,
];

/** Takes the messages that clients of both eras post, and answers their requests. */
@Injectable()
export class McpMessages {
  private readonly logger = new Logger(McpMessages.name);

  constructor(
    private readonly steps: CallSteps,
    private readonly sessions: LegacySessions,
    private readonly calls: CallsInFlight,
    private readonly messages: CallMessages,
    private readonly records: CallRecords,
    private readonly unread: UnreadResponses,
  ) {}

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
    const { reply, gone } = replyOf(exchange, this.unread);
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
    const { reply, gone } = replyOf(exchange, this.unread);
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

  /** Calls the method, and sends its answer unless that was sent meanwhile. @throws what no answer was begun for */
  private async run(call: MethodCall): Promise<void> {
    const { id, reply, signal, gone, exchange, trail } = call;
    let failed = 0;
    try {
      const answer = await this.steps.run(call);
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

function replyOf(
  { response }: EndpointExchange,
  waiting: UnreadResponses,
): { reply: StreamableResponse; gone: AbortSignal } {
  const controller = new AbortController();
  if (hasGone(response)) controller.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
  return { reply: new StreamableResponse(response, { unread: waiting }), gone: controller.signal };
}

function send({ id, client, reply }: MethodCall, answer: Answer): void {
  if ('result' in answer) return reply.end(resultOf(id, answer.result));
  const { error } = answer;
  const status = client.era === 'modern' && BAD_REQUESTS.includes(error.code) ? 400 : 200;
  reply.end(errorOf(id, error), status);
}
