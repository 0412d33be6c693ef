import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LOG_LEVELS } from '../protocol/incoming';
import { isObject } from '../protocol/json-rpc';
import { legacyHop } from './hop-message';
import type { HeldSession, LegacyLink, SessionOwner } from './session-key';
import { UpstreamFailure } from '../protocol/upstream-failure';
import type { UpstreamSessions } from './upstream-sessions';
import type { UpstreamWire } from './upstream-wire';

/** For how long it is not looked again which level a session should have, for the same level of the same client. */
const MEMORY_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Servers that are sent a level at once. */
const AT_ONCE = 20;

/** Sets the level of log messages in sessions with upstreams: the most verbose one of the clients that share a session. */
export class SessionLevels {
  private readonly known = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: MEMORY_MS });

  constructor(
    private readonly sessions: UpstreamSessions,
    private readonly wire: UpstreamWire,
  ) {}

  /**
   * Before a request in a session. What an upstream makes of it does not matter to the request.
   *
   * @param level of the client, if it has set one
   * @throws the reason of the signal
   */
  async require(owner: SessionOwner, link: LegacyLink, level: string | undefined, signal: AbortSignal): Promise<void> {
    if (level === undefined) return;
    const name = `${link.name} ${link.sealed?.toString('base64url') ?? ''} ${owner.holder ?? ''} ${level}`;
    if (this.known.has(name)) return;
    this.known.set(name, true);
    // A client with a session has its level in the database.
    const own = owner.holder === undefined ? LOG_LEVELS.indexOf(level) : null;
    await this.send({ upstream: owner.upstream, link }, own, signal);
  }

  /** After a client has changed its level. @param holder the key of its session */
  async changed(principal: string, holder: string): Promise<void> {
    const held = await this.sessions.heldBy(principal, holder);
    const { signal } = new AbortController();
    for (let done = 0; done < held.length; done += AT_ONCE)
      await Promise.all(held.slice(done, done + AT_ONCE).map((session) => this.send(session, null, signal)));
  }

  private async send({ upstream, link }: HeldSession, own: number | null, signal: AbortSignal): Promise<void> {
    const level = await this.sessions.levelOf(link, own);
    if (level === undefined) return;
    const hop = { id: randomUUID(), method: 'logging/setLevel', params: { level: LOG_LEVELS[level] } };
    try {
      const { message } = await this.wire.probe(upstream, legacyHop(hop, link.revision, link.sessionId), signal);
      if (isObject(message?.result)) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UpstreamFailure)) throw error;
    }
    await this.sessions.forgetLevel(link);
  }
}
