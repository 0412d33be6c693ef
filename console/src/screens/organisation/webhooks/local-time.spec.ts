import { fromLocal, toLocal } from './local-time';

describe('A day and a time in a field', () => {
  it('are those of the time zone, and come back', () => {
    const instant = '2026-11-20T08:30:00.000Z';
    expect(toLocal(instant)).toMatch(/^2026-11-\d\dT\d\d:\d\d$/);
    expect(fromLocal(toLocal(instant))).toBe(instant);
  });

  it.each(['', 'soon', '2026-13-01T00:00'])('can be missing or wrong: %j', (text) =>
    expect(fromLocal(text)).toBeUndefined(),
  );
});
