import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isObject, isRequestId, type JsonObject, type RequestId, RpcCode } from '../protocol/json-rpc';
import { type Era, LEGACY_REVISIONS, type LegacyRevision, type ModernRevision } from '../protocol/revisions';
import type { Channel } from './event-channel';
import { legacyHeaders, legacyHop, legacyNote, modernHop } from './hop-message';
import { beginSession } from './legacy-handshake';
import type { Upstream } from './upstream';
import { NotOfEraError, UpstreamEras } from './upstream-eras';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { UpstreamLimits } from './upstream-limits';
import { OWN_INFO, resultIn, UpstreamWire } from './upstream-wire';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What to listen to. */
export interface NotificationStreamRequest {
  readonly upstream: Upstream;
  readonly preferred: Era;
  /** The capabilities of the client for whom it is. */
  readonly capabilities: JsonObject;
  /** Whether to hear when lists change. */
  readonly lists: boolean;
  /** Resources whose changes to hear of. */
  readonly uris: readonly string[];
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** Receives notifications. */
  readonly onMessage: (message: JsonObject) => void;
}

/** An upstream has answered what it agrees to, and that is less than what was asked for. */
class NotOfferedError extends UpstreamFailure {
  constructor() {
    super('upstream_error', 'It does not offer this subscription.', false);
  }
}

interface OwnSession {
  readonly upstream: Upstream;
  readonly revision: LegacyRevision;
  readonly sessionId: string | undefined;
}

/**
 * Opens streams on which upstreams say what has changed: `subscriptions/listen`, or GET in a session of its own. The session
 * is never one in which a client calls, because an upstream may send each message on one stream only.
 */
@Injectable()
export class NotificationStreams {
  constructor(
    private readonly wire: UpstreamWire,
    private readonly eras: UpstreamEras,
    private readonly limits: UpstreamLimits,
  ) {}

  /**
   * @returns when the upstream has agreed to all that is asked for
   * @throws UpstreamFailure; the reason of the signal
   */
  async open(request: NotificationStreamRequest): Promise<Channel> {
    const refused = new Map<Era, string | undefined>();
    for (;;) {
      const choice = await this.eras.choose(request.upstream, request.preferred, request.signal, refused);
      try {
        return choice.era === 'modern'
          ? await this.openModern(request, choice.revision)
          : await this.openLegacy(request);
      } catch (error) {
        if (!(error instanceof NotOfEraError)) throw error;
        refused.set(error.era, error.sight);
      }
    }
  }

  /**
   * Keeps a stream open until the signal ends it: opens it again when it has ended, later each time that it does not last,
   * and much later where the upstream says that it offers none. Never throws.
   *
   * @param first the stream, if it is open already
   * @param onAgain called when it was opened again: what happened in between is not known
   */
  async keep(first: Channel | undefined, request: NotificationStreamRequest, onAgain: () => void): Promise<void> {
    const { relistenMs, relistenMostMs, refusedMs } = this.limits;
    const { signal } = request;
    let failures = 0;
    let isRefused = false;
    for (let channel = first; !signal.aborted;) {
      if (channel) {
        const since = performance.now();
        await channel.ended;
        if (performance.now() - since > relistenMostMs) failures = 0;
      }
      const pause = isRefused ? refusedMs : Math.min(relistenMs * 2 ** failures, relistenMostMs);
      const rest = pause * (0.75 + Math.random() / 2);
      failures++;
      if (channel || failures > 1) await sleep(rest, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const isFirst = channel === undefined && failures === 1;
      try {
        channel = await this.open(request);
        isRefused = false;
        if (!isFirst) onAgain();
      } catch (error) {
        // It does not offer it, or is away: later again.
        channel = undefined;
        isRefused = error instanceof NotOfferedError || (error instanceof UpstreamFailure && error.status === 405);
      }
    }
  }

  private async openModern(request: NotificationStreamRequest, revision: ModernRevision): Promise<Channel> {
    const { upstream, capabilities, lists, uris, signal, onMessage } = request;
    const filter = {
      ...(lists ? { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } : {}),
      ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
    };
    const hop = { id: randomUUID(), method: 'subscriptions/listen', params: { notifications: filter } };
    const posted = modernHop(hop, { revision, capabilities, info: undefined, logLevel: undefined }, OWN_INFO);
    const own = new AbortController();
    let agree: (agreed: unknown) => void = () => {};
    const agreement = new Promise((resolve) => (agree = resolve));
    const channel = await this.wire.open(upstream, posted, {
      signal: AbortSignal.any([signal, own.signal]),
      onMessage: (message) => {
        if (message.method === ACKNOWLEDGED) agree(isObject(message.params) ? message.params.notifications : undefined);
        else onMessage(message);
      },
    });
    const late = new AbortController();
    const timeOut = sleep(this.limits.firstByteMs, undefined, { signal: late.signal }).catch(() => undefined);
    const agreed = await Promise.race([agreement, channel.ended, timeOut]);
    late.abort();
    if (isObject(agreed) && (lists || agreesTo(agreed, uris))) return channel;
    own.abort();
    signal.throwIfAborted();
    // Where it has ended without a word, or says nothing, it is only away.
    if (isObject(agreed)) throw new NotOfferedError();
    throw new UpstreamFailure('upstream_error', 'It did not agree to this subscription.', false);
  }

  private async openLegacy(request: NotificationStreamRequest): Promise<Channel> {
    const { upstream, capabilities, uris, signal, onMessage } = request;
    const session = { wanted: LEGACY_REVISIONS[0], capabilities, signal };
    const { revision, sessionId } = await beginSession({ wire: this.wire, eras: this.eras }, upstream, session);
    const own = new AbortController();
    const end = () => (sessionId === undefined ? undefined : this.wire.end(upstream, revision, sessionId));
    try {
      const options = {
        signal: AbortSignal.any([signal, own.signal]),
        onMessage: (message: JsonObject) => {
          if (isRequestId(message.id)) this.refuse(message.id, message.method, { upstream, revision, sessionId });
          else onMessage(message);
        },
      };
      const channel = await this.wire.open(upstream, { headers: legacyHeaders(revision, sessionId) }, options);
      for (const uri of uris) {
        const hop = { id: randomUUID(), method: 'resources/subscribe', params: { uri } };
        resultIn(await this.wire.ask(upstream, legacyHop(hop, revision, sessionId), signal), hop.method);
      }
      return { ended: channel.ended.then(end) };
    } catch (error) {
      own.abort();
      void end();
      throw error;
    }
  }

  /** No one can be asked here; but an upstream that pings closes the stream if no one answers. */
  private refuse(id: RequestId, method: unknown, { upstream, revision, sessionId }: OwnSession): void {
    const error = { code: RpcCode.MethodNotFound, message: 'Nobody can be asked on this stream.' };
    const answer = method === 'ping' ? { id, result: {} } : { id, error };
    this.wire.note(upstream, legacyNote(answer, revision, sessionId)).catch(() => undefined);
  }
}

function agreesTo({ resourceSubscriptions }: JsonObject, uris: readonly string[]): boolean {
  return Array.isArray(resourceSubscriptions) && uris.every((uri) => resourceSubscriptions.includes(uri));
}
