import { Paced } from './paced';

describe('What is paced', () => {
  let began: number;
  let paced: Paced;
  /** When it was done, in seconds. */
  let done: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    began = Date.now();
    done = [];
    paced = new Paced(1_000, 60_000, () => done.push((Date.now() - began) / 1_000));
  });

  afterEach(() => jest.useRealTimers());

  /** Calls it ten times a second. */
  const callFor = (seconds: number) => {
    for (let n = 0; n < seconds * 10; n++) {
      paced.call();
      jest.advanceTimersByTime(100);
    }
  };

  it('is done at once, and then once for all calls of a pause', () => {
    paced.call();
    expect(done).toEqual([0]);
    for (let n = 0; n < 5; n++) paced.call();
    jest.advanceTimersByTime(999);
    expect(done).toEqual([0]);
    jest.advanceTimersByTime(1);
    expect(done).toEqual([0, 1]);
  });

  it('is done every second for a few seconds, then less and less often while the calls go on, but once a minute', () => {
    callFor(300);
    expect(done).toEqual([0, 1, 2, 3, 4, 6, 10, 18, 34, 66, 126, 186, 246]);
  });

  it('is done at once again after a pause without calls', () => {
    callFor(10);
    done = [];
    jest.advanceTimersByTime(120_000);
    done = [];
    began = Date.now();
    callFor(2);
    expect(done).toEqual([0, 1, 2]);
  });

  it('is done no more when it was stopped', () => {
    paced.call();
    paced.call();
    paced.stop();
    jest.advanceTimersByTime(120_000);
    expect(done).toEqual([0]);
  });
});
