import { Injectable, Logger } from '@nestjs/common';
import { outsideRequests } from '../../database/deadline';
import type { ReachableEntry } from '../compile/compiled-bundle';
import type { UpstreamCallResult, UpstreamSessionRef } from '../upstreams/upstream';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import { ConcurrencyLimit } from '../protocol/concurrency-limit';
import { isObjectOrBytes, JsonBytes } from '../protocol/json-bytes';
import { readJson } from '../protocol/json-reading';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { LOG_LEVELS } from '../protocol/incoming';
import { InputResponses } from './input-responses';
import { isObject, isRequestId, type JsonObject, RpcCode, type RequestId } from '../protocol/json-rpc';
import { INPUT_REQUEST } from '../protocol/message-readings';
import type { EndpointExchange, MethodCall } from './method-call';
import { canAnswer } from '../protocol/client-features';
import type { StreamableResponse } from './streamable-response';
import { passingMeta } from '../protocol/translate';
import { UpstreamRequestIds } from './upstream-request-ids';

/** How much a server may ask in one call, in either era; a person would have given up before. */
const MAX_QUESTIONS = 16;
/**
 * How many requests of a server this service answers itself in one call: each costs a statement and a message to the server. One
 * that pings every 5 s may do so for the 15 minutes of the longest call.
 */
const MAX_REFUSALS = 200;
const MAX_REFUSALS_AT_ONCE = 4;

const TOO_MANY = {
  code: RpcCode.InternalError,
  message: `The client was asked ${MAX_QUESTIONS} questions in this call already.`,
};
const TOO_MANY_REFUSALS = `It has sent more than ${MAX_REFUSALS} requests that the client is not asked, in one call.`;
const CANNOT_BE_ASKED = { code: RpcCode.MethodNotFound, message: 'The client cannot be asked this.' };

/** One of `inputRequests`. */
interface InputRequest {
  readonly key: string;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** What a server has asked in one call. */
class CallQuestions {
  passed = 0;
  refused = 0;
  /** Whether the call has ended: what waits for its refusal then is not refused any more. */
  isOver = false;
  readonly refusals = new ConcurrencyLimit(MAX_REFUSALS_AT_ONCE);
}

/** Messages of a server while it works on a call, and the answers of clients to what it asks. */
@Injectable()
export class CallMessages {
  private readonly logger = new Logger(CallMessages.name);
  private readonly questions = new WeakMap<StreamableResponse, CallQuestions>();

  constructor(
    private readonly caller: UpstreamCaller,
    private readonly requestIds: UpstreamRequestIds,
    private readonly inputResponses: InputResponses,
  ) {}

  /**
   * Passes a message to the client whose call it is about, if it may have it.
   *
   * @returns false for a request that the client is not asked
   * @throws UpstreamFailure if the server has sent too many of those
   */
  pass(call: MethodCall, message: JsonObject, session: UpstreamSessionRef | undefined): boolean {
    if (isRequestId(message.id)) return this.ask(call, message.id, message, session);
    if (isWanted(call, message)) call.reply.notify(asPassed(message));
    return true;
  }

  /**
   * Runs a call for a client. A server of the modern era that asks something ends its call with that; a client with a session
   * is asked on the stream of its call, and the server is called again with the answers.
   *
   * @param run sends the call, with what is added to its parameters
   */
  async withAnswers(
    call: MethodCall,
    entry: ReachableEntry,
    run: (added: JsonObject) => Promise<UpstreamCallResult>,
  ): Promise<UpstreamCallResult> {
    try {
      const outcome = await run({});
      if (!('result' in outcome) || outcome.result.resultType !== 'input_required') return outcome;
      if (call.client.era === 'legacy') return await this.rounds(call, entry, run, outcome);
      requireAnswerable(call, entry, outcome.result.inputRequests);
      return outcome;
    } finally {
      const asked = this.questions.get(call.reply);
      if (asked) asked.isOver = true;
    }
  }

  /**
   * Takes an answer of a client to a request that was sent on the stream of a call.
   *
   * @throws UpstreamFailure if the server cannot be reached any more
   */
  async take({ admission, path }: EndpointExchange, id: RequestId, body: JsonObject): Promise<void> {
    const asked = { principal: admission.principal, path: path.path };
    const { result, error } = body;
    const answer = isObject(error) ? { error } : { result: isObjectOrBytes(result) ? result : {} };
    if (await this.inputResponses.take(id, asked, answer)) return;
    const origin = this.requestIds.open(id, asked);
    // Too late, or never asked: a client cannot do anything about it.
    if (origin) await this.caller.answer(origin.session, admission.principal, { id: origin.id, ...answer });
  }

  /** Asks a client of the legacy era for what a server of the modern one wants to know, until it answers the call. */
  private async rounds(
    call: MethodCall,
    entry: ReachableEntry,
    run: (added: JsonObject) => Promise<UpstreamCallResult>,
    first: UpstreamCallResult,
  ): Promise<UpstreamCallResult> {
    let outcome = first;
    for (let round = 0; 'result' in outcome && outcome.result.resultType === 'input_required'; round++) {
      if (round === MAX_QUESTIONS)
        throw new UpstreamFailure('upstream_error', `It has asked for input ${MAX_QUESTIONS} times.`, true);
      const { inputRequests, requestState } = outcome.result;
      const inputResponses = await this.askAll(call, entry, isObject(inputRequests) ? inputRequests : {});
      outcome = await run({ inputResponses, ...(typeof requestState === 'string' ? { requestState } : {}) });
    }
    return outcome;
  }

