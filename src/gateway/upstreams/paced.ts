/** As often as something may come in a row before the pause grows: a server may change its lists a few times at once. */
const SHORT_PAUSES = 4;

/**
 * Does something at once, but not again before a pause is over; then once for all that came in it. After a few pauses in a row
 * in which something came, each is twice as long as the one before; after one in which nothing did, they are short again.
 */
export class Paced {
  private timer?: NodeJS.Timeout;
  private isWanted = false;
  /** How many pauses in a row something came in. */
  private inRow = 0;

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
      this.inRow = 0;
      return;
    }
    this.isWanted = false;
    const pauseMs = Math.min(this.leastMs * 2 ** Math.max(0, ++this.inRow - SHORT_PAUSES), this.mostMs);
    this.timer = setTimeout(() => this.run(), pauseMs).unref();
    this.work();
  }
}
