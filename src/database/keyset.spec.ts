import fc from 'fast-check';
import { LessThan, MoreThan } from 'typeorm';
import { newId, timeOf } from './id';
import { idsWithin, newestFirst, oldestFirst } from './keyset';

interface Shelf {
  id: string;
  orgId: string;
}

describe('A page of rows in the order of their ids', () => {
  it('begins at the end of the list that the order says', () => {
    const page = { after: null, take: 3 };
    expect(newestFirst<Shelf>({ orgId: '1' }, page)).toEqual({ where: { orgId: '1' }, order: { id: 'DESC' }, take: 3 });
    expect(oldestFirst<Shelf>({ orgId: '1' }, page)).toEqual({ where: { orgId: '1' }, order: { id: 'ASC' }, take: 3 });
  });

  it('goes on after a row', () => {
    const page = { after: 'b', take: 3 };
    expect(newestFirst<Shelf>({ orgId: '1' }, page).where).toEqual({ orgId: '1', id: LessThan('b') });
    expect(oldestFirst<Shelf>({ orgId: '1' }, page).where).toEqual({ orgId: '1', id: MoreThan('b') });
  });
});

describe('The ids of a period', () => {
  it('are those of the rows that were created in it, after the previous page', () => {
    const ids = Array.from({ length: 5 }, newId);
    const instants = fc.constantFrom(undefined, -1, 0, 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...ids),
        instants,
        instants,
        fc.constantFrom(null, ...ids),
        (id, since, until, after) => {
          const made = timeOf(id).getTime();
          const at = (shift?: number) => (shift === undefined ? undefined : new Date(made + shift).toISOString());
          const [first, end] = idsWithin({ from: at(since), to: at(until) }, after);
          const isWithin = (since ?? -1) <= 0 && (until ?? 1) > 0;
          expect(id >= first && id < end).toBe(isWithin && (after === null || id < after));
        },
      ),
    );
  });
});
