/** The longest answer with the frame of an event (`exchange.ts`). */
const LONG_BYTES = 10_489_856;
/** Not used for so long, memory is left to V8. */
const IDLE_MS = 10_000;

/**
 * Memory of long answers, which is used again. V8 frees what has been collected of such only now and then: 64 answers of 9 MB, of
 * which 93 MB were held at once, left 380 MB of garbage.
 */
export class LongAnswers {
  private readonly idle: Buffer[] = [];
  private timer?: NodeJS.Timeout;

  /** @returns memory with anything in it; undefined for more than the longest answer needs */
  lend(bytes: number): Buffer | undefined {
    if (bytes > LONG_BYTES) return undefined;
    return this.idle.pop() ?? Buffer.allocUnsafeSlow(LONG_BYTES);
  }

  /** Takes memory back that nobody writes to, or reads, any more: it is lent to somebody else next. */
  takeBack(memory: Buffer): void {
    this.idle.push(memory);
    this.timer ??= setTimeout(() => this.forget(), IDLE_MS).unref();
    this.timer.refresh();
  }

  private forget(): void {
    this.idle.length = 0;
    this.timer = undefined;
  }
}
