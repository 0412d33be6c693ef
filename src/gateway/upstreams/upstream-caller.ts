import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { isRequestId, type JsonObject } from '../protocol/json-rpc';
import { CALL_MESSAGE } from '../protocol/message-readings';
import { paramHeadersOf } from '../protocol/mirrored-headers';
import { type Era, isLegacy, LEGACY_REVISIONS, type ModernRevision } from '../protocol/revisions';
import { Breaker } from './breaker';
import { isOfModernOnly, isStrangeToModern, outcomeOf, suggestsStaleLists, wantsOtherHeaders } from './call-answer';
import { CallLimits } from './call-limits';
import type { UpstreamAnswer } from './exchange';
import { isListChange } from './upstream-listing';
import { legacyHeaders, legacyHop, legacyNote, modernHop } from './hop-message';
import type { LegacyLink, SessionOwner } from './session-key';
import { SessionLevels } from './session-levels';
import { SessionRepair } from './session-repair';
import type { UpstreamCall, UpstreamCallResult, ResourceSubscription, Upstream, UpstreamSessionRef } from './upstream';
import { type EraChoice, NotOfEraError, UpstreamEras } from './upstream-eras';
import { failureOfStatus, UpstreamFailure } from '../protocol/upstream-failure';
import { UpstreamLimits } from './upstream-limits';
import { UpstreamSessions } from './upstream-sessions';
import { UpstreamSubscriptions } from './upstream-subscriptions';
import { OWN_INFO, UpstreamWire } from './upstream-wire';
import { Upstreams } from './upstreams.service';

const MAX_BREAKERS = 10_000;
/** After which time a stream that has ended without the answer is resumed, unless the upstream says another one. */
const RESUME_MS = 1_000;
const MIN_RESUME_MS = 100;
const MAX_RESUME_MS = 30_000;

/** Passes requests of clients to upstreams, in the era of the client where the upstream speaks it. */
@Injectable()
export class UpstreamCaller {
  private readonly limits: CallLimits;
  private readonly repair: SessionRepair;
  private readonly levels: SessionLevels;
  /** By entry and credential: what an entry asks for, others need not wait for. */
  private readonly breakers = new LRUCache<string, Breaker>({ max: MAX_BREAKERS });

  constructor(
    private readonly upstreamLimits: UpstreamLimits,
    private readonly wire: UpstreamWire,
    private readonly eras: UpstreamEras,
    private readonly sessions: UpstreamSessions,
    private readonly subscriptions: UpstreamSubscriptions,
    private readonly upstreams: Upstreams,
  ) {
    this.limits = new CallLimits(upstreamLimits);
    this.repair = new SessionRepair(sessions, wire);
    this.levels = new SessionLevels(sessions, wire);
  }

  /**
   * A request that may have run is never sent again: only one that the upstream has refused because of its era, its session
   * or its headers is, once each.
   *
   * @throws UpstreamFailure; the reason of the signal
   */
  async call(call: UpstreamCall): Promise<UpstreamCallResult> {
    call.signal.throwIfAborted();
    const { principal, bundleId, upstream } = call;
    // One server, whatever credentials it gets.
    const leave = this.limits.enter({ principal, bundleId, upstreamId: upstream.url });
    this.upstreams.noteUse([upstream.id]);
    try {
      return await this.guarded(call, () => this.route(call));
    } finally {
      leave();
    }
  }

  /**
   * Passes a client's answer to a request that an upstream of the legacy era sent in a session of this principal.
   *
   * @param message `{ id, result }` or `{ id, error }`, with the upstream's own id
   * @throws UpstreamFailure; also if there is no such session any more
   */
  async answer(ref: UpstreamSessionRef, principal: string, message: JsonObject): Promise<void> {
    const found = await this.sessions.find(ref, principal);
    if (!found) throw new UpstreamFailure('upstream_error', 'The session in which it asked is over.', false);
    const { upstream, link } = found;
    const { status } = await this.wire.note(upstream, legacyNote(message, link.revision, link.sessionId));
    if (status >= 300) throw failureOfStatus(status);
  }

  /**
   * The session of a client has ended, and with it the sessions with upstreams that only it has used.
   *
   * @param session its key, as in its calls
   */
  async leave(principal: string, session: string): Promise<void> {
    await this.sessions.leave(principal, session);
  }

  /**
   * Forgets the sessions of entries with upstreams, who uses them, and which eras the upstreams do not speak.
   *
   * @param upstreamIds of the entries
   */
  async beginAgain(entryIds: readonly string[], upstreamIds: readonly string[]): Promise<void> {
    if (entryIds.length === 0) return;
    await this.eras.forgetRefusals(upstreamIds);
    await this.sessions.forget(entryIds, upstreamIds);
  }

