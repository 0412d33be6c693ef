import * as fc from 'fast-check';
import { QueryBatcher } from './query-batcher';
import { DatabaseDeadline, databaseDeadline, inRequest } from './deadline';

/** Answers each question with its letters in reverse, and notes what was asked together. */
function reversing(groups: string[][]) {
  return (questions: readonly string[]): Promise<string[]> => {
    groups.push([...questions]);
    return Promise.resolve(questions.map((question) => [...question].reverse().join('')));
  };
}

async function turn<T>(value: T): Promise<T> {
  await new Promise(setImmediate);
  return value;
}

describe('What several requests ask', () => {
  it('in one turn of the event loop is asked together, and each gets its own answer', async () => {
    const groups: string[][] = [];
    const together = new QueryBatcher(reversing(groups), 10);
    expect(await Promise.all(['ab', 'cd', 'ef'].map((question) => together.ask(question)))).toEqual(['ba', 'dc', 'fe']);
    expect(await together.ask('gh')).toBe('hg');
    expect(groups).toEqual([['ab', 'cd', 'ef'], ['gh']]);
  });

  it('is asked in several parts where it is too much for one', async () => {
    const groups: string[][] = [];
    const together = new QueryBatcher(reversing(groups), 2);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((question) => together.ask(question)));
    expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has no answer where none is given', async () => {
    const together = new QueryBatcher(
      (questions: readonly string[]) => Promise.resolve(questions.map(() => undefined)),
      9,
    );
    expect(await Promise.all([together.ask('a'), together.ask('b')])).toEqual([undefined, undefined]);
  });

  it('fails for all who asked together, and for nobody else', async () => {
    const failures = [new Error('The connection was lost.')];
    const together = new QueryBatcher((questions: readonly string[]) => {
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
        fc.constantFrom(0, 1, 1_000),
        async (steps, patienceMs) => {
          let version = 0;
          const underWay: (() => void)[] = [];
          const together = new QueryBatcher(
            (questions: readonly number[]) => {
              // What a statement sees is decided when it begins, though its answer may take long.
              const seen = version;
              return new Promise<number[]>((resolve) => underWay.push(() => resolve(questions.map(() => seen))));
            },
            3,
            patienceMs,
          );
          const asked: Promise<boolean>[] = [];
          for (const step of steps) {
            const atLeast = version;
            if (step === 'ask') asked.push(together.ask(atLeast).then((seen) => seen !== undefined && seen >= atLeast));
            else if (step === 'change') version += 1;
            else if (step === 'turn') await new Promise(setImmediate);
            else underWay.shift()?.();
          }
          await new Promise(setImmediate);
          const all = Promise.all(asked);
          for (let isDone = false; !isDone; isDone = await Promise.race([all.then(() => true), turn(false)])) {
            for (const answer of underWay.splice(0)) answer();
          }
          expect(await all).not.toContain(false);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('has the time of one request, though the client of the first has gone', async () => {
    let isGone = false;
    let remaining: number | undefined;
    const together = new QueryBatcher((questions: readonly string[]) => {
      remaining = databaseDeadline()?.remainingAt(performance.now());
      return Promise.resolve(questions);
    }, 9);
    const asked = inRequest('first', new DatabaseDeadline(4_000, () => isGone), () => together.ask('a'));
    isGone = true;
    await asked;
    expect(remaining).toBeGreaterThan(3_000);
    expect(remaining).toBeLessThanOrEqual(4_000);
  });

  describe('while a statement runs', () => {
    const asked: string[][] = [];
    let answers: (() => void)[];
    let together: QueryBatcher<string, string>;

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
      asked.length = 0;
      answers = [];
      const askAll = (questions: readonly string[]) => {
        asked.push([...questions]);
        return new Promise<readonly string[]>((resolve) => answers.push(() => resolve(questions)));
      };
      together = new QueryBatcher(askAll, 9, 10);
    });

    afterEach(() => void jest.useRealTimers());

    const ask = async (...questions: string[]) => {
      const answered = Promise.all(questions.map((question) => together.ask(question)));
      await turn(undefined);
      return answered;
    };

    it('waits for its end, and is asked by the next one together', async () => {
      const first = ask('a', 'b');
      await turn(undefined);
      const others = [ask('c'), ask('d')];
      await turn(undefined);
      expect(asked).toEqual([['a', 'b']]);
      answers[0]?.();
      await first;
      expect(asked).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ]);
      answers[1]?.();
      expect(await Promise.all(others)).toEqual([['c'], ['d']]);
    });

    it('does not wait for one that is stuck for longer than its patience', async () => {
      const stuck = ask('a');
      await turn(undefined);
      const other = ask('b');
      await turn(undefined);
      await jest.advanceTimersByTimeAsync(9);
      expect(asked).toEqual([['a']]);
      await jest.advanceTimersByTimeAsync(1);
      expect(asked).toEqual([['a'], ['b']]);
      answers[1]?.();
      expect(await other).toEqual(['b']);
      answers[0]?.();
      expect(await stuck).toEqual(['a']);
    });

    it('has its own time, and not that of the request whose statement ends', async () => {
      const deadlines: (DatabaseDeadline | undefined)[] = [];
      const own = new QueryBatcher(
        (questions: readonly string[]) => {
          deadlines.push(databaseDeadline());
          return new Promise<readonly string[]>((resolve) => answers.push(() => resolve(questions)));
        },
        9,
        10,
      );
      const of = (milliseconds: number) =>
        inRequest('of-the-test', new DatabaseDeadline(milliseconds, () => false), () => own.ask('a'));
      const first = of(1_000);
      await turn(undefined);
      const second = of(4_000);
      await turn(undefined);
      answers[0]?.();
      await first;
      answers[1]?.();
      await second;
      const remaining = deadlines.map((deadline) => deadline?.remainingAt(performance.now()) ?? 0);
      expect(remaining[0]).toBeLessThanOrEqual(1_000);
      expect(remaining[1]).toBeGreaterThan(3_000);
    });
  });

  describe('with a database that takes its time', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('counts for each of them as time that it has spent on the database', async () => {
      const deadlines = [new DatabaseDeadline(4_000, () => false), new DatabaseDeadline(4_000, () => false)];
      const together = new QueryBatcher(
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
