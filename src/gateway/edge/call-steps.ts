import { Injectable, Logger } from '@nestjs/common';
import { InsufficientScopeError } from '../../errors/errors';
import { changedRead, changedTool, failedRead, failedTool, refuse, refusedTool } from '../calls/call-failures';
import { BundleCompiler } from '../compile/bundle-compiler';
import { type CompiledBundle, LIST_METHODS } from '../compile/compiled-bundle';
import { requireCredential } from '../credentials/credential-needs';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { isSearchTool } from '../search/search-tools';
import { AnswerBudget } from '../upstreams/answer-budget';
import { personBehind } from '../upstreams/shares';
import type { EndpointScope } from './admission.sql';
import { type Answer, CallContext } from './call-context';
import { CallRates } from './call-rates';
import { CallRoutes, inEra } from './call-routes';
import { CallSlots } from './call-slots';
import { inOperationSpan } from './call-spans';
import { ConnectOffers } from './connect-offers';
import { GatewayCounters } from './gateway-counters';
import { LogLevels } from './log-levels';
import { type MethodCall, targetOf } from './method-call';
import { OwnMethods } from './own-methods';
import { whenGone } from './streamable-response';
import { ServerRequests } from './server-requests';
import { declares } from './routes';

/** What a step returns; undefined: the answer is sent already. */
type Outcome = Answer | undefined | Promise<Answer | undefined>;

/** Does its part of a call, and calls the next step unless it answers itself. Only one that waits for something is `async`: each call pays for it. */
type Step = (call: CallContext, next: () => Outcome) => Outcome;

/** The way of a call, as one list (docs/journeys/mcp-call.md). */
@Injectable()
export class CallSteps {
  private readonly logger = new Logger(CallSteps.name);
  private readonly steps: readonly Step[];
  /** A call that this service makes for a person itself has these: its rights were checked, and its bundle is known. */
  private readonly stepsOfTrial: readonly Step[];

  constructor(
    private readonly counters: GatewayCounters,
    private readonly compiler: BundleCompiler,
    private readonly own: OwnMethods,
    private readonly routes: CallRoutes,
    private readonly rates: CallRates,
    private readonly offers: ConnectOffers,
    private readonly levels: LogLevels,
    private readonly slots: CallSlots,
    private readonly budget: AnswerBudget,
    private readonly servers: ServerRequests,
  ) {
    const toServers = [
      this.route,
      this.limit,
      this.answerLocally,
      this.explain,
      this.authenticate,
      this.setLogLevel,
      this.openState,
      this.takeSlot,
      this.reserveMemory,
      this.recordAhead,
      this.forward,
    ];
    this.steps = [
      this.record,
      this.authorise,
      this.trace,
      this.count,
      this.compile,
      this.answerOwnMethod,
      ...toServers,
    ];
    this.stepsOfTrial = [this.record, ...toServers];
  }

  /** @returns undefined if the answer is sent already, or comes later @throws RpcFailure; DomainError */
  async run(request: MethodCall): Promise<Answer | undefined> {
    return walk(this.steps, new CallContext(request));
  }

  /** Calls a tool for the person who tries it. @throws RpcFailure; DomainError */
  async try(request: MethodCall, bundle: CompiledBundle): Promise<Answer> {
    const call = new CallContext(request);
    call.bundle = bundle;
    const answer = await walk(this.stepsOfTrial, call);
    if (!answer) throw new Error('A call of a tool ends with an answer.');
    return answer;
  }

  /** Keeps what becomes of it, for its row: whatever a later step refuses, too. */
  private readonly record: Step = ({ request: { trail, signal } }, next) =>
    trail ? trail.follow(signal, next) : next();

  /** Requires the scope of the method. */
  private readonly authorise: Step = ({ request }, next) => {
    requireScope(request, scopeOf(request));
    this.own.requireKnown(request);
    return next();
  };

  private readonly trace: Step = ({ request }, next) => inOperationSpan(request, next);

  private readonly count: Step = ({ request }, next) => this.counters.timed(request, next);

  /** Finds what the bundle offers to this client. */
  private readonly compile: Step = async (call, next) => {
    const { request } = call;
    const target = targetOf(request);
    call.bundle = await this.compiler.compile(target, isList(request.method));
    if (this.routes.isUnknown(call)) call.bundle = await this.compiler.withFirstLists(target, call.bundle);
    // What begins after the client has gone would not be told that it has.
    return request.signal.aborted ? undefined : next();
  };

  /** Answers the methods that no server is asked for. */
  private readonly answerOwnMethod: Step = (call, next) => {
    const method = this.own.of(call.request);
    return method ? method(call.request, call.bundle) : next();
  };

