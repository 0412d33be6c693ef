import fc from 'fast-check';
import { type BucketRate, TokenBuckets } from './token-buckets';

/** What happens next: time passes, the number of replicas changes, or somebody asks. */
type Step = { ms: number } | { replicas: number } | { key: string };

const rates = fc.record({ perMinute: fc.integer({ min: 1, max: 6_000 }), burst: fc.integer({ min: 1, max: 50 }) });
const keys = fc.constantFrom(...'abcdefgh');
const ask = fc.record({ key: keys });
const wait = fc.record({ ms: fc.integer({ min: 0, max: 30_000 }) });
const change = fc.record({ replicas: fc.integer({ min: 1, max: 8 }) });
const steps = fc.array(fc.oneof({ weight: 8, arbitrary: ask }, { weight: 2, arbitrary: wait }, change), {
  minLength: 20,
  maxLength: 300,
});

/** Buckets with a clock of their own. */
class Scene {
  time = 0;
  replicas = 1;
  readonly buckets: TokenBuckets;

  constructor(
    readonly rate: BucketRate,
    most = 1_000,
  ) {
    this.buckets = new TokenBuckets(rate, most, () => this.time);
  }

  /** @returns whether the key was admitted; undefined if the step was not to ask */
  do(step: Step): boolean | undefined {
    if ('ms' in step) this.time += step.ms;
    else if ('replicas' in step) this.replicas = step.replicas;
    else return this.take(step.key);
    return undefined;
  }

  take(key: string): boolean {
    return this.buckets.take(key, this.replicas) !== undefined;
  }

  left(key: string): number {
    return this.buckets.left(key, this.replicas);
  }

  /** @returns how often the key is admitted now */
  drain(key: string): number {
    let taken = 0;
    while (this.take(key)) taken++;
    return taken;
  }
}

/** @returns by how much a key exceeds its rate in some period that begins with the first admission */
function excessFrom({ perMinute, burst }: BucketRate, admitted: readonly { key: string; at: number }[]): number {
  const own = admitted.filter(({ key }) => key === admitted[0]?.key);
  return Math.max(...own.map(({ at }, n) => n + 1 - burst - ((at - (own[0]?.at ?? 0)) * perMinute) / 60_000));
}

