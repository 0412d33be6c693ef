/** A queue with a bound: what does not fit drives out the oldest. */
export class Ring<T> {
  private items: (T | undefined)[] = [];
  private first = 0;
  private count = 0;

  /** @param most items that it holds */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.count;
  }

  /** @returns whether the oldest item was driven out */
  push(item: T): boolean {
    const isFull = this.count === this.most;
    this.items[(this.first + this.count) % this.most] = item;
    if (isFull) this.first = (this.first + 1) % this.most;
    else this.count += 1;
    return isFull;
  }

  /** Takes out the oldest items. @param most of them */
  take(most: number): T[] {
    const taken: T[] = [];
    while (this.count > 0 && taken.length < most) {
      taken.push(this.items[this.first] as T);
      this.items[this.first] = undefined;
      this.first = (this.first + 1) % this.most;
      this.count -= 1;
    }
    // Not kept as large as it once was.
    if (this.count === 0) {
      this.items = [];
      this.first = 0;
    }
    return taken;
  }
}
