import fc from 'fast-check';
import { v7 } from 'uuid';
import { firstIdAt, GREATEST_ID, MIN_ID, newId, timeOf } from './id';

const instants = fc.date({
  min: new Date(0),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('The timestamp of an id', () => {
  it('is the time at which it was created', () => {
    const before = Date.now();
    const time = timeOf(newId()).getTime();
    expect(time).toBeGreaterThanOrEqual(before);
    // If too many ids are created in one millisecond, they use the next one.
    expect(time).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('has millisecond precision', () => {
    // RFC 9562, appendix A.6.
    expect(timeOf('017f22e2-79b0-7cc3-98c4-dc0c0c07398f').toISOString()).toBe('2022-02-22T19:22:22.000Z');
    fc.assert(fc.property(instants, (at) => timeOf(v7({ msecs: at.getTime() })).getTime() === at.getTime()));
  });

  it('separates ids: those of that millisecond or later are greater, earlier ones are less', () => {
    fc.assert(
      fc.property(instants, instants, (made, bound) => {
        const id = v7({ msecs: made.getTime() });
        expect(id >= firstIdAt(bound)).toBe(made >= bound);
      }),
    );
  });

  it('is clamped for times that no id can have', () => {
    expect(firstIdAt(new Date('1066-10-14T00:00:00.000Z'))).toBe(MIN_ID);
    expect(firstIdAt(new Date(8.64e15))).toBe('ffffffff-ffff-0000-0000-000000000000');
    const id = newId();
    expect(MIN_ID < id && id < GREATEST_ID).toBe(true);
  });
});