  /** Finds the server by the name or the address in the parameters. */
  private readonly route: Step = async (call, next) => {
    if (call.request.method === 'tools/call' && !isSearch(call)) requireScope(call.request, 'call');
    const route = await this.routes.find(call);
    if ('error' in route || 'result' in route) return route;
    call.route = route;
    return next();
  };

  /** Counts it against the calls a minute of its principal and its bundle. */
  private readonly limit: Step = (call, next) => {
    const { request, bundle, route } = call;
    const refusal = this.rates.take(request.exchange.admission, bundle.bundleId);
    if (!refusal) return next();
    if (request.method !== 'tools/call') refuse(refusal);
    return inEra(call, refusedTool(refusal, route.subject));
  };

  /** Answers what is known without a server: what a search has found, or that a definition has changed since it was approved. */
  private readonly answerLocally: Step = (call, next) => {
    const { request, route } = call;
    if ('localResult' in route) return inEra(call, route.localResult());
    call.server = route;
    if (!route.isHeld) return next();
    const { key } = route.entry;
    return request.method === 'tools/call' ? inEra(call, changedTool(key)) : { error: changedRead(key) };
  };

  /** Makes an answer of what a server fails to do: a result that a model can read, or the offer to connect an account. */
  private readonly explain: Step = async (call, next) => {
    try {
      return await next();
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      const { request, server } = call;
      const { entry } = server;
      request.trail?.failed(error.code);
      this.logger.debug(
        `${error.code}: ${request.method} of entry ${entry.id} (request ${request.exchange.request.id})`,
      );
      const offer = this.offers.offer(request, entry, error);
      if (offer && 'result' in offer) return inEra(call, offer.result);
      if (request.method === 'tools/call') return inEra(call, failedTool(error, entry.key, offer?.text));
      return { error: failedRead(error, entry.key, offer?.text) };
    }
  };

  /** Requires the credential that the server needs. */
  private readonly authenticate: Step = ({ server }, next) => {
    requireCredential(server.entry.credential);
    return next();
  };

  /** The level of log messages that the session of the client has set. */
  private readonly setLogLevel: Step = (call, next) => {
    const { request, server } = call;
    if (request.client.era === 'modern' || declares(server.entry, 'logging') === false) return next();
    return this.levels.applied(request).then((applied) => {
      call.request = applied;
      return next();
    });
  };

  /** Gives the server its own state back, which came sealed. */
  private readonly openState: Step = (call, next) => {
    call.server = this.servers.withOpenState(call);
    return next();
  };

  /** Counts it among the calls that are under way, until its answer was read. */
  private readonly takeSlot: Step = async ({ request: { exchange }, server }, next) => {
    const leave = this.slots.enter(exchange.admission, server.entry.upstream.url, exchange.response);
    try {
      return await next();
    } finally {
      leave();
    }
  };

  /** Waits until there is memory for its answer, and holds that until the answer was read. */
  private readonly reserveMemory: Step = async (call, next) => {
    const { exchange, signal } = call.request;
    call.share = this.budget.open(personBehind(exchange.admission));
    try {
      await call.share.begin(signal);
      return await next();
    } finally {
      whenGone(exchange.response, () => call.share.release());
    }
  };

  /** With `STRICT`, the row is written before the server is asked. */
  private readonly recordAhead: Step = ({ request: { trail } }, next) =>
    trail?.isStrict ? trail.begin().then(next) : next();

  /** Asks the server, the client for what the server asks, and gives the answer the form of the client's era. */
  private readonly forward: Step = (call) => this.servers.forward(call);
}

function walk(steps: readonly Step[], call: CallContext): Outcome {
  const from = (place: number): Outcome => steps[place]?.(call, () => from(place + 1));
  return from(0);
}

/**
 * Calling a tool may change something; everything else only reads, and so does searching for tools. Whether that is what a name
 * means is known with the bundle only (`route`).
 */
function scopeOf({ method, params: { name } }: MethodCall): EndpointScope {
  return method === 'tools/call' && !isReading(name) ? 'call' : 'read';
}

function isList(method: string): boolean {
  return LIST_METHODS.some((list) => list === method);
}

function isSearch({ bundle, request }: CallContext): boolean {
  return bundle.search !== undefined && isReading(request.params.name);
}

function isReading(name: unknown): boolean {
  return isSearchTool(name) && name !== 'call_tool';
}

function requireScope({ exchange }: MethodCall, scope: EndpointScope): void {
  if (!exchange.admission.scopes.has(scope)) throw new InsufficientScopeError([`mcp:${scope}`]);
}
