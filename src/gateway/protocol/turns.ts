/** Lets a few pieces of work go on at once; others wait for their turn, in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many at once */
  constructor(private free: number) {}

  /** @throws what the work throws */
  async take<T>(work: () => Promise<T>): Promise<T> {
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
