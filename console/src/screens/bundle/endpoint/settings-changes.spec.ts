import { budgetOf, onlyChanged, type Settings, updateOf } from './settings-changes';

const SAVED: Settings = {
  naming: 'PREFIX',
  name_budget: 48,
  presentation: 'ALL',
  default_access: 'ALLOW',
  record: 'BUFFERED',
  record_arguments: 'NONE',
};

describe('Settings of an endpoint', () => {
  it('are changed only where they differ', () => {
    expect(onlyChanged(SAVED, { naming: 'PLAIN', name_budget: '48', record: 'BUFFERED' })).toEqual({ naming: 'PLAIN' });
  });

  it('are sent as what was changed, with the number as a number', () => {
    expect(updateOf({ naming: 'PLAIN', name_budget: '32' })).toEqual({ naming: 'PLAIN', name_budget: 32 });
    expect(updateOf({ presentation: 'SEARCH' })).toEqual({ presentation: 'SEARCH' });
  });

  it.each(['', '23', '65', '3e1', '-30', '30.5', 'many', '٣٠'])('do not take %j as a length', (typed) => {
    expect(budgetOf(typed)).toBeUndefined();
    expect(updateOf({ name_budget: typed })).toBeUndefined();
  });

  it.each([
    ['24', 24],
    [' 64 ', 64],
  ])('take %j as a length', (typed, expected) => {
    expect(budgetOf(typed)).toBe(expected);
  });
});
