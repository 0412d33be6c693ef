/** Runs a few pieces of work at the same time; the others wait, in the order in which they came. */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many run at the same time */
  constructor(private free: number) {}

  /** @throws what the work throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
