import fc from 'fast-check';
import { ValidationError } from '../../errors/errors';
import { personalTokenExpiry } from './personal-token-expiry';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const DAY_MS = 86_400_000;

describe('The expiry of a personal access token', () => {
  it('is 90 days from now unless it is given', () => {
    expect(personalTokenExpiry(undefined, NOW).getTime()).toBe(NOW.getTime() + 90 * DAY_MS);
  });

  it('is what is given, if that is in the future and at most 366 days from now', () => {
    fc.assert(
      fc.property(fc.integer({ min: -400 * DAY_MS, max: 800 * DAY_MS }), (ahead) => {
        const given = new Date(NOW.getTime() + ahead);
        const parse = () => personalTokenExpiry(given.toISOString(), NOW);
        const isGood = ahead > 0 && ahead <= 366 * DAY_MS;
        if (isGood) expect(parse()).toEqual(given);
        else expect(parse).toThrow(ValidationError);
      }),
    );
  });
});
