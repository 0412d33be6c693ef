/** The longest answer with the frame of an event (`exchange.ts`). */
const LONG_BYTES = 10_489_856;
/** Not used for so long, memory is left to V8. */
const IDLE_MS = 10_000;

/**
 * Memory of long answers, which is used again. V8 frees large buffers that nobody holds only now and then: 64 answers of 9 MB at
 * once, of which 93 MB were held, left 380 MB of them.
 */
export class LongAnswers {
  private readonly idle: Buffer[] = [];
  private timer?: NodeJS.Timeout;

  /** @returns memory with anything in it; undefined for more than the longest answer needs */
  lend(bytes: number): Buffer | undefined {
    if (bytes > LONG_BYTES) return undefined;
    return this.idle.pop() ?? Buffer.allocUnsafeSlow(LONG_BYTES);
  }

  /** Takes memory back. The next call gets it, so nobody may read or write it after this. */
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
