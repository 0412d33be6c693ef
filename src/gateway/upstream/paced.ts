/**
 * Does something at once, but not again before a pause is over; then once for all that came in it. The pause doubles each
 * time that something came in it, and is short again after one in which nothing did.
 */
export class Paced {
  private timer?: NodeJS.Timeout;
  private isWanted = false;
  private pauseMs: number;

  constructor(
    private readonly leastMs: number,
    private readonly mostMs: number,
    private readonly work: () => void,
  ) {
    this.pauseMs = leastMs;
  }

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
      this.pauseMs = this.leastMs;
      return;
    }
    this.isWanted = false;
    this.timer = setTimeout(() => this.run(), this.pauseMs).unref();
    this.pauseMs = Math.min(this.pauseMs * 2, this.mostMs);
    this.work();
  }
}
