import fc from 'fast-check';
import { ConflictError } from '../../../errors/errors';
import { type Loss, needsConfirmation, requireConfirmed } from './confirmation';

/** No one loses something twice, and only members lose something. */
const loss: fc.Arbitrary<Loss> = fc
  .tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 }), fc.nat({ max: 5_000 }))
  .map(([demoted, removed, others]) => ({ demoted, removed, membersBefore: demoted + removed + others }));

const lostOf = ({ demoted, removed }: Loss): number => demoted + removed;

describe('The need to confirm a role change', () => {
  it.each<[demoted: number, removed: number, membersBefore: number, asks: boolean]>([
    [0, 0, 0, false],
    [4, 0, 4, false],
    [5, 0, 5, true],
    [0, 5, 24, true],
    [2, 3, 24, true],
    [2, 3, 25, false],
    [0, 20, 100, false],
    [1, 20, 100, true],
    [20_000, 0, 100_000, false],
    [20_000, 1, 100_000, true],
  ])('with %i demoted and %i removed of %i: %s', (demoted, removed, membersBefore, asks) => {
    expect(needsConfirmation({ demoted, removed, membersBefore })).toBe(asks);
  });

  it('depends on five people and more than a fifth of the members losing something', () => {
    fc.assert(
      fc.property(loss, (one) => {
        const asks = lostOf(one) >= 5 && lostOf(one) / one.membersBefore > 0.2;
        expect(needsConfirmation(one)).toBe(asks);
      }),
    );
  });

  it('grows with the number who lose something, and shrinks with the number unaffected', () => {
    fc.assert(
      fc.property(loss, fc.nat({ max: 50 }), (one, more) => {
        const worse = { ...one, removed: one.removed + more, membersBefore: one.membersBefore + more };
        const milder = { ...one, membersBefore: one.membersBefore + more };
        if (needsConfirmation(one)) expect(needsConfirmation(worse)).toBe(true);
        else expect(needsConfirmation(milder)).toBe(false);
      }),
    );
  });

  it('does not depend on demotion or removal', () => {
    fc.assert(
      fc.property(loss, (one) => {
        const turned = { ...one, demoted: one.removed, removed: one.demoted };
        expect(needsConfirmation(turned)).toBe(needsConfirmation(one));
      }),
    );
  });
});

describe('requireConfirmed', () => {
  const heavy = { demoted: 40, removed: 12, membersBefore: 180 };

  it('names the numbers', () => {
    expect(() => requireConfirmed(heavy, { confirm: false })).toThrow(ConflictError);
    expect(() => requireConfirmed(heavy, { confirm: false })).toThrow(
      'This would demote 40 and remove 12 of 180 members. Nothing was changed. Send it again with confirm=true to confirm.',
    );
  });

  it('accepts confirmed and small changes', () => {
    expect(() => requireConfirmed(heavy, { confirm: true })).not.toThrow();
    expect(() => requireConfirmed({ ...heavy, membersBefore: 2_000 }, { confirm: false })).not.toThrow();
  });
});
