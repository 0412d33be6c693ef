import { Breaker } from './breaker';

describe('The breaker of an upstream', () => {
  let time: number;
  let breaker: Breaker;

  beforeEach(() => {
    time = 0;
    breaker = new Breaker(() => time);
  });

  function fail(count: number): void {
    for (let n = 0; n < count; n++) {
      expect(breaker.admit()).toBe(true);
      breaker.failed();
      time += 1_000;
    }
  }

  it('opens for 30 s after five failures in 30 s, and then lets one request try', () => {
    fail(5);
    expect([breaker.admit(), breaker.openFor]).toEqual([false, 29]);
    time += 28_999;
    expect(breaker.admit()).toBe(false);
    time += 1;
    expect([breaker.openFor, breaker.admit(), breaker.admit()]).toEqual([0, true, false]);
  });

  it('closes when that one is answered, and opens again when it fails', () => {
    fail(5);
    time += 30_000;
    expect(breaker.admit()).toBe(true);
    breaker.failed();
    expect([breaker.admit(), breaker.openFor]).toEqual([false, 30]);
    time += 30_000;
    expect(breaker.admit()).toBe(true);
    breaker.answered();
    expect([breaker.admit(), breaker.admit()]).toEqual([true, true]);
  });

  it('forgets failures that are older than 30 s, and all of them after an answer', () => {
    fail(4);
    time += 30_000;
    fail(4);
    breaker.answered();
    fail(4);
    expect(breaker.admit()).toBe(true);
  });

  it('lets another one try if the client of the first has gone', () => {
    fail(5);
    time += 30_000;
    expect(breaker.admit()).toBe(true);
    breaker.withdrawn();
    expect(breaker.admit()).toBe(true);
  });
});
