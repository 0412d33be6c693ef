import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { legacyHop } from './hop-message';
import type { LegacyLink } from './session-key';
import { pingVerdict, type PingVerdict } from './session-loss';
import { SingleFlights } from './single-flights';
import type { Upstream } from './upstream';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamWire } from './upstream-wire';

/**
 * A server that is away for a moment keeps its sessions. One that has been asked so often, for so long, without an answer has
 * lost this one: it would be asked in vain for as long as clients call.
 */
const MAX_UNKNOWN = 3;
const MIN_UNKNOWN_MS = 30_000;
const UNKNOWN_KEPT_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Asks upstreams by `ping` whether they still know a session: at once for all who want to know. */
export class SessionPings {
  private readonly flights = new SingleFlights<PingVerdict>();
  /** Pings without a verdict, by session, and since when (of `performance.now()`). */
  private readonly unknown = new LRUCache<string, { count: number; since: number }>({
    max: MAX_REMEMBERED,
    ttl: UNKNOWN_KEPT_MS,
  });

  constructor(private readonly wire: Pick<UpstreamWire, 'probe'>) {}

  /**
   * @param signal ends the waiting
   * @returns whether the session is lost
   * @throws the reason of the signal
   */
  async isLost(upstream: Upstream, link: LegacyLink, signal: AbortSignal): Promise<boolean> {
    const id = `${link.name} ${link.sealed?.toString('base64url') ?? ''}`;
    const verdict = await this.flights.join(id, signal, () => this.ask(upstream, link));
    if (verdict !== 'unknown') {
      this.unknown.delete(id);
      return verdict === 'lost';
    }
    const now = performance.now();
    const { count, since } = this.unknown.get(id) ?? { count: 0, since: now };
    this.unknown.set(id, { count: count + 1, since });
    return count + 1 >= MAX_UNKNOWN && now - since >= MIN_UNKNOWN_MS;
  }

  private async ask(upstream: Upstream, { revision, sessionId }: LegacyLink): Promise<PingVerdict> {
    const ping = legacyHop({ id: randomUUID(), method: 'ping', params: {} }, revision, sessionId);
    try {
      return pingVerdict(await this.wire.probe(upstream, ping, new AbortController().signal));
    } catch (error) {
      if (error instanceof UpstreamFailure) return 'unknown';
      throw error;
    }
  }
}
