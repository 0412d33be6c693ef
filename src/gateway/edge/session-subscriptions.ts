import { Injectable } from '@nestjs/common';
import { EdgeNews, keyOf } from './edge-news';
import { PrincipalCache } from './principal-cache';
import { MAX_WATCHED } from './resource-watch';

/** What every process has in memory of all sessions, and of those of one person with all their tokens; in characters. */
const MAX_CHARACTERS = { all: 16_777_216, each: 1_048_576 } as const;
/** What a session, and an address, cost besides, roughly. */
const SESSION_CHARACTERS = 1_024;
const ENTRY_CHARACTERS = 128;
/** As long as a session is good. */
const LIFE_MS = 24 * 3_600_000;

/** What the stream of a session in this process does with what its client wants. */
export interface SessionStream {
  add: (uri: string) => void;
  remove: (uri: string) => void;
  end: () => void;
}

/**
 * Which resources clients with sessions follow (`resources/subscribe`): every process is told, because any may have, or get,
 * the stream on which the updates are sent. A process that has started since does not know.
 */
@Injectable()
export class SessionSubscriptions {
  private readonly wanted = new PrincipalCache<ReadonlySet<string>>({
    ...MAX_CHARACTERS,
    ttl: LIFE_MS,
    sizeOf,
  });
  private readonly streams = new Map<string, SessionStream>();

  constructor(private readonly news: EdgeNews) {
    news.on('subscription', (key, person, verb, uri) => this.hear(key, person, verb, uri));
    news.on('ended', (key) => {
      this.wanted.delete(key);
      this.streams.get(key)?.end();
    });
  }

  /** @returns whether a session follows an address already */
  has(sessionId: string, uri: string): boolean {
    return this.wanted.get(keyOf(sessionId))?.has(uri) === true;
  }

  /**
   * @param most that a session can follow
   * @returns whether the address can be followed: it is short enough, and there are not too many
   */
  async add(sessionId: string, person: string, uri: string, most = MAX_WATCHED): Promise<boolean> {
    const key = keyOf(sessionId);
    const uris = this.wanted.get(key);
    if (uris && !uris.has(uri) && uris.size >= most) return false;
    return this.news.tell('subscription', key, person, '+', uri);
  }

  async remove(sessionId: string, person: string, uri: string): Promise<void> {
    await this.news.tell('subscription', keyOf(sessionId), person, '-', uri);
  }

  /**
   * Makes a stream the one of a session; the one before ends, because no message may be sent twice (2025-11-25, transports,
   * "Multiple Connections").
   *
   * @returns what the session follows already, and a function to be called when the stream has ended
   */
  attach(sessionId: string, stream: SessionStream): { uris: readonly string[]; detach: () => void } {
    const key = keyOf(sessionId);
    this.streams.get(key)?.end();
    this.streams.set(key, stream);
    const detach = (): void => {
      if (this.streams.get(key) === stream) this.streams.delete(key);
    };
    return { uris: [...(this.wanted.get(key) ?? [])], detach };
  }

  private hear(key: string, person: string, verb: string, uri: string): void {
    // A new one each time: its size is what counts.
    const uris = new Set(this.wanted.get(key));
    const isNew = !uris.has(uri);
    if (verb === '-') {
      uris.delete(uri);
      this.streams.get(key)?.remove(uri);
    } else if (isNew && uris.size < MAX_WATCHED) {
      uris.add(uri);
      this.streams.get(key)?.add(uri);
    }
    if (uris.size > 0) this.wanted.set(key, person, uris);
    else this.wanted.delete(key);
  }
}

function sizeOf(uris: ReadonlySet<string>): number {
  return [...uris].reduce((sum, uri) => sum + uri.length + ENTRY_CHARACTERS, SESSION_CHARACTERS);
}
