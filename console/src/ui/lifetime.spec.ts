import { expiryIn } from './lifetime';

describe('A lifetime in days', () => {
  it('ends so many days from now, or never', () => {
    expect(expiryIn('7', Date.UTC(2026, 0, 1))).toBe('2026-01-08T00:00:00.000Z');
    expect(expiryIn('')).toBeUndefined();
  });
});
