import { LRUCache } from 'lru-cache';

const MAX_KEYS = 10_000;

/** How often each key may do something within a period, in this process. Bounded: rare keys are forgotten first. */
export class Allowance {
  private readonly counts: LRUCache<string, { count: number }>;

  /** @param ms the period, which begins with the first time */
  constructor(
    private readonly most: number,
    ms: number,
  ) {
    this.counts = new LRUCache({ max: MAX_KEYS, ttl: ms });
  }

  /** @returns whether the key may once more; counts it */
  admits(key: string): boolean {
    const entry = this.counts.get(key) ?? { count: 0 };
    if (entry.count === 0) this.counts.set(key, entry);
    entry.count += 1;
    return entry.count <= this.most;
  }
}
