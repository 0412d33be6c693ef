import { filterOf, isNarrowed, periodOf } from './delivery-filter';

const NOW = Date.parse('2026-11-20T08:30:30.000Z');

describe('The filter of deliveries', () => {
  it('is what the address says, without what is wrong', () => {
    const filter = filterOf({ status: 'FAILED', class: '5xx', hours: '24', type: 'bundle.created' });
    expect(filter).toMatchObject({ status: 'FAILED', class: '5xx', hours: '24', type: 'bundle.created' });
    expect(filterOf({ status: 'BROKEN', class: '6xx', hours: '25', from: 'yesterday' })).toEqual(filterOf({}));
    expect([isNarrowed(filter), isNarrowed(filterOf({}))]).toEqual([true, false]);
  });

  it('has a period of hours, or that of the address', () => {
    expect(periodOf(filterOf({}), NOW)).toEqual({});
    expect(periodOf(filterOf({ hours: '1' }), NOW)).toEqual({ from: '2026-11-20T07:30:00.000Z' });
    expect(periodOf(filterOf({ hours: '1', from: '2026-11-01T00:00:00Z' }), NOW)).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: undefined,
    });
  });
});
