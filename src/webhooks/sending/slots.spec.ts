import fc from 'fast-check';
import { mostOfTenant, Slots } from './slots';

/** Tenants that repeatedly take as many slots of one kind as they can, one after the other. */
function fill(slots: Slots, tenants: readonly string[], isDoubtful: boolean): Slots {
  for (let before = -1; before !== slots.free.total;) {
    before = slots.free.total;
    for (const id of tenants) {
      const free = isDoubtful ? slots.free.doubtful : slots.free.proven;
      const held = slots.heldBy(id, isDoubtful);
      if (held < mostOfTenant(free, held, isDoubtful) && free > 0) slots.take(id, isDoubtful);
    }
  }
  return slots;
}

const named = (count: number) => Array.from({ length: count }, (_, place) => `tenant ${place}`);

describe('The slots of a process', () => {
  it.each([
    [1, 1, 1, 1],
    [2, 2, 2, 1],
    [16, 16, 14, 8],
    [128, 128, 112, 64],
  ])(
    'start, if there are %i, with %i free: up to %i for proven and %i for doubtful lanes',
    (size, total, proven, doubtful) => {
      expect(new Slots(size).free).toEqual({ total, proven, doubtful });
    },
  );

  it('can be used by doubtful lanes up to half; the rest stays for proven ones', () => {
    const slots = new Slots(128);
    for (let n = 0; n < 64; n++) slots.take(`t${n}`, true);
    expect(slots.free).toEqual({ total: 64, proven: 64, doubtful: 0 });
  });

  it('can be used by proven lanes except for an eighth', () => {
    const slots = new Slots(128);
    for (let n = 0; n < 112; n++) slots.take(`t${n}`, false);
    expect(slots.free).toEqual({ total: 16, proven: 0, doubtful: 16 });
    slots.take('new', true);
    expect(slots.free).toEqual({ total: 15, proven: 0, doubtful: 15 });
  });

  it.each([
    [false, 1, 37],
    [false, 20, 100],
    [true, 1, 12],
    [true, 20, 52],
  ])('stay free for others: doubtful %s, %i tenants hold at most %i together', (isDoubtful, tenants, most) => {
    const slots = fill(new Slots(128), named(tenants), isDoubtful);
    expect(128 - slots.free.total).toBeLessThanOrEqual(most);
    expect(isDoubtful ? slots.free.doubtful : slots.free.proven).toBeGreaterThan(0);
    expect(slots.sated(isDoubtful).sort()).toEqual(named(tenants).sort());
  });

  it('are all free again after as many were released as taken, in any order', () => {
    const tenant = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean());
    fc.assert(
      fc.property(fc.array(tenant, { maxLength: 60 }), fc.integer({ min: 1, max: 64 }), (taken, size) => {
        const slots = new Slots(size);
        for (const [id, isDoubtful] of taken) slots.take(id, isDoubtful);
        const { total, proven, doubtful } = slots.free;
        for (const free of [total, proven, doubtful]) expect(free).toBeGreaterThanOrEqual(0);
        expect(Math.max(proven, doubtful)).toBeLessThanOrEqual(total);
        for (const [id, isDoubtful] of [...taken].reverse()) slots.give(id, isDoubtful);
        expect(slots.free).toEqual(new Slots(size).free);
        expect([...slots.sated(true), ...slots.sated(false)]).toEqual([]);
      }),
    );
  });

  it('can be counted in advance without being taken', () => {
    const slots = new Slots(16);
    slots.take('a', false);
    const after = slots.after(
      [
        { id: 'a', isDoubtful: false },
        { id: 'b', isDoubtful: true },
      ],
      [2, 3],
    );
    expect([after.heldBy('a', false), after.heldBy('b', true), after.free.total]).toEqual([3, 3, 10]);
    expect([slots.heldBy('a', false), slots.heldBy('b', true), slots.free.total]).toEqual([1, 0, 15]);
  });
});
