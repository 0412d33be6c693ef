import { targetOf } from './list-client';
import { Injectable, Logger } from '@nestjs/common';
import { requireCredential } from '../credentials/credential-needs';
import { ConnectOffers } from './connect-offers';
import { currentSpan } from '../../tracing/tracing';
import { inRequestSpan, nameOperation } from './call-spans';
import { BundleCompiler } from '../compile/bundle-compiler';
import type { CompiledBundle, Offer, ReachableEntry } from '../compile/compiled-bundle';
import { connectedResult } from '../compile/connect-tools';
import { GatewayCounters } from './gateway-counters';
import { isObjectOrBytes, JsonBytes } from '../protocol/json-bytes';
import { type MemberChanges, withMembers } from '../protocol/json-splice';
import { AnswerBudget, type AnswerShare } from '../upstreams/answer-budget';
import { personBehind } from '../upstreams/shares';
import type { CallOutcome } from '../upstreams/upstream';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { givenFixed } from '../rules/fixed-arguments';
import { changedRead, changedTool, failedRead, failedTool, refuse, refusedTool } from '../calls/call-failures';
import { CallRates } from './call-rates';
import { CallMessages } from './call-messages';
import { CallSlots } from './call-slots';
import { keyOf } from './edge-news';
import { isObject, type JsonObject, RpcCode, type RpcError, RpcFailure } from '../protocol/json-rpc';
import { LogLevels } from './log-levels';
import type { MethodCall } from './method-call';
import { requireMatchingParams } from '../protocol/mirrored-headers';
import { whenGone } from './reply';
import { MAX_STATE_BYTES, RequestStates, type StatePlace } from './request-states';
import type { Era } from '../protocol/revisions';
import { declares, entriesOfName, entryOfReference, entryOfResource, templateOf } from './routes';
import { translateError, translateResult } from '../protocol/translate';

/** What a method answers. */
export type Answer = { readonly result: JsonObject } | { readonly error: RpcError };

/** A request as its server gets it. */
interface Forwarded {
  readonly entry: ReachableEntry;
  /** With the server's own names. */
  readonly params: JsonObject;
  readonly inputSchema?: unknown;
  readonly isPinned?: boolean;
  readonly wrapsOutput?: boolean;
}

/** The methods that go to a server: it is found by the name or the address in the body, and gets its own name. */
@Injectable()
export class ServerCalls {
  private readonly logger = new Logger(ServerCalls.name);

  constructor(
    private readonly caller: UpstreamCaller,
    private readonly rates: CallRates,
    private readonly messages: CallMessages,
    private readonly counters: GatewayCounters,
    private readonly slots: CallSlots,
    private readonly states: RequestStates,
    private readonly offers: ConnectOffers,
    private readonly levels: LogLevels,
    private readonly compiler: BundleCompiler,
    private readonly budget: AnswerBudget,
  ) {}

  /**
   * `tools/call`. What a server does not do is a result that a model can read; only what the client does wrong is an error.
   *
   * @throws RpcFailure
   */
  async tool(call: MethodCall, known: CompiledBundle): Promise<Answer> {
    const { name, arguments: given, task: _task, ...rest } = call.params;
    const args = given ?? {};
    if (typeof name !== 'string') throw invalid('params.name must be a string.');
    if (!isObjectOrBytes(args)) throw invalid('params.arguments must be an object.');
    const isKnown = known.tools.has(name) || connectedResult(known, name) !== undefined;
    const bundle = isKnown ? known : await this.looked(call, known, name);
    const tool = bundle.tools.get(name);
    aim(call, name, tool);
    // The same for one that does not exist and one that they may not see.
    const connected = tool ? undefined : connectedResult(bundle, name);
    if (connected) {
      const tooMany = this.rates.take(call.exchange.admission.principal, bundle.bundleId);
      return inEra(tooMany ? refusedTool(tooMany, name) : connected, call, bundle);
    }
    if (!tool) throw invalid('Unknown tool');
    if (call.client.era === 'modern' && !call.isIndirect)
      requireMatchingParams(call.id, tool.paramHeaders, args, call.header);
    const { entry, inputSchema, fixedArguments } = tool;
    const fixed = fixedArguments && givenFixed(args, fixedArguments);
    if (fixed != null)
      throw invalid(`params.arguments.${fixed.slice(0, 128)} cannot be given: the tool has no such argument.`);
    const refusal = this.rates.take(call.exchange.admission.principal, bundle.bundleId);
    if (refusal) return inEra(refusedTool(refusal, entry.key), call, bundle);
    if (tool.isHeld) return inEra(changedTool(entry.key), call, bundle);
    const sent = given === undefined && !fixedArguments ? {} : { arguments: withFixed(args, fixedArguments) };
    const params = { ...rest, name: tool.name, ...sent };
    try {
      const { isPinned, wrapsOutput } = tool;
      return await this.forward(call, bundle, { entry, params, inputSchema, isPinned, wrapsOutput });
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      this.note(error, entry, call);
      const offer = this.offers.offer(call, entry, error);
      if (offer && 'result' in offer) return inEra(offer.result, call, bundle);
      return inEra(failedTool(error, entry.key, offer?.text), call, bundle);
    }
  }

