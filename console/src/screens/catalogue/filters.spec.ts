import { filterOf, isNarrowed, sortOf, withoutFilters, wordsOf } from './filters';

describe('The words of a search', () => {
  it('are tried one by one, the longest two, each once and without what begins like another', () => {
    expect(wordsOf(' a board of  miro boards miro for us all')).toEqual(['board', 'miro']);
    expect(wordsOf('git medical articles')).toEqual(['medical', 'articles']);
    expect(wordsOf('')).toEqual([]);
  });
});

describe('The filters of the catalogue', () => {
  it('are those of the address, of all that one can see', () => {
    expect(filterOf({ q: ' git ', category: 'search', transport: 'sse', registry: 'npm' })).toEqual({
      search: 'git',
      category: 'search',
      transport: 'sse',
      registry_type: 'npm',
      scope: 'visible',
    });
  });

  it('leave out what the API would refuse', () => {
    expect(filterOf({ q: '  ', transport: 'pigeon', scope: 'theirs' })).toMatchObject({
      search: undefined,
      transport: undefined,
      scope: 'visible',
    });
  });

  it('never have a scope beside an organisation', () => {
    expect(filterOf({ org: 'a', scope: 'mine' })).not.toHaveProperty('scope');
  });

  it.each([
    [{}, 'newest'],
    [{ q: 'git' }, 'relevance'],
    [{ sort: 'relevance' }, 'newest'],
    [{ q: 'git', sort: 'name' }, 'name'],
    [{ sort: 'sideways' }, 'newest'],
  ])('order %j by %s', (search, sort) => {
    expect(sortOf(search)).toBe(sort);
  });

  it('are removed without the words, and without how the results are shown', () => {
    const search = { q: 'git', category: 'code', org: 'a', scope: 'mine', sort: 'name', view: 'rows' };
    expect(isNarrowed(search)).toBe(true);
    expect(withoutFilters(search)).toEqual({ q: 'git', sort: 'name', view: 'rows' });
    expect(isNarrowed(withoutFilters(search))).toBe(false);
  });
});
