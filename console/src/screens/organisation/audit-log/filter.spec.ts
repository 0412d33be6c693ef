import { filterOf, isFiltered } from './filter';

const ACTIONS = ['member.added', 'domain.added'] as const;
const ID = '01a22216-112c-71fa-88b5-1ebebc847b04';
const at = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString();

describe('The filter of the audit log', () => {
  it('is what the address says', () => {
    const search = {
      action: 'member.added',
      actor: ID,
      subject: ID.toUpperCase(),
      from: '2026-02-01',
      to: '2026-02-28',
    };
    expect(filterOf(search, ACTIONS)).toEqual({
      action: 'member.added',
      actor_id: ID,
      subject_id: ID.toUpperCase(),
      from: at(2026, 2, 1),
      // The whole last day belongs to it.
      to: at(2026, 3, 1),
    });
  });

  it('leaves out what is no value', () => {
    const search = { action: 'member', actor: 'ann', subject: `${ID}0`, from: '2026-02-30', to: 'today' };
    expect(filterOf(search, ACTIONS)).toEqual({});
    expect(filterOf({ from: '2026-13-01' }, ACTIONS)).toEqual({});
  });

  it('is none without parameters', () => {
    expect(isFiltered(filterOf({}, ACTIONS))).toBe(false);
    expect(isFiltered(filterOf({ actor: ID }, ACTIONS))).toBe(true);
  });
});
