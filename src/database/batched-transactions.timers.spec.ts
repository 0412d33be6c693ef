import { AuthenticationError, ErrorCode } from '../errors/errors';
import { DatabaseDeadline, inRequest } from './deadline';
import { BatchedTransactions } from './batched-transactions';

/** Makes the changes of groups when told to; of each, all that begin with "x" have to be made alone. */
class ControlledBatches {
  readonly together: string[][] = [];
  readonly alone: string[] = [];
  failure: Error | undefined;
  private readonly waiting: (() => void)[] = [];
  readonly shared = new BatchedTransactions<string, string>({
    together: async (_first, close) => {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
      if (this.failure?.message === 'never began') throw this.failure;
      const changes = [...close()];
      this.together.push(changes);
      if (this.failure) throw this.failure;
      return changes.map((change) => (change.startsWith('x') ? undefined : `${change} together`));
    },
    alone: (change) => {
      this.alone.push(change);
      return Promise.resolve(`${change} alone`);
    },
  });

  make(...changes: string[]): Promise<PromiseSettledResult<string>[]> {
    return Promise.allSettled(changes.map((change) => this.shared.make('a key', change)));
  }

  /** Lets the groups that wait begin. */
  async go(): Promise<void> {
    await new Promise(setImmediate);
    for (const begin of this.waiting.splice(0)) begin();
  }
}

const texts = (results: PromiseSettledResult<string>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message));

describe('Changes that wait for the same lock', () => {
  let batches: ControlledBatches;

  beforeEach(() => {
    batches = new ControlledBatches();
  });

  it('take it together, and those that come later take the next one', async () => {
    const first = batches.make('a', 'b');
    await batches.go();
    const second = batches.make('c');
    await batches.go();
    expect(texts(await first)).toEqual(['a together', 'b together']);
    expect(texts(await second)).toEqual(['c together']);
    expect(batches.together).toEqual([['a', 'b'], ['c']]);
  });

  it('of different keys do not', async () => {
    const both = Promise.all([batches.shared.make('one', 'a'), batches.shared.make('other', 'b')]);
    await batches.go();
    expect(await both).toEqual(['a together', 'b together']);
    expect(batches.together).toEqual([['a'], ['b']]);
  });

  it('are at most 25', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `${n}`);
    const results = batches.make(...names);
    await batches.go();
    expect(texts(await results)).toEqual(names.map((name, n) => `${name} ${n < 25 ? 'together' : 'alone'}`));
  });

  it('that have to be made alone are, and so are the next twenty', async () => {
    const first = batches.make('a', 'xb', 'c');
    await batches.go();
    expect(texts(await first)).toEqual(['a together', 'xb alone', 'c together']);
    const names = Array.from({ length: 20 }, (_, n) => `${n}`);
    expect(texts(await batches.make(...names))).toEqual(names.map((name) => `${name} alone`));
    const after = batches.make('d');
    await batches.go();
    expect(texts(await after)).toEqual(['d together']);
  });

  it('fail together if the reason concerns all of them', async () => {
    batches.failure = new AuthenticationError(ErrorCode.InvalidToken, 'all');
    const results = batches.make('a', 'b');
    await batches.go();
    expect(texts(await results)).toEqual(['all', 'all']);
    expect(batches.alone).toEqual([]);
  });

  it('are tried alone if it may be that of another', async () => {
    batches.failure = new Error('one');
    const results = batches.make('a', 'b');
    await batches.go();
    expect(texts(await results)).toEqual(['a alone', 'b alone']);
  });

  it('have nothing to try again if there is only one', async () => {
    batches.failure = new Error('one');
    const results = batches.make('a');
    await batches.go();
    expect(texts(await results)).toEqual(['one']);
    expect(batches.alone).toEqual([]);
  });

  it('are tried alone if the turn did not come, in the time that each has left', async () => {
    batches.failure = new Error('never began');
    const results = batches.make('a', 'b');
    await batches.go();
    expect(texts(await results)).toEqual(['a alone', 'b alone']);
  });

  it('count the wait as time that the request has spent on the database', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const deadline = new DatabaseDeadline(4_000, () => false);
      const made = inRequest('of-the-test', deadline, () => batches.shared.make('a key', 'a'));
      await jest.advanceTimersByTimeAsync(1_500);
      await batches.go();
      await made;
      expect(deadline.remainingAt(performance.now())).toBe(2_500);
    } finally {
      jest.useRealTimers();
    }
  });
});
