/** Pauses with calls in them, in a row, before the pause grows: a server may change its lists a few times at once. */
const SHORT_PAUSES = 4;

/**
 * A throttle with a growing pause: the first call runs the work at once; calls during the pause run it once, at its end. After a
 * few pauses in a row with calls in them, each pause is twice as long as the one before; after one without calls, it is short again.
 */
export class BackoffThrottle {
  private timer?: NodeJS.Timeout;
  private isWanted = false;
  /** How many pauses in a row had calls in them. */
  private busyPauses = 0;

  constructor(
    private readonly leastMs: number,
    private readonly mostMs: number,
    private readonly work: () => void,
  ) {}

  call(): void {
    this.isWanted = true;
    if (!this.timer) this.run();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.isWanted = false;
  }

  private run(): void {
    this.timer = undefined;
    if (!this.isWanted) {
      this.busyPauses = 0;
      return;
    }
    this.isWanted = false;
    const pauseMs = Math.min(this.leastMs * 2 ** Math.max(0, ++this.busyPauses - SHORT_PAUSES), this.mostMs);
    this.timer = setTimeout(() => this.run(), pauseMs).unref();
    this.work();
  }
}
