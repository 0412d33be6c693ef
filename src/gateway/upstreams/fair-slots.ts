/** Work that has no slot yet. */
interface QueuedWork {
  readonly owners: ReadonlySet<string>;
  readonly begin: (owner: string) => void;
}

/**
 * Runs a few pieces of work at the same time. A free slot goes to the owner who has the fewest, and among these to the one who
 * waits longest for a turn: however much someone sends, others wait for what runs, and not for what they have waiting.
 */
export class FairSlots {
  /** In the order in which they came. */
  private readonly waiting = new Set<QueuedWork>();
  private readonly running = new Map<string, number>();
  /** When owners last had a turn; forgotten once nothing waits or runs of them. */
  private readonly turns = new Map<string, number>();
  private turn = 0;
  private taken = 0;

  /**
   * @param all how many run at the same time
   * @param leavesRoom whether one owner has at most as many as are still free: the first half of them, the next half of the rest
   */
  constructor(
    private readonly all: number,
    private readonly leavesRoom = false,
  ) {}

  /** How many are free now. */
  get free(): number {
    return Math.max(0, this.all - this.taken);
  }

  /**
   * @param owners whose turn it can be; more may be added while it waits
   * @throws what the work throws
   */
  async run<T>(owners: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    const owner = await new Promise<string>((begin) => {
      this.waiting.add({ owners, begin });
      this.fill();
    });
    try {
      return await work();
    } finally {
      this.leave(owner);
    }
  }

  /** Runs work that has seen a free slot a moment ago. It takes one at once, if need be one too many. */
  async runNow<T>(work: () => Promise<T>): Promise<T> {
    this.taken++;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private leave(owner?: string): void {
    this.taken--;
    if (owner !== undefined) {
      const left = this.runningOf(owner) - 1;
      if (left > 0) this.running.set(owner, left);
      else this.running.delete(owner);
    }
    this.fill();
  }

  private fill(): void {
    for (let next = this.next(); next; next = this.next()) {
      const { waiting, owner } = next;
      this.waiting.delete(waiting);
      this.taken++;
      this.running.set(owner, this.runningOf(owner) + 1);
      this.turns.set(owner, ++this.turn);
      waiting.begin(owner);
    }
    if (this.waiting.size > 0) return;
    for (const owner of this.turns.keys()) if (!this.running.has(owner)) this.turns.delete(owner);
  }

  private next(): { waiting: QueuedWork; owner: string } | undefined {
    if (this.free === 0) return undefined;
    let best: { waiting: QueuedWork; owner: string; count: number; turn: number } | undefined;
    for (const waiting of this.waiting)
      for (const owner of waiting.owners) {
        const [count, turn] = [this.runningOf(owner), this.turns.get(owner) ?? 0];
        if (this.leavesRoom && count >= this.free) continue;
        if (!best || count < best.count || (count === best.count && turn < best.turn))
          best = { waiting, owner, count, turn };
      }
    return best;
  }

  private runningOf(owner: string): number {
    return this.running.get(owner) ?? 0;
  }
}
