import { ConcurrencyLimit } from './concurrency-limit';

describe('ConcurrencyLimit', () => {
  it('let so many go on at once, and the others in their order', async () => {
    const turns = new ConcurrencyLimit(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((n) =>
      turns.run(() => {
        begun.push(n);
        return new Promise<void>((resolve, reject) => {
          ends[n] = n === 1 ? () => reject(new Error('failed')) : resolve;
        });
      }),
    );
    all[1]?.catch(() => undefined);
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await expect(all[1]).rejects.toThrow('failed');
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    ends[2]?.();
    await new Promise(setImmediate);
    ends[3]?.();
    await Promise.all([all[0], all[2], all[3]]);
    expect(begun).toEqual([0, 1, 2, 3]);
    expect(await turns.run(() => Promise.resolve('free'))).toBe('free');
  });
});
