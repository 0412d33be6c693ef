import { fits } from './pattern';

describe('fits', () => {
  it.each([
    ['*', '', true],
    ['*', 'delete_repo', true],
    ['delete_*', 'delete_repo', true],
    ['delete_*', 'Delete_repo', false],
    ['get_?', 'get_a', true],
    ['get_?', 'get_', false],
    ['get_?', 'get_😀', true],
    ['*_repo', 'delete_repo', true],
    ['*_repo', 'delete_repos', false],
    ['a.c', 'abc', false],
    ['a*b*c', 'a__b__b__c', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j and %j: %s', (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected);
  });
});