  /** `prompts/get`. @throws RpcFailure; RateLimitedError */
  async prompt(call: MethodCall, known: CompiledBundle): Promise<Answer> {
    const { name } = call.params;
    if (typeof name !== 'string') throw invalid('params.name must be a string.');
    const bundle = known.prompts.has(name) ? known : await this.looked(call, known, name);
    const prompt = bundle.prompts.get(name);
    aim(call, name, prompt);
    if (!prompt) throw invalid('Unknown prompt');
    if (prompt.isHeld) return { error: changedRead(prompt.entry.key) };
    return this.read(call, bundle, { entry: prompt.entry, params: { ...call.params, name: prompt.name } });
  }

  /** `resources/read`. @throws RpcFailure; RateLimitedError */
  async resource(call: MethodCall, bundle: CompiledBundle): Promise<Answer> {
    const { uri } = call.params;
    if (typeof uri !== 'string') throw invalid('params.uri must be a string.');
    const entry = entryOfResource(bundle, uri);
    if (!entry) return { error: unknownResource(call, uri) };
    aimAtResource(call, bundle, entry, uri);
    return this.read(call, bundle, { entry, params: call.params });
  }

  /** `completion/complete`. A server without it has nothing to suggest. @throws RpcFailure; RateLimitedError */
  async completion(call: MethodCall, bundle: CompiledBundle): Promise<Answer> {
    const { ref, argument } = call.params;
    if (!isObject(ref)) throw invalid('params.ref must be an object.');
    if (!isObject(argument)) throw invalid('params.argument must be an object.');
    const forwarded = completed(bundle, ref, call.params);
    if (!forwarded) throw invalid('params.ref names nothing that this bundle has.');
    if (typeof ref.name === 'string') aim(call, ref.name, bundle.prompts.get(ref.name));
    else aimAtResource(call, bundle, forwarded.entry, String(ref.uri));
    if (isHeld(bundle, ref)) return { error: changedRead(forwarded.entry.key) };
    if (declares(forwarded.entry, 'completions') === false)
      return inEra({ completion: { values: [], total: 0, hasMore: false } }, call, bundle);
    return this.read(call, bundle, forwarded);
  }

  /** A server may have what a client names since its lists were last read. */
  private async looked(call: MethodCall, bundle: CompiledBundle, name: string): Promise<CompiledBundle> {
    const target = targetOf(call);
    return (await this.compiler.lookAgain(target, entriesOfName(bundle, name, target.naming))) ?? bundle;
  }

  private async read(call: MethodCall, bundle: CompiledBundle, forwarded: Forwarded): Promise<Answer> {
    const refusal = this.rates.take(call.exchange.admission.principal, bundle.bundleId);
    if (refusal) refuse(refusal);
    try {
      return await this.forward(call, bundle, forwarded);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      this.note(error, forwarded.entry, call);
      const offer = this.offers.offer(call, forwarded.entry, error);
      if (offer && 'result' in offer) return inEra(offer.result, call, bundle);
      return { error: failedRead(error, forwarded.entry.key, offer?.text) };
    }
  }

  /** @throws UpstreamFailure; RpcFailure for a state that is not of this request */
  private async forward(plain: MethodCall, bundle: CompiledBundle, forwarded: Forwarded): Promise<Answer> {
    const { entry } = forwarded;
    requireCredential(entry.credential);
    const call = declares(entry, 'logging') === false ? plain : await this.levels.applied(plain);
    const { client, method, exchange } = call;
    const opened = { ...forwarded, params: this.withStateOfServer(call, forwarded) };
    const { principal } = exchange.admission;
    const leave = this.slots.enter(principal, exchange.response);
    const share = this.budget.open(personBehind(exchange.admission));
    try {
      await share.begin(call.signal);
      await call.trail?.begin();
      const outcome = await this.messages.withAnswers(call, entry, (added) => this.send(call, opened, added, share));
      if ('error' in outcome) return { error: translateError(outcome.error, client.era) };
      requireKnown(outcome.result, client.era);
      const result = this.withStateOfClient(outcome.result, call, entry);
      return { result: translateResult(result, method, client.era, bundle.serverInfo, forwarded.wrapsOutput) };
    } finally {
      leave();
      whenGone(exchange.response, () => share.release());
    }
  }

  /**
   * The parameters with the state as the server gave it. Clients with sessions have none: they are asked on the stream of their
   * call, and whatever they send as one is not of the protocol.
   */
  private withStateOfServer(call: MethodCall, { entry, params }: Forwarded): JsonObject {
    const { inputResponses: _responses, requestState, ...rest } = params;
    if (call.client.era === 'legacy') return rest;
    if (requestState === undefined) return params;
    // What was asked by us is answered by now, or asked again.
    if (this.offers.isOwn(call, entry)) return rest;
    const state = this.states.open(requestState, placeOf(call, entry));
    if (state === undefined)
      throw invalid('params.requestState is not of this request, or is older than 10 minutes. Begin again without it.');
    return { ...params, requestState: state };
  }

