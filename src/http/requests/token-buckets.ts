/** How fast a bucket fills, and how much it holds. */
export interface BucketRate {
  /** Tokens in a minute, of all replicas together. */
  perMinute: number;
  /** What a full bucket holds, of all replicas together. */
  burst: number;
}

/** Kept as an object, so that a request changes a number in place: no second look-up, nothing to allocate. */
interface Bucket {
  mark: number;
}

/** Buckets that a newcomer has looked at for one to forget. A handful, so that a request costs the same always. */
const LOOKS = 16;

/**
 * Token buckets by key, in this process: each replica has its share of the rate and of the burst.
 *
 * A bucket is one number, its mark: it holds `granted - mark` tokens, at most `capacity`. `granted` is what every bucket
 * was granted since the start, so nothing has to be refilled, and a new number of replicas changes only how fast it
 * grows. Where the share of the burst grows, the capacity follows no faster than tokens are granted: otherwise a replica
 * that leaves would fill the full buckets of the others further at once.
 *
 * The table is bounded. It forgets only buckets that are full, which loses nothing: a key that is not in the table has a
 * full one. So nobody can have an empty bucket forgotten by filling the table with other keys. While the table is full of
 * buckets in use, newcomers share one bucket, and who gets one of their own later begins with what was left in that. To
 * keep the table full, someone needs to be granted (size × rate) requests a second, each from another network.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private hand = this.buckets.entries();
  /** The mark of those who find no place. */
  private newcomers = -Infinity;
  private granted = 0;
  private at: number;
  private shares = 1;
  private share: number;
  private capacity: number;
  private readonly perMs: number;
  private readonly burst: number;

  /**
   * @param most keys with a bucket of their own
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    { perMinute, burst }: BucketRate,
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.perMs = perMinute / 60_000;
    this.share = this.capacity = burst;
    this.burst = burst;
    this.at = now();
  }

  /** Keys with a bucket of their own. */
  get size(): number {
    return this.buckets.size;
  }

  /** What a full bucket holds in this process now. */
  get full(): number {
    return this.capacity;
  }

  /**
   * Takes a token, or several at once.
   *
   * @param replicas that share the rate, this one included
   * @param at of the same clock, if the caller has read it already; one a little back counts as the latest one seen
   * @param wanted how many tokens; more than a full bucket holds are all that it holds
   * @returns how many are left; undefined if there were too few, and then nothing was taken
   */
  take(key: string, replicas: number, at = this.now(), wanted = 1): number | undefined {
    this.advance(replicas, at);
    const bucket = this.buckets.get(key);
    const left = this.leftIn(bucket);
    const cost = wanted === 1 ? 1 : Math.max(1, Math.min(wanted, this.capacity));
    if (left < cost) return undefined;
    const mark = this.granted - left + cost;
    if (bucket) bucket.mark = mark;
    else if (this.hasRoom()) this.buckets.set(key, { mark });
    else this.newcomers = mark;
    return left - cost;
  }

  /** @returns how many tokens there are; fewer than 1: `take` would refuse */
  left(key: string, replicas: number): number {
    this.advance(replicas);
    return this.leftIn(this.buckets.get(key));
  }

  /** @returns whether the key has a bucket of its own that is not full */
  isWorn(key: string, replicas: number): boolean {
    this.advance(replicas);
    const bucket = this.buckets.get(key);
    return bucket !== undefined && this.leftIn(bucket) < this.capacity;
  }

  /** @returns whole seconds until the key has so many tokens, or a full bucket, at the present number of replicas; at least 1 */
  secondsUntil(tokens: number, key: string, replicas: number): number {
    const left = this.left(key, replicas);
    // Below 1 nothing passes.
    const missing = Math.max(1, Math.min(tokens, this.capacity)) - left;
    return Math.max(1, Math.ceil((missing * this.shares) / this.perMs / 1_000));
  }

  private leftIn(bucket: Bucket | undefined): number {
    const left = this.granted - (bucket === undefined ? this.newcomers : bucket.mark);
    // A billionth, because the sum of many small grants is not exact.
    return Math.min(this.capacity, left + 1e-9);
  }

  /** @param told replicas that share the rate; none is a mistake that must not stop everything */
  private advance(told: number, at = this.now()): void {
    const replicas = Math.max(1, told);
    const now = Math.max(this.at, at);
    // What has passed was granted at the former share.
    const grant = ((now - this.at) * this.perMs) / this.shares;
    this.at = now;
    this.granted += grant;
    if (replicas !== this.shares) {
      this.shares = replicas;
      // Below 1 nothing would ever pass.
      this.share = Math.max(1, this.burst / replicas);
    }
    this.capacity = Math.min(this.share, this.capacity + grant);
  }

  /** Forgets some full buckets. @returns whether there is room for another one */
  private hasRoom(): boolean {
    for (let looks = 0; looks < LOOKS; looks++) {
      const { value, done } = this.hand.next();
      if (done) {
        this.hand = this.buckets.entries();
        break;
      }
      if (this.granted - value[1].mark >= this.capacity) this.buckets.delete(value[0]);
    }
    return this.buckets.size < this.most;
  }
}