  /**
   * A client has changed the level of log messages that it wants: sets it at the upstreams that it has sessions with.
   *
   * @param session the key of its session, as in its calls
   */
  async levelChanged(principal: string, session: string): Promise<void> {
    await this.levels.changed(principal, session);
  }

  /**
   * Subscribes to resources. Returns when the upstream has agreed; goes on, and reconnects, until the signal ends it.
   *
   * @throws UpstreamFailure if the upstream does not offer it, or does not answer the first time; the reason of the signal
   */
  async subscribe(subscription: ResourceSubscription): Promise<void> {
    subscription.signal.throwIfAborted();
    await this.guarded(subscription, () => this.subscriptions.begin(subscription));
  }

  /** @returns for how many seconds the breaker of the entry with this credential is still open in this process; 0: it is closed */
  breakerOpenFor(entryId: string, credentialId?: string): number {
    return this.breakers.get(breakerKey(entryId, credentialId))?.openFor ?? 0;
  }

  /**
   * Under the breaker of the entry. Where that shows that the upstream is down, or up again, its lists are read soon: what
   * they bring decides what is told of it.
   */
  private async guarded<T>(
    { entryId, upstream: { id, credential } }: Pick<UpstreamCall, 'entryId' | 'upstream'>,
    work: () => Promise<T>,
  ): Promise<T> {
    const breaker = this.breakerOf(breakerKey(entryId, credential?.id));
    if (!breaker.admit()) throw refusalOf(breaker);
    try {
      const done = await work();
      if (breaker.answered()) this.upstreams.suspect(id);
      return done;
    } catch (error) {
      const hasChanged = noteFailure(breaker, error);
      if (hasChanged) this.upstreams.suspect(id);
      throw error;
    }
  }

  private breakerOf(key: string): Breaker {
    let breaker = this.breakers.get(key);
    if (!breaker) {
      breaker = new Breaker();
      this.breakers.set(key, breaker);
    }
    return breaker;
  }

  private async route(call: UpstreamCall): Promise<UpstreamCallResult> {
    const refused = new Map<Era, string | undefined>();
    for (;;) {
      const choice = await this.choose(call, refused);
      try {
        return choice.era === 'modern' ? await this.callModern(call, choice.revision) : await this.callLegacy(call);
      } catch (error) {
        if (!(error instanceof NotOfEraError)) throw error;
        refused.set(error.era, error.sight);
      }
    }
  }

  private async choose(
    { upstream, client, signal }: UpstreamCall,
    refused: ReadonlyMap<Era, string | undefined>,
  ): Promise<EraChoice> {
    try {
      return await this.eras.choose(upstream, client.era, signal, refused);
    } catch (error) {
      // What it speaks is asked again with its lists.
      if (error instanceof UpstreamFailure) this.upstreams.suspect(upstream.id);
      throw error;
    }
  }

  private async callModern(call: UpstreamCall, revision: ModernRevision): Promise<UpstreamCallResult> {
    const { upstream, client, method, params, inputSchema, signal, onMessage, share } = call;
    const { capabilities, logLevel } = client;
    const options = {
      signal,
      share,
      reading: CALL_MESSAGE,
      onMessage: this.heard(upstream, (message) => onMessage(message, undefined)),
    };
    const send = (schema: unknown) => {
      const request = { id: randomUUID(), method, params, inputSchema: schema };
      const posted = modernHop(request, { revision, capabilities, info: undefined, logLevel }, OWN_INFO);
      return this.wire.call(upstream, posted, options);
    };
    let answer = await send(inputSchema);
    if (wantsOtherHeaders(answer) && call.isPinned) this.upstreams.suspect(upstream.id);
    else if (wantsOtherHeaders(answer)) {
      const schema = await this.otherSchema(call);
      if (schema) answer = await send(schema);
    }
    if (isStrangeToModern(answer) && (await this.eras.isNoLongerModern(upstream, signal)))
      throw new NotOfEraError('modern');
    return this.outcome(upstream.id, answer, 'modern');
  }

  /**
   * After an upstream has refused the headers of a call: its tool may want others since its definition was last read.
   *
   * @returns the present schema, if it wants others than the one that was used
   */
  private async otherSchema({
    upstream,
    principal,
    method,
    params,
    inputSchema,
    signal,
  }: UpstreamCall): Promise<JsonObject | undefined> {
    const { name } = params;
    if (method !== 'tools/call' || typeof name !== 'string') return undefined;
    const used = headersOf(inputSchema);
    const known = await this.upstreams.inputSchema(upstream.id, name);
    if (known && headersOf(known) !== used) return known;
    await this.upstreams.readSuspected(upstream.id, signal, principal);
    const read = await this.upstreams.inputSchema(upstream.id, name);
    return read && headersOf(read) !== used ? read : undefined;
  }