  private ask(call: MethodCall, id: RequestId, message: JsonObject, session: UpstreamSessionRef | undefined): boolean {
    if (session === undefined) return false;
    const { method } = message;
    const { admission, path } = call.exchange;
    const params = isObject(message.params) ? message.params : {};
    const isPassed = call.client.era === 'legacy' && typeof method === 'string' && canAnswer(call, method, params);
    const asked = this.questionsOf(call);
    // Unlike a notification it cannot be left out, so a client that does not read is not asked.
    if (isPassed && asked.passed < MAX_QUESTIONS && call.reply.hasRoom) {
      asked.passed++;
      const sealed = this.requestIds.seal({ session, id }, { principal: admission.principal, path: path.path });
      call.reply.send({ ...asPassed(message), id: sealed });
      return true;
    }
    const error = isPassed && asked.passed >= MAX_QUESTIONS ? TOO_MANY : CANNOT_BE_ASKED;
    this.refuse(call, session, { id, ...(method === 'ping' ? { result: {} } : { error }) });
    return false;
  }

  private refuse(call: MethodCall, session: UpstreamSessionRef, answer: JsonObject): void {
    const asked = this.questionsOf(call);
    if (asked.refused === MAX_REFUSALS) throw new UpstreamFailure('upstream_error', TOO_MANY_REFUSALS, true);
    asked.refused++;
    const { principal } = call.exchange.admission;
    const send = async () => asked.isOver || this.caller.answer(session, principal, answer);
    outsideRequests(() => asked.refusals.run(send)).catch((error: unknown) =>
      this.logger.debug(`A request of a server could not be refused: ${String(error)}`),
    );
  }

  private questionsOf({ reply }: MethodCall): CallQuestions {
    const asked = this.questions.get(reply) ?? new CallQuestions();
    this.questions.set(reply, asked);
    return asked;
  }

  private async askAll(call: MethodCall, entry: ReachableEntry, inputRequests: JsonObject): Promise<JsonObject> {
    const { admission, path } = call.exchange;
    const asked = { principal: admission.principal, behind: admission.behind, path: path.path };
    const requests = requireAnswerable(call, entry, inputRequests);
    const questions = this.questionsOf(call);
    questions.passed += requests.length;
    if (questions.passed > MAX_QUESTIONS)
      throw new UpstreamFailure(
        'upstream_error',
        `It has asked for more than ${MAX_QUESTIONS} inputs in one call.`,
        true,
      );
    const round = new AbortController();
    const signal = AbortSignal.any([call.signal, call.gone, round.signal]);
    try {
      const responses = await Promise.all(
        requests.map(async ({ key, method, params }): Promise<[string, unknown]> => {
          const { id, answer } = this.inputResponses.expect(asked, signal);
          call.reply.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
          return [key, responseOf(method, await answer)];
        }),
      );
      return Object.fromEntries(responses);
    } finally {
      // Where one answer has failed the call, the others are not waited for.
      round.abort();
    }
  }
}

/**
 * What a server of the modern era asks for, if the client can be asked all of it.
 *
 * @throws UpstreamFailure
 */
function requireAnswerable(call: MethodCall, { key: entry }: ReachableEntry, inputRequests: unknown): InputRequest[] {
  const requests = Object.entries(isObject(inputRequests) ? inputRequests : {});
  if (requests.length > MAX_QUESTIONS)
    throw new UpstreamFailure('upstream_error', `It has asked for more than ${MAX_QUESTIONS} inputs at once.`, true);
  return requests.map(([key, asks]) => {
    const request = opened(asks);
    const { method, params } = isObject(request) ? request : {};
    const given = isObject(params) ? params : undefined;
    if (typeof method === 'string' && canAnswer(call, method, given ?? {})) return { key, method, params: given };
    const detail = `It has asked for something that this client cannot answer, or must not be asked (${entry}).`;
    throw new UpstreamFailure('upstream_error', detail, true);
  });
}

/** What a server asks, but for what it says about that, which passes as it came. */
function opened(asks: unknown): unknown {
  if (!(asks instanceof JsonBytes)) return asks;
  const read = readJson(asks.bytes, INPUT_REQUEST);
  return 'value' in read ? read.value : undefined;
}

/** `inputResponses` has no place for errors: a client that answers with one has declined. */
function responseOf(method: string, answer: JsonObject): unknown {
  if (isObjectOrBytes(answer.result)) return answer.result;
  if (method === 'elicitation/create') return { action: 'cancel' };
  throw new UpstreamFailure('upstream_error', 'The client has refused what the server asked for.', true);
}

/** Notifications of other calls, and those that a client has not asked for, end here. */
function isWanted({ client, params }: MethodCall, message: JsonObject): boolean {
  const { method, params: said } = message;
  if (method === 'notifications/progress') {
    const meta = params._meta;
    return (
      isObject(said) && isObject(meta) && isRequestId(meta.progressToken) && said.progressToken === meta.progressToken
    );
  }
  if (method === 'notifications/message') {
    // A client with a session gets what the server chooses, until it has set a level.
    if (client.logLevel === undefined) return client.era === 'legacy';
    return isObject(said) && isLoud(said.level, client.logLevel);
  }
  return method === 'notifications/elicitation/complete' && client.era === 'legacy';
}

/** At or above the level that the client has asked for: others may want more of the same server. */
function isLoud(level: unknown, least: string): boolean {
  return LOG_LEVELS.indexOf(String(level)) >= LOG_LEVELS.indexOf(least);
}

/** Without what belongs to the hop between us and the server. */
function asPassed({ method, params }: JsonObject): JsonObject {
  if (!isObject(params)) return { jsonrpc: '2.0', method };
  const { _meta, ...rest } = params;
  const meta = passingMeta(_meta);
  return { jsonrpc: '2.0', method, params: meta ? { ...rest, _meta: meta } : rest };
}
