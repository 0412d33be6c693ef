import fc from 'fast-check';
import { DevicePolls } from './device-polls';

describe('Polls for a device code', () => {
  it('may come every five seconds, and five seconds later after each that came too early', () => {
    const polls = new DevicePolls();
    expect([0, 5_000, 10_000, 14_600].map((now) => polls.isTooOften('a', now))).toEqual([false, false, false, false]);
    expect(polls.isTooOften('a', 16_000)).toBe(true);
    expect(polls.isTooOften('a', 22_000)).toBe(true);
    expect(polls.isTooOften('a', 37_000)).toBe(false);
    expect(polls.isTooOften('b', 37_000)).toBe(false);
  });

  it('are never too many for a client that does what it is told', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 20 }), (pauses) => {
        const polls = new DevicePolls();
        let [now, interval] = [0, 5_000];
        for (const pause of pauses) {
          now += pause;
          if (polls.isTooOften('a', now)) interval += 5_000;
        }
        expect(polls.isTooOften('a', now + interval)).toBe(false);
      }),
    );
  });
});