  private async callLegacy(call: UpstreamCall): Promise<UpstreamCallResult> {
    const { upstream, principal, entryId, session: holder, client, signal } = call;
    const isOfEra = client.era === 'legacy' && isLegacy(client.revision);
    const owner: SessionOwner = {
      ...{ upstream, principal, entryId, holder },
      wanted: isOfEra ? client.revision : LEGACY_REVISIONS[0],
      // What it asked of a modern client would not reach it.
      capabilities: isOfEra ? client.capabilities : {},
    };
    const answer = await this.repair.send(owner, signal, async (link) => {
      await this.levels.require(owner, link, client.logLevel, signal);
      return this.callIn(link, call);
    });
    if (isOfModernOnly(answer)) {
      await this.eras.noteLegacy(upstream.id, null);
      throw new NotOfEraError('legacy');
    }
    return this.outcome(upstream.id, answer, 'legacy');
  }

  private async callIn({ revision, sessionId, ref }: LegacyLink, call: UpstreamCall): Promise<UpstreamAnswer> {
    const { upstream, method, params, signal, onMessage, share } = call;
    const id = randomUUID();
    const { callMs, askedMs, wholeMs } = this.upstreamLimits;
    const until = performance.now() + wholeMs;
    // A stream that is resumed again and again does not make a silent call longer.
    let patientUntil = performance.now() + callMs;
    const options = {
      signal,
      share,
      reading: CALL_MESSAGE,
      onMessage: this.heard(upstream, (message) => {
        const isRefused = onMessage(message, ref) === false;
        if (message.method === 'notifications/progress') patientUntil = performance.now() + callMs;
        else if (isRequestId(message.id) && !isRefused) patientUntil = performance.now() + askedMs;
        return !isRefused;
      }),
    };
    try {
      const first = await this.wire.call(upstream, legacyHop({ id, method, params }, revision, sessionId), options);
      let answer = first;
      while (answer.resumption) {
        if (performance.now() > Math.min(until, patientUntil))
          throw new UpstreamFailure(
            'upstream_timeout',
            `It did not answer within ${callMs / 1_000} s.`,
            true,
            first.status,
          );
        const { lastEventId, afterMs = RESUME_MS } = answer.resumption;
        await sleep(Math.min(Math.max(afterMs, MIN_RESUME_MS), MAX_RESUME_MS), undefined, { signal });
        const headers = { ...legacyHeaders(revision, sessionId), 'last-event-id': lastEventId };
        answer = await this.wire.call(upstream, { headers, id }, options);
      }
      // What the upstream says of the stream is not what it says of the call.
      return answer === first || answer.message ? answer : { ...first, resumption: undefined };
    } catch (error) {
      // A connection that is closed cancels nothing in this era (MCP 2025-11-25, transports).
      const isLate = error instanceof UpstreamFailure && error.code === 'upstream_timeout';
      if (signal.aborted || isLate) this.wire.cancel(upstream, revision, sessionId, id);
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Some servers announce on the stream of a call that it has changed their lists, or resources: they have no other one. */
  private heard({ id }: Upstream, pass: (message: JsonObject) => unknown): (message: JsonObject) => unknown {
    return (message) => {
      if (isListChange(message)) this.upstreams.announced(id);
      else this.subscriptions.reported(id, message);
      return pass(message);
    };
  }

  private outcome(upstreamId: string, answer: UpstreamAnswer, era: Era): UpstreamCallResult {
    if (suggestsStaleLists(answer)) this.upstreams.suspect(upstreamId);
    return outcomeOf(answer, era);
  }
}

function breakerKey(entryId: string, credentialId: string | undefined): string {
  return `${entryId} ${credentialId ?? ''}`;
}

/** @returns whether the breaker has opened or closed */
function noteFailure(breaker: Breaker, error: unknown): boolean {
  // The client has gone, or a limit of ours was reached: that says nothing of the upstream.
  const isOurs = !(error instanceof UpstreamFailure) || (error.code === 'rate_limited' && error.status === undefined);
  if (isOurs) {
    breaker.withdrawn();
    return false;
  }
  return error.countsForBreaker ? breaker.failed() : breaker.answered();
}

/** What a definition wants repeated in headers, to compare. */
function headersOf(inputSchema: unknown): string {
  return JSON.stringify(paramHeadersOf(inputSchema) ?? []);
}

function refusalOf({ openFor }: Breaker): UpstreamFailure {
  const when = openFor > 0 ? `in ${openFor} s` : 'as soon as one that is under way has shown whether it answers';
  return new UpstreamFailure(
    'upstream_unreachable',
    `It has failed repeatedly, so it is not asked now; try again ${when}.`,
    false,
  );
}
