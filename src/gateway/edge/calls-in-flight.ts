import { Injectable } from '@nestjs/common';
import { EdgeNews, keyOf } from './edge-news';
import { isRequestId, type RequestId } from '../protocol/json-rpc';

/** A request that its client can cancel. */
export interface Cancellable {
  readonly signal: AbortSignal;
  /** To be called when it was answered. */
  readonly done: () => void;
}

/** Requests of clients of the legacy era, which cancel them by a message that may reach another process. */
@Injectable()
export class CallsInFlight {
  private readonly calls = new Map<string, AbortController>();

  constructor(private readonly news: EdgeNews) {
    news.on('cancelled', (key) => this.calls.get(key)?.abort());
  }

  begin(sessionId: string, id: RequestId): Cancellable {
    const key = keyOf(sessionId, id);
    const controller = new AbortController();
    this.calls.set(key, controller);
    const done = (): void => {
      if (this.calls.get(key) === controller) this.calls.delete(key);
    };
    return { signal: controller.signal, done };
  }

  /** Cancels a request, wherever it is; nothing happens if it was answered (2025-11-25, "Cancellation"). */
  async cancel(sessionId: string, id: unknown): Promise<void> {
    if (!isRequestId(id)) return;
    const key = keyOf(sessionId, id);
    const here = this.calls.get(key);
    if (here) here.abort();
    else await this.news.tell('cancelled', key);
  }
}
