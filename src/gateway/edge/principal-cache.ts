import { LRUCache } from 'lru-cache';

/** How much is kept, in whatever `sizeOf` counts. */
export interface CacheBounds<V> {
  readonly all: number;
  /** One principal has at most so much. */
  readonly each: number;
  /** Milliseconds. */
  readonly ttl: number;
  readonly sizeOf: (value: V) => number;
}

interface CachedValue<V> {
  readonly principal: string;
  readonly size: number;
  readonly value: V;
}

interface Share {
  size: number;
  /** The oldest first. */
  readonly keys: Set<string>;
}

/** What principals leave in the memory of this process. Each has a share of it: who leaves more drives out their own. */
export class PrincipalCache<V> {
  private readonly kept: LRUCache<string, CachedValue<V>>;
  private readonly shares = new Map<string, Share>();

  constructor(private readonly bounds: CacheBounds<V>) {
    this.kept = new LRUCache({
      maxSize: bounds.all,
      sizeCalculation: ({ size }) => size,
      ttl: bounds.ttl,
      dispose: (kept, key) => this.forget(key, kept),
    });
  }

  has(key: string): boolean {
    return this.kept.has(key);
  }

  get(key: string): V | undefined {
    return this.kept.get(key)?.value;
  }

  set(key: string, principal: string, value: V): void {
    this.kept.delete(key);
    const { each, sizeOf } = this.bounds;
    const size = sizeOf(value);
    if (size > each) return;
    for (const oldest of this.shares.get(principal)?.keys ?? []) {
      if ((this.shares.get(principal)?.size ?? 0) + size <= each) break;
      this.kept.delete(oldest);
    }
    this.kept.set(key, { principal, size, value });
    const share = this.shares.get(principal) ?? { size: 0, keys: new Set() };
    share.size += size;
    share.keys.add(key);
    this.shares.set(principal, share);
  }

  delete(key: string): void {
    this.kept.delete(key);
  }

  private forget(key: string, { principal, size }: CachedValue<V>): void {
    const share = this.shares.get(principal);
    if (!share?.keys.delete(key)) return;
    share.size -= size;
    if (share.keys.size === 0) this.shares.delete(principal);
  }
}