describe('Token buckets', () => {
  it('admit a burst, and then as many as the rate says', () => {
    const scene = new Scene({ perMinute: 60, burst: 5 });
    expect(scene.drain('a')).toBe(5);
    scene.time += 3_000;
    expect(scene.drain('a')).toBe(3);
    scene.time += 3_600_000;
    expect(scene.drain('a')).toBe(5);
  });

  it('never admit more than the burst and the rate, in any period, for any order of keys, however small the table', () => {
    fc.assert(
      fc.property(rates, steps, fc.integer({ min: 1, max: 8 }), (rate, all, most) => {
        const scene = new Scene(rate, most);
        const admitted: { key: string; at: number }[] = [];
        for (const step of all) {
          if (scene.do(step) && 'key' in step) admitted.push({ key: step.key, at: scene.time });
        }
        const excess = Math.max(0, ...admitted.map((_, index) => excessFrom(rate, admitted.slice(index))));
        expect(excess).toBeLessThan(1e-6);
      }),
      { numRuns: 200 },
    );
  });

  it('share the rate and the burst: replicas together admit no more than one would', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 120_000 }), (rate, count, ms) => {
        // Where the share of the burst is below 1, it counts as 1.
        fc.pre(rate.burst >= count);
        const replicas = Array.from({ length: count }, () => new Scene(rate));
        let admitted = 0;
        for (const replica of replicas) {
          replica.replicas = count;
          admitted += replica.drain('a');
          replica.time += ms;
          admitted += replica.drain('a');
        }
        expect(admitted).toBeLessThanOrEqual(rate.burst + Math.min(rate.burst, (ms * rate.perMinute) / 60_000) + 1e-6);
      }),
    );
  });

  it('are not refilled by a change of the number of replicas, nor faster after it', () => {
    fc.assert(
      fc.property(rates, steps, change, wait, (rate, before, { replicas }, { ms }) => {
        const scene = new Scene(rate);
        for (const step of before) scene.do(step);
        const left = scene.left('a');
        scene.replicas = replicas;
        expect(scene.left('a')).toBeLessThanOrEqual(left + 1e-6);
        scene.time += ms;
        expect(scene.left('a')).toBeLessThanOrEqual(left + (ms * rate.perMinute) / 60_000 / replicas + 1e-6);
      }),
    );
  });

  it('fill up to the whole burst again after other replicas have left', () => {
    const scene = new Scene({ perMinute: 60, burst: 10 });
    scene.replicas = 5;
    expect(scene.drain('a')).toBe(2);
    scene.replicas = 1;
    expect(scene.drain('b')).toBe(2);
    scene.time += 10_000;
    expect(scene.drain('a')).toBe(10);
  });

  it('grant nothing twice to requests whose times are out of order', () => {
    fc.assert(
      fc.property(
        rates,
        fc.array(fc.tuple(keys, fc.integer({ min: 0, max: 60_000 })), { minLength: 2 }),
        (rate, asks) => {
          const [told, ordered] = [new TokenBuckets(rate, 1_000, () => 0), new TokenBuckets(rate, 1_000, () => 0)];
          let latest = 0;
          for (const [key, at] of asks) {
            latest = Math.max(latest, at);
            expect(told.take(key, 1, at)).toBe(ordered.take(key, 1, latest));
          }
        },
      ),
    );
  });

  it('take several tokens at once or none, and never more than a full bucket holds', () => {
    fc.assert(
      fc.property(rates, steps, fc.integer({ min: 1, max: 100 }), (rate, before, wanted) => {
        const scene = new Scene(rate);
        for (const step of before) scene.do(step);
        const left = scene.left('a');
        const cost = Math.max(1, Math.min(wanted, scene.buckets.full));
        const after = scene.buckets.take('a', scene.replicas, undefined, wanted);
        if (left < cost) expect([after, scene.left('a')]).toEqual([undefined, left]);
        else expect(after).toBeCloseTo(left - cost, 6);
        if (after !== undefined) return;
        scene.time += scene.buckets.secondsUntil(cost, 'a', scene.replicas) * 1_000;
        expect(scene.buckets.take('a', scene.replicas, undefined, cost)).toBeDefined();
      }),
    );
  });

  it('say how long to wait, and not a second more', () => {
    fc.assert(
      fc.property(rates, steps, (rate, before) => {
        const scene = new Scene(rate);
        for (const step of before) scene.do(step);
        scene.drain('a');
        const seconds = scene.buckets.secondsUntil(1, 'a', scene.replicas);
        scene.time += (seconds - 1) * 1_000;
        const isEarly = seconds > 1 && scene.left('a') >= 1;
        scene.time += 1_000;
        expect([isEarly, scene.take('a')]).toEqual([false, true]);
      }),
    );
  });

  it('are forgotten when they are full again, so that a flood of keys leaves nothing behind', () => {
    const scene = new Scene({ perMinute: 60, burst: 10 }, 500);
    for (let n = 0; n < 5_000; n++) {
      expect(scene.take(`flood ${n}`)).toBe(true);
      scene.time += 10;
    }
    // One token a second: about a hundred are not full at any time.
    expect(scene.buckets.size).toBeLessThan(250);
  });

  it('are never forgotten while they are empty, whatever fills the table', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 500 }), (most, flood) => {
        const scene = new Scene({ perMinute: 1, burst: 3 }, most);
        const drained = scene.drain('victim');
        for (let n = 0; n < flood; n++) scene.take(`flood ${n}`);
        expect([drained, scene.take('victim'), scene.buckets.size <= most]).toEqual([3, false, true]);
      }),
    );
  });

  it('are shared by newcomers while the table is full of buckets in use', () => {
    const scene = new Scene({ perMinute: 60, burst: 3 }, 2);
    scene.drain('a');
    scene.drain('b');
    expect([scene.drain('c'), scene.drain('d')]).toEqual([3, 0]);
    scene.time += 3_000;
    expect([scene.drain('a'), scene.drain('b')]).toEqual([3, 3]);
    expect([scene.drain('e'), scene.drain('f')]).toEqual([3, 0]);
    scene.time += 60_000;
    expect([scene.drain('c'), scene.drain('d')]).toEqual([3, 3]);
  });
});
