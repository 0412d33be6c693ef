import { RefusedRows } from './refused-rows';

describe('Rows of refused calls', () => {
  const admitted = (rows: RefusedRows, count: number, place: string, outcome: 'RATE_LIMITED' | 'DENIED' | 'TIMEOUT') =>
    Array.from({ length: count }, () => rows.admit(place, outcome)).filter(Boolean).length;

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are one a minute of calls beyond a limit, and 60 of others, for each principal, bundle and method', () => {
    jest.advanceTimersByTime(1_000);
    const rows = new RefusedRows();
    expect(admitted(rows, 500, 'token a at b', 'RATE_LIMITED')).toBe(1);
    expect(admitted(rows, 500, 'token a at b', 'DENIED')).toBe(60);
    expect(admitted(rows, 500, 'token a at c', 'RATE_LIMITED')).toBe(1);
    jest.advanceTimersByTime(59_000);
    expect(admitted(rows, 500, 'token a at b', 'DENIED')).toBe(0);
    jest.advanceTimersByTime(2_000);
    expect(admitted(rows, 500, 'token a at b', 'DENIED')).toBe(60);
  });

  it('are as many as there are calls that a server was asked for', () => {
    expect(admitted(new RefusedRows(), 500, 'token a at b', 'TIMEOUT')).toBe(500);
  });
});
