import { Injectable } from '@nestjs/common';
import type { ReachableEntry } from '../compile/compiled-bundle';
import { isObjectOrBytes } from '../protocol/json-bytes';
import { type JsonObject, RpcCode, RpcFailure } from '../protocol/json-rpc';
import { hasOnlyMember } from '../protocol/json-splice';
import { jsonBuffer } from '../protocol/json-writing';
import type { Era } from '../protocol/revisions';
import { translateError, translateResult } from '../protocol/translate';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamCallResult } from '../upstreams/upstream';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import type { Answer, CallContext, ServerRoute } from './call-context';
import { CallMessages } from './call-messages';
import { inRequestSpan } from './call-spans';
import { ConnectOffers } from './connect-offers';
import { keyOf } from './edge-news';
import { GatewayCounters } from './gateway-counters';
import { MAX_STATE_BYTES, RequestStates, type RequestStateScope } from './request-states';

/** Sends calls to servers, and makes of what they answer what the client understands. */
@Injectable()
export class ServerRequests {
  constructor(
    private readonly caller: UpstreamCaller,
    private readonly messages: CallMessages,
    private readonly counters: GatewayCounters,
    private readonly states: RequestStates,
    private readonly offers: ConnectOffers,
  ) {}

  /** @throws UpstreamFailure */
  async forward(call: CallContext): Promise<Answer> {
    const { request, bundle, server } = call;
    const { era } = request.client;
    const answer = await this.messages.withAnswers(request, server.entry, (added) => this.send(call, added));
    const outcome = withoutCompletions(answer, request.method);
    if ('error' in outcome) return { error: translateError(outcome.error, era) };
    requireKnown(outcome.result, era);
    const result = this.withSealedState(outcome.result, call);
    const wrapsOutput = server.wrapsOutput && !(outcome.era === 'legacy' && isWrappedByServer(result, server));
    return { result: translateResult(result, request.method, era, bundle.serverInfo, wrapsOutput) };
  }

  /**
   * The request with the state as the server gave it. Clients with sessions have none: they are asked on the stream of their
   * call, and whatever they send as one is not of the protocol.
   *
   * @throws RpcFailure for a state that is not of this request
   */
  withOpenState(call: CallContext): ServerRoute {
    const { request, server } = call;
    const { inputResponses: _responses, requestState, ...rest } = server.params;
    if (request.client.era === 'legacy') return { ...server, params: rest };
    if (requestState === undefined) return server;
    // What was asked by us is answered by now, or asked again.
    if (this.offers.isOwn(request, server.entry)) return { ...server, params: rest };
    const state = this.states.open(requestState, placeOf(call, server.entry));
    if (state !== undefined) return { ...server, params: { ...server.params, requestState: state } };
    const detail = 'params.requestState is not of this request, or is older than 10 minutes. Begin again without it.';
    throw new RpcFailure(200, RpcCode.InvalidParams, detail);
  }

  /** The result with the state as the client may have it. */
  private withSealedState(result: JsonObject, call: CallContext): JsonObject {
    const { resultType, requestState } = result;
    if (resultType !== 'input_required' || typeof requestState !== 'string') return result;
    const sealed = this.states.seal(requestState, placeOf(call, call.server.entry));
    if (sealed !== undefined) return { ...result, requestState: sealed };
    const detail = `It wants more than ${MAX_STATE_BYTES / 1_024} KiB back as "requestState".`;
    throw new UpstreamFailure('too_large', detail, true);
  }

  /** @param added answers of the client to what the server has asked */
  private send({ request, server, share }: CallContext, added: JsonObject): Promise<UpstreamCallResult> {
    const { client, method, signal, exchange, trail } = request;
    const { entry, params, inputSchema, isPinned = false } = server;
    const { era, revision, capabilities, logLevel, sessionId } = client;
    const name = typeof params.name === 'string' ? params.name : undefined;
    const called = inRequestSpan(request, { ...params, ...added }, { method, name, entryId: entry.id }, (traced) =>
      this.caller.call({
        upstream: entry.upstream,
        entryId: entry.id,
        bundleId: exchange.admission.target.bundleId,
        principal: exchange.admission.principal,
        ...(sessionId === undefined ? {} : { session: keyOf(sessionId) }),
        client: { era, revision, capabilities, ...(logLevel === undefined ? {} : { logLevel }) },
        method,
        params: traced,
        inputSchema,
        isPinned,
        signal,
        share,
        onMessage: (message, session) => this.messages.pass(request, message, session),
      }),
    );
    const counted = this.counters.called(signal, called);
    return trail ? trail.asked(counted) : counted;
  }
}

/**
 * A client of the legacy era does not look at `resultType`, so it would take every result for a complete one.
 *
 * @throws UpstreamFailure
 */
function requireKnown({ resultType }: JsonObject, era: Era): void {
  if (era === 'modern' || typeof resultType !== 'string' || resultType === 'complete') return;
  const detail = 'It has answered with a kind of result that exists only in later revisions than that of the client.';
  throw new UpstreamFailure('upstream_error', detail, true);
}

/** Whether a server of 2024-11-05 completes is seen only when it is asked: one that does not has nothing to suggest. */
function withoutCompletions(answer: UpstreamCallResult, method: string): UpstreamCallResult {
  const isUnknown = 'error' in answer && answer.error.code === RpcCode.MethodNotFound;
  if (!isUnknown || method !== 'completion/complete') return answer;
  return { result: { completion: { values: [], total: 0, hasMore: false } }, era: answer.era };
}

/**
 * A server whose list was read in the modern era answers in the legacy era as its own list of that era says, which we have not
 * read: the official TypeScript SDK wraps there what it does not wrap in the modern era.
 */
function isWrappedByServer({ structuredContent }: JsonObject, { entry: { upstream } }: ServerRoute): boolean {
  const isListedInModern = Boolean(upstream.modern) && upstream.onlyEra !== 'legacy';
  return (
    isListedInModern && isObjectOrBytes(structuredContent) && hasOnlyMember(jsonBuffer(structuredContent), 'result')
  );
}

/** Bound to what the client asks for in its own words, so that a state is good for one request only. */
function placeOf({ request: { exchange, method, params } }: CallContext, entry: ReachableEntry): RequestStateScope {
  const name = params.name ?? params.uri;
  return {
    principal: exchange.admission.principal,
    path: exchange.path.path,
    entryId: entry.id,
    upstreamId: entry.upstream.id,
    method,
    name: typeof name === 'string' ? name : '',
  };
}
