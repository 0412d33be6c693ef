import fc from 'fast-check';
import { moved, movedIds, rebased } from './order';

describe('The order of categories', () => {
  const order = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 });

  it('moves one, within the list', () => {
    expect(moved([1, 2, 3], 1, 2)).toEqual([2, 3, 1]);
    expect(moved([1, 2, 3], 3, -5)).toEqual([3, 1, 2]);
    expect(moved([1, 2, 3], 1, 9)).toEqual([2, 3, 1]);
    expect(moved([1, 2, 3], 7, 0)).toEqual([1, 2, 3]);
  });

  it('names what was moved, and not what made room for it', () => {
    expect(movedIds([1, 2, 3, 4], [4, 1, 2, 3])).toEqual([4]);
    expect(movedIds([1, 2, 3], [1, 2, 3])).toEqual([]);
    expect(movedIds([], [])).toEqual([]);
  });

  it('puts moves on top of what others have changed', () => {
    // I moved 4 to the front; they moved 1 to the end, deleted 3 and created 9.
    expect(rebased([1, 2, 3, 4], [4, 1, 2, 3], [2, 4, 9, 1])).toEqual([4, 2, 9, 1]);
    expect(rebased([1, 2, 3], [2, 3, 1], [1, 2, 3])).toEqual([2, 3, 1]);
  });

  it('keeps each category once, and is mine if nobody else changed anything', () => {
    fc.assert(
      fc.property(order, order, fc.array(fc.nat(11)), (before, theirs, places) => {
        const mine = before.reduce((now, id, index) => moved(now, id, places[index] ?? 0), [...before]);
        expect(rebased(before, mine, before)).toEqual(mine);
        expect(rebased(before, mine, theirs).sort()).toEqual([...theirs].sort());
      }),
    );
  });
});
