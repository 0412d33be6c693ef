import * as fc from 'fast-check';
import { capabilitiesIn, capabilitySetOf, nearestSet, wordsOf } from './capability-set';

const sets = fc.integer({ min: 0, max: 15 });

describe('The capabilities on which lists depend', () => {
  it.each([
    [{}, 0],
    [{ sampling: {}, tasks: {} }, 1],
    [{ elicitation: {} }, 2],
    [{ elicitation: { form: {} } }, 2],
    [{ elicitation: { url: {} } }, 4],
    [{ elicitation: { form: {}, url: {} } }, 6],
    [{ roots: { listChanged: true } }, 8],
    [{ sampling: true, elicitation: null, roots: [] }, 0],
  ])('are known of a client: %j', (capabilities, set) => {
    expect(capabilitySetOf(capabilities)).toBe(set);
  });

  it('are declared as they were understood', () => {
    fc.assert(fc.property(sets, (set) => capabilitySetOf(capabilitiesIn(set)) === set));
  });

  it('stand in for those of another client that has them all', () => {
    fc.assert(
      fc.property(sets, fc.array(sets), (wanted, known) => {
        const nearest = nearestSet(wanted, known);
        const isOwn = (set: number) => (set | wanted) === wanted;
        const bits = (set: number) => set.toString(2).replaceAll('0', '').length;
        expect(isOwn(nearest)).toBe(true);
        for (const set of known.filter(isOwn)) expect(bits(set)).toBeLessThanOrEqual(bits(nearest));
      }),
    );
    expect(nearestSet(15, [])).toBe(0);
  });

  it('are written in words', () => {
    expect(wordsOf(9)).toBe('sampling and roots');
  });
});
