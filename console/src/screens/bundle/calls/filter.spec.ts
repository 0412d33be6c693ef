import { beginOf, filterOf, isNarrowed, narrowing } from './filter';

const ID = '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10';

describe('The filter of calls', () => {
  it('is that of the address', () => {
    const filter = filterOf({ hours: '6', tool: 'a__b', entry: ID, outcome: 'DENIED', person: ID });
    expect(filter).toEqual({ hours: '6', tool: 'a__b', entry: ID, outcome: 'DENIED', person: ID });
    expect(narrowing(filter)).toEqual({ tool: 'a__b', entry_id: ID, outcome: 'DENIED', principal_id: ID });
    expect(isNarrowed(filter)).toBe(true);
  });

  it('leaves out what the API would refuse', () => {
    const filter = filterOf({
      hours: '9999',
      tool: 'x'.repeat(300),
      entry: "'; --",
      outcome: 'NEVER',
      person: `${ID}0`,
    });
    expect(filter).toEqual({
      hours: '24',
      tool: 'x'.repeat(256),
      entry: undefined,
      outcome: undefined,
      person: undefined,
    });
    expect(isNarrowed(filterOf({ hours: '1' }))).toBe(false);
  });

  it('begins a period so many hours before now', () => {
    expect(beginOf('24', Date.parse('2026-11-28T12:00:00.789Z'))).toBe('2026-11-27T12:00:00.000Z');
  });
});
