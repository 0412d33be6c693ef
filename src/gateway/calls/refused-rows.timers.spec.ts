import { MAX_REASONS, RefusedRows } from './refused-rows';

describe('Rows of refused calls', () => {
  const admitted = (rows: RefusedRows, outcome: 'RATE_LIMITED' | 'DENIED' | 'TIMEOUT', reasons: string[], who = 'a') =>
    reasons.filter((reason) => rows.admit(`token ${who}`, outcome, [reason])).length;
  const same = (reason: string) => Array.from({ length: 500 }, () => reason);

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are one a minute and principal of the same refusal', () => {
    jest.advanceTimersByTime(1_000);
    const rows = new RefusedRows();
    expect(admitted(rows, 'RATE_LIMITED', same('b'))).toBe(1);
    expect(admitted(rows, 'DENIED', [...same('tool 1'), ...same('tool 2')])).toBe(2);
    expect(admitted(rows, 'RATE_LIMITED', same('b'), 'another')).toBe(1);
    jest.advanceTimersByTime(59_000);
    expect(admitted(rows, 'DENIED', same('tool 1'))).toBe(0);
    jest.advanceTimersByTime(2_000);
    expect(admitted(rows, 'DENIED', same('tool 1'))).toBe(1);
  });

  it('are 60 a minute at most, whatever is refused', () => {
    const tools = Array.from({ length: 500 }, (_, n) => `tool ${n}`);
    expect(admitted(new RefusedRows(), 'DENIED', tools)).toBe(MAX_REASONS);
  });

  it('are as many as there are calls that a server was asked for', () => {
    expect(admitted(new RefusedRows(), 'TIMEOUT', same('b'))).toBe(500);
  });
});
