import { BackoffThrottle } from './backoff-throttle';

describe('BackoffThrottle', () => {
  let began: number;
  let throttle: BackoffThrottle;
  /** When it was done, in seconds. */
  let done: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    began = Date.now();
    done = [];
    throttle = new BackoffThrottle(1_000, 60_000, () => done.push((Date.now() - began) / 1_000));
  });

  afterEach(() => jest.useRealTimers());

  /** Calls it ten times a second. */
  const callFor = (seconds: number) => {
    for (let n = 0; n < seconds * 10; n++) {
      throttle.call();
      jest.advanceTimersByTime(100);
    }
  };

  it('is done at once, and then once for all calls of a pause', () => {
    throttle.call();
    expect(done).toEqual([0]);
    for (let n = 0; n < 5; n++) throttle.call();
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
    throttle.call();
    throttle.call();
    throttle.stop();
    jest.advanceTimersByTime(120_000);
    expect(done).toEqual([0]);
  });
});
