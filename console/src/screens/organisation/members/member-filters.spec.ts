import { filtersOf } from './member-filters';

describe('The filters of members', () => {
  it('come from the address', () => {
    expect(filtersOf({ role: 'ADMIN', reason: 'manual', q: 'ada l' })).toEqual({
      role: 'ADMIN',
      reason: 'manual',
      search: 'ada l',
    });
  });

  it('leave out what the API would refuse', () => {
    expect(filtersOf({ role: 'KING', reason: 'pending', q: ' -.@' })).toEqual({});
    expect(filtersOf({ q: 'x'.repeat(300) }).search).toHaveLength(200);
  });
});