  /** The result with the state as the client may have it. */
  private withStateOfClient(result: JsonObject, call: MethodCall, entry: ReachableEntry): JsonObject {
    const { resultType, requestState } = result;
    if (resultType !== 'input_required' || typeof requestState !== 'string') return result;
    const sealed = this.states.seal(requestState, placeOf(call, entry));
    if (sealed !== undefined) return { ...result, requestState: sealed };
    const detail = `It wants more than ${MAX_STATE_BYTES / 1_024} KiB back as "requestState".`;
    throw new UpstreamFailure('too_large', detail, true);
  }

  /** @param added answers of the client to what the server has asked */
  private send(
    call: MethodCall,
    { entry, params, inputSchema, isPinned = false }: Forwarded,
    added: JsonObject,
    share: AnswerShare,
  ): Promise<CallOutcome> {
    const { client, method, signal, exchange } = call;
    const { era, revision, capabilities, logLevel, sessionId } = client;
    const name = typeof params.name === 'string' ? params.name : undefined;
    const called = inRequestSpan(call, { ...params, ...added }, { method, name, entryId: entry.id }, (traced) =>
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
        onMessage: (message, session) => this.messages.pass(call, message, session),
      }),
    );
    const counted = this.counters.called(signal, called);
    return call.trail ? call.trail.asked(counted) : counted;
  }

  private note({ code }: UpstreamFailure, entry: ReachableEntry, { exchange, method, trail }: MethodCall): void {
    trail?.failed(code);
    this.logger.debug(`${code}: ${method} of entry ${entry.id} (request ${exchange.request.id})`);
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

/** Says for the record, and for the trace, what a call is for. */
function aim({ trail, method }: MethodCall, exposedName: string, offer: Offer | undefined): void {
  if (!offer) return trail?.aimAtNothing(exposedName);
  trail?.aim({ entryId: offer.entry.id, name: offer.name, exposedName, digest: offer.digest });
  nameOperation(currentSpan(), method, exposedName);
}

/** The address only where the server lists it: one that a client has filled in may say as much as arguments do. */
function aimAtResource({ trail }: MethodCall, bundle: CompiledBundle, entry: ReachableEntry, uri: string): void {
  const offer = bundle.resources.get(uri) ?? bundle.templates.get(uri) ?? templateOf(bundle, uri);
  const [name, digest] = offer?.entry === entry ? [offer.name, offer.digest] : [null, null];
  trail?.aim({ entryId: entry.id, name, exposedName: name, digest });
}

/** Bound to what the client asks for in its own words, so that a state is good for one request only. */
function placeOf({ exchange, method, params }: MethodCall, entry: ReachableEntry): StatePlace {
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

function completed(bundle: CompiledBundle, ref: JsonObject, params: JsonObject): Forwarded | undefined {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = bundle.prompts.get(ref.name);
    return prompt && { entry: prompt.entry, params: { ...params, ref: { ...ref, name: prompt.name } } };
  }
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined;
  const entry = entryOfReference(bundle, ref.uri);
  return entry && { entry, params };
}

/** Whether it is about a prompt or a template whose definition has changed since it was approved. */
function isHeld({ prompts, templates }: CompiledBundle, { type, name, uri }: JsonObject): boolean {
  const offer = type === 'ref/prompt' ? prompts.get(String(name)) : templates.get(String(uri));
  return offer?.isHeld === true;
}

/** The arguments as they came, and after them those that the bundle fixes. */
function withFixed(args: JsonObject | JsonBytes, fixed: JsonObject | null): JsonObject | JsonBytes {
  if (!fixed) return args;
  if (!(args instanceof JsonBytes)) return { ...args, ...fixed };
  const members = Object.entries(fixed).map(([name, value]) => [name, JSON.stringify(value)]);
  const text = Buffer.from(withMembers(args.bytes, Object.fromEntries(members) as MemberChanges));
  return new JsonBytes(text, args.values);
}

function inEra(result: JsonObject, { method, client }: MethodCall, { serverInfo }: CompiledBundle): Answer {
  return { result: translateResult(result, method, client.era, serverInfo) };
}

/** The code of the era (2026-07-28, resources, "Error Handling"). */
function unknownResource({ client }: MethodCall, uri: string): RpcError {
  const code = client.era === 'modern' ? RpcCode.InvalidParams : RpcCode.ResourceNotFound;
  return { code, message: 'Resource not found', data: { uri: uri.slice(0, 1_024) } };
}

function invalid(detail: string): RpcFailure {
  return new RpcFailure(200, RpcCode.InvalidParams, detail);
}
