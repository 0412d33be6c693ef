import * as fc from 'fast-check';
import { AskedTogether } from './asked-together';
import { DatabaseDeadline, databaseDeadline, inRequest } from './deadline';

/** Answers each question with its letters in reverse, and notes what was asked together. */
function reversing(groups: string[][]) {
  return (questions: readonly string[]): Promise<string[]> => {
    groups.push([...questions]);
    return Promise.resolve(questions.map((question) => [...question].reverse().join('')));
  };
}

describe('What several requests ask', () => {
  it('in one turn of the event loop is asked together, and each gets its own answer', async () => {
    const groups: string[][] = [];
    const together = new AskedTogether(reversing(groups), 10);
    expect(await Promise.all(['ab', 'cd', 'ef'].map((question) => together.ask(question)))).toEqual(['ba', 'dc', 'fe']);
    expect(await together.ask('gh')).toBe('hg');
    expect(groups).toEqual([['ab', 'cd', 'ef'], ['gh']]);
  });

  it('is asked in several parts where it is too much for one', async () => {
    const groups: string[][] = [];
    const together = new AskedTogether(reversing(groups), 2);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((question) => together.ask(question)));
    expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has no answer where none is given', async () => {
    const together = new AskedTogether(
      (questions: readonly string[]) => Promise.resolve(questions.map(() => undefined)),
      9,
    );
    expect(await Promise.all([together.ask('a'), together.ask('b')])).toEqual([undefined, undefined]);
  });

  it('fails for all who asked together, and for nobody else', async () => {
    const failures = [new Error('The connection was lost.')];
    const together = new AskedTogether((questions: readonly string[]) => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve(questions);
    }, 9);
    const first = await Promise.allSettled([together.ask('a'), together.ask('b')]);
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await together.ask('c')).toBe('c');
  });

  it('is never answered from before it was asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('ask', 'change', 'turn', 'answer'), { maxLength: 60 }),
        async (steps) => {
          let version = 0;
          const underWay: (() => void)[] = [];
          const together = new AskedTogether((questions: readonly number[]) => {
            // What a statement sees is decided when it begins, though its answer may take long.
            const seen = version;
            return new Promise<number[]>((resolve) => underWay.push(() => resolve(questions.map(() => seen))));
          }, 3);
          const asked: Promise<boolean>[] = [];
          for (const step of steps) {
            const atLeast = version;
            if (step === 'ask') asked.push(together.ask(atLeast).then((seen) => seen !== undefined && seen >= atLeast));
            else if (step === 'change') version += 1;
            else if (step === 'turn') await new Promise(setImmediate);
            else underWay.shift()?.();
          }
          await new Promise(setImmediate);
          for (const answer of underWay) answer();
          expect(await Promise.all(asked)).not.toContain(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has the time of one request, though the client of the first has gone', async () => {
    let isGone = false;
    let remaining: number | undefined;
    const together = new AskedTogether((questions: readonly string[]) => {
      remaining = databaseDeadline()?.remainingAt(performance.now());
      return Promise.resolve(questions);
    }, 9);
    const asked = inRequest('first', new DatabaseDeadline(4_000, () => isGone), () => together.ask('a'));
    isGone = true;
    await asked;
    expect(remaining).toBeGreaterThan(3_000);
    expect(remaining).toBeLessThanOrEqual(4_000);
  });

  describe('with a database that takes its time', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('counts for each of them as time that it has spent on the database', async () => {
      const deadlines = [new DatabaseDeadline(4_000, () => false), new DatabaseDeadline(4_000, () => false)];
      const together = new AskedTogether(
        (questions: readonly string[]) =>
          new Promise<readonly string[]>((resolve) => setTimeout(() => resolve(questions), 1_500)),
        9,
      );
      const asked = deadlines.map((deadline) => inRequest('of-the-test', deadline, () => together.ask('a')));
      await jest.advanceTimersByTimeAsync(1_500);
      await Promise.all(asked);
      for (const deadline of deadlines) expect(deadline.remainingAt(performance.now())).toBe(2_500);
    });
  });
});
