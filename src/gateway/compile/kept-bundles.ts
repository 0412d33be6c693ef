import { LRUCache } from 'lru-cache';
import type { CompiledBundle } from './compiled-bundle';

/** For compiled bundles in this process; bytes. */
const MAX_BYTES = 67_108_864;
/** Who has more than this of it loses theirs first. */
const MAX_SHARE = MAX_BYTES / 4;

/** A compiled bundle in memory. */
export interface KeptBundle {
  readonly bundle: CompiledBundle;
  readonly isWhole: boolean;
  /** This is a time of `performance.now()`. */
  readonly at: number;
}

type Entry = KeptBundle & { readonly owner: string; readonly size: number };

/**
 * Compiled bundles in the memory of this process, those that were used last. Where they do not fit, bundles go that someone has
 * beyond a quarter of it: however many a person compiles, those of others stay.
 */
export class KeptBundles {
  private readonly kept = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => size,
    dispose: ({ owner, size }) => this.add(owner, -size),
  });
  private readonly shares = new Map<string, number>();

  /** What they take, about. */
  get bytes(): number {
    return this.kept.calculatedSize;
  }

  get(key: string): KeptBundle | undefined {
    return this.kept.get(key);
  }

  /** @param owner who has compiled it */
  set(key: string, owner: string, kept: KeptBundle): void {
    this.kept.delete(key);
    const size = kept.bundle.bytes + key.length;
    if (size > MAX_BYTES) return;
    this.add(owner, size);
    if (this.bytes + size > MAX_BYTES) this.makeRoom(size);
    this.kept.set(key, { ...kept, owner, size });
  }

  delete(key: string): void {
    this.kept.delete(key);
  }

  /** @param upstreamId undefined: forgets all of them */
  forgetOf(upstreamId: string | undefined): void {
    for (const [key, { bundle }] of [...this.kept.entries()])
      if (upstreamId === undefined || bundle.entries.some(({ upstream }) => upstream?.id === upstreamId))
        this.kept.delete(key);
  }

  /** Removes the bundles of those above their share that were used longest ago; the cache itself removes others. */
  private makeRoom(size: number): void {
    for (const key of [...this.kept.rkeys()]) {
      if (this.bytes + size <= MAX_BYTES) return;
      const { owner } = this.kept.peek(key) ?? {};
      if (owner !== undefined && (this.shares.get(owner) ?? 0) > MAX_SHARE) this.kept.delete(key);
    }
  }

  private add(owner: string, size: number): void {
    const share = (this.shares.get(owner) ?? 0) + size;
    if (share > 0) this.shares.set(owner, share);
    else this.shares.delete(owner);
  }
}
