import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EdgeNews, keyOf } from './edge-news';
import { MOST_WATCHED } from './resource-watch';

const MOST_SESSIONS = 10_000;
/** Of all addresses together, which every process has in memory; in characters. */
const MOST_CHARACTERS = 16_777_216;
/** What one costs besides, roughly. */
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
  private readonly wanted = new LRUCache<string, ReadonlySet<string>>({
    max: MOST_SESSIONS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: sizeOf,
    ttl: LIFE_MS,
  });
  private readonly streams = new Map<string, SessionStream>();

  constructor(private readonly news: EdgeNews) {
    news.on('subscription', (key, verb, uri) => this.hear(key, verb, uri));
    news.on('ended', (key) => this.streams.get(key)?.end());
  }

  /** @returns whether the address can be followed: it is short enough, and there are not too many */
  async add(sessionId: string, uri: string): Promise<boolean> {
    const key = keyOf(sessionId);
    const uris = this.wanted.get(key);
    if (uris && !uris.has(uri) && uris.size >= MOST_WATCHED) return false;
    return this.news.tell('subscription', key, '+', uri);
  }

  async remove(sessionId: string, uri: string): Promise<void> {
    await this.news.tell('subscription', keyOf(sessionId), '-', uri);
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

  private hear(key: string | undefined, verb: string | undefined, uri: string | undefined): void {
    if (key === undefined || uri === undefined) return;
    // A new one each time: its size is what counts.
    const uris = new Set(this.wanted.get(key));
    const isNew = !uris.has(uri);
    if (verb === '-') {
      uris.delete(uri);
      this.streams.get(key)?.remove(uri);
    } else if (isNew && uris.size < MOST_WATCHED) {
      uris.add(uri);
      this.streams.get(key)?.add(uri);
    }
    if (uris.size > 0) this.wanted.set(key, uris);
    else this.wanted.delete(key);
  }
}

function sizeOf(uris: ReadonlySet<string>): number {
  return [...uris].reduce((sum, uri) => sum + uri.length + ENTRY_CHARACTERS, ENTRY_CHARACTERS);
}
