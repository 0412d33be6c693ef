import { LRUCache } from 'lru-cache';
import type { Session } from './session';

const REMEMBERED_SESSIONS = 10_000;
/** Also how stale `last_seen_at` may be: the database is asked again, and notes the time, once a minute. */
const REMEMBERED_FOR_MS = 60_000;

interface Remembered {
  session: Session;
  /** Milliseconds since the epoch. */
  until: number;
}

/**
 * Sessions that were found in the last minute, by the digest of their cookie. Bounded. The caller empties it when
 * notifications may have been missed, and does not ask it while they are not received.
 */
export class SessionMemory {
  private readonly digests = new Map<string, string>();
  private readonly remembered = new LRUCache<string, Remembered>({
    max: REMEMBERED_SESSIONS,
    dispose: ({ session }, digest) => {
      if (this.digests.get(session.id) === digest) this.digests.delete(session.id);
    },
  });
  private epochs = 0;

  /** Must be read before a session is looked up, and passed along with it. */
  get epoch(): number {
    return this.epochs;
  }

  /** @param epoch when the look-up began: if anything was forgotten since, it may be this session */
  remember(digest: string, session: Session, now: Date, epoch: number): void {
    if (epoch !== this.epochs) return;
    const until = Math.min(now.getTime() + REMEMBERED_FOR_MS, session.expiresAt.getTime());
    this.remembered.set(digest, { session, until });
    this.digests.set(session.id, digest);
  }

  recall(digest: string, now: Date): Session | undefined {
    const entry = this.remembered.get(digest);
    if (entry === undefined || entry.until > now.getTime()) return entry?.session;
    this.remembered.delete(digest);
    return undefined;
  }

  forget(sessionId: string): void {
    this.epochs++;
    const digest = this.digests.get(sessionId);
    if (digest !== undefined) this.remembered.delete(digest);
  }

  /** An account was closed, or notifications may have been missed. */
  forgetAll(): void {
    this.epochs++;
    this.remembered.clear();
    this.digests.clear();
  }
}
