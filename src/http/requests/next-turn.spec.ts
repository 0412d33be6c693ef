import { setImmediate } from 'node:timers/promises';
import { nextTurn, PieceQueue } from './next-turn';

describe('Long work', () => {
  it('is done one piece in each turn of the event loop, however many requests have some', async () => {
    const pieces: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let n = 0; n < 3; n++) {
        await nextTurn();
        pieces.push(name);
      }
    };
    const done = Promise.all(['a', 'b', 'c'].map(work));
    const counts: number[] = [];
    while (pieces.length < 9) {
      await setImmediate();
      counts.push(pieces.length);
    }
    await done;
    const steps = counts.map((count, turn) => count - (counts[turn - 1] ?? 0));
    expect(Math.max(...steps)).toBe(1);
    // Each gets its turn after the others.
    expect(pieces.join('')).toBe('abcabcabc');
  });

  it.each([
    [0, false],
    [1, false],
    [1, true],
  ])('ends, of one request and of several, with a rest of %d ms between pieces (alone: %s)', async (restMs, alone) => {
    const queue = new PieceQueue(restMs, alone);
    const work = async (): Promise<void> => {
      for (let n = 0; n < 5; n++) await queue.next();
    };
    await work();
    await Promise.all([work(), work()]);
    await work();
  });
});
