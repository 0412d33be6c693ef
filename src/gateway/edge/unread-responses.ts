import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';

/** A response of which the client has not read everything. */
interface UnreadResponse {
  /** Bytes of this response alone. */
  readonly own: number;
  /** Pages of lists, which are the same memory for everyone who waits for them. */
  readonly shared: readonly Buffer[];
}

/**
 * What this process has written and clients have not read yet. Each answer is bounded, and so are those of one principal;
 * this is the bound of all together: the response that has waited longest is destroyed for the newest one.
 */
@Injectable()
export class UnreadResponses {
  /** A field, so that tests need not fill it. */
  mostBytes = 268_435_456;

  private readonly logger = new Logger(UnreadResponses.name);
  /** The oldest first. */
  private readonly responses = new Map<ServerResponse, UnreadResponse>();
  /** How many responses wait with each page. */
  private readonly pages = new Map<Buffer, number>();
  private total = 0;

  /** Bytes that wait now. */
  get bytes(): number {
    return this.total;
  }

  /**
   * To be called whenever something was written. What the system has taken already does not wait.
   *
   * @param parts of the answer, if it was that
   */
  note(response: ServerResponse, parts: readonly (string | Buffer)[] = []): void {
    const { writableLength } = response;
    if (writableLength === 0 || response.destroyed) return this.forget(response);
    const shared = parts.filter((part) => typeof part !== 'string');
    const own = Math.max(0, writableLength - shared.reduce((sum, { length }) => sum + length, 0));
    this.release(response);
    // One that waits already keeps its place.
    this.responses.set(response, { own, shared });
    this.total += own;
    for (const page of shared) this.hold(page);
    this.makeRoom();
  }

  /** To be called when a response has closed. */
  forget(response: ServerResponse): void {
    this.release(response);
    this.responses.delete(response);
  }

  private makeRoom(): void {
    while (this.total > this.mostBytes) {
      const [oldest] = this.responses.keys();
      if (!oldest) return;
      this.forget(oldest);
      this.logger.debug('A client reads its answer too slowly, and others wait for theirs: its connection was closed.');
      oldest.destroy();
    }
  }

  private release(response: ServerResponse): void {
    const waiting = this.responses.get(response);
    if (!waiting) return;
    this.total -= waiting.own;
    for (const page of waiting.shared) this.letGo(page);
  }

  private hold(page: Buffer): void {
    const count = this.pages.get(page) ?? 0;
    if (count === 0) this.total += page.length;
    this.pages.set(page, count + 1);
  }

  private letGo(page: Buffer): void {
    const count = this.pages.get(page) ?? 0;
    if (count > 1) this.pages.set(page, count - 1);
    else if (this.pages.delete(page)) this.total -= page.length;
  }
}
