import { ScimError } from '../scim-error';
import { readQuery, readSearch, withKnownNames } from './scim-query';
import { SEARCH_REQUEST_URN } from '../urns';

function failureOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return error.failure;
  }
}

const search = (fields: object) => readSearch({ schemas: [SEARCH_REQUEST_URN], ...fields });

describe('The query string of a SCIM list', () => {
  it('can contain every list parameter', () => {
    expect(
      readQuery({
        filter: 'userName eq "ada"',
        sortBy: 'name.familyName',
        sortOrder: 'Descending',
        startIndex: '11',
        count: '10',
        attributes: 'userName, name.givenName,,userName',
        other: 'x',
      }),
    ).toEqual({
      filter: 'userName eq "ada"',
      sortBy: 'name.familyName',
      sortOrder: 'descending',
      startIndex: 11,
      count: 10,
      attributes: ['userName', 'name.givenName'],
    });
  });

  it.each([
    [
      { startindex: '3', FILTER: 'a pr' },
      { startIndex: '3', filter: 'a pr' },
    ],
    [
      { StartIndex: '3', Count: '4', SORTBY: 'a', sortorder: 'x' },
      { startIndex: '3', count: '4', sortBy: 'a', sortOrder: 'x' },
    ],
    [
      { Attributes: 'a', EXCLUDEDattributes: 'b', CURSOR: '' },
      { attributes: 'a', excludedAttributes: 'b', cursor: '' },
    ],
    [
      { Other: 'x', other: 'y' },
      { Other: 'x', other: 'y' },
    ],
    [{ filter: 'a', FILTER: 'b' }, { filter: ['a', 'b'] }],
    [{ Count: ['1', '2'], count: '3', COUNT: ['4'] }, { count: ['1', '2', '3', '4'] }],
  ])('accepts parameter names in any case: %j', (query, known) => {
    expect({ ...withKnownNames(query) }).toEqual(known);
  });

  it('accepts parameter names that are properties of prototypes', () => {
    const query = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, unknown>;
    expect(Object.entries(withKnownNames(query))).toEqual(Object.entries(query));
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('can be empty, including its lists of names', () => {
    expect(Object.values(readQuery({ attributes: '', excludedAttributes: ',' })).filter(Boolean)).toEqual([]);
  });

  it('requests cursor pages with an empty cursor too', () => {
    expect(readQuery({ cursor: '' }).cursor).toBe('');
  });

  it.each([
    ['startIndex', '-3', -3],
    ['startIndex', '0', 0],
    ['count', '-1', -1],
    ['count', '+5', 5],
    ['count', '99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['count', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ])('reads %s=%s', (name, text, value) => {
    expect(readQuery({ [name]: text })).toMatchObject({ [name]: value });
  });

  it.each([
    [{ count: 'ten' }, 'invalidCount'],
    [{ count: '1.5' }, 'invalidCount'],
    [{ count: '' }, 'invalidCount'],
    [{ count: '0x10' }, 'invalidCount'],
    [{ startIndex: '1e3' }, 'invalidValue'],
    [{ startIndex: '1', cursor: '' }, 'invalidValue'],
    [{ filter: ['a pr', 'b pr'] }, 'invalidValue'],
    [{ count: ['1', '2'] }, 'invalidValue'],
    [{ attributes: ['a', 'b'] }, 'invalidValue'],
    [{ sortOrder: 'up' }, 'invalidValue'],
    [{ attributes: 'a', excludedAttributes: 'b' }, 'invalidValue'],
  ])('refuses %j', (query, failure) => {
    expect(failureOf(() => readQuery(query))).toBe(failure);
  });

  it('takes nothing from a prototype', () => {
    expect(readQuery(Object.create({ filter: 'userName pr' }) as Record<string, unknown>).filter).toBeUndefined();
  });
});

describe('The body of a SCIM search', () => {
  it('has the same parameters as lists and numbers, in any case', () => {
    expect(
      search({
        FILTER: 'userName pr',
        startindex: 3,
        Count: 4,
        attributes: ['userName', 'emails'],
        sortBy: null,
        excludedAttributes: null,
      }),
    ).toEqual({ filter: 'userName pr', startIndex: 3, count: 4, attributes: ['userName', 'emails'] });
  });

  it('notes unknown fields', () => {
    const ignored = new Set<string>();
    readSearch({ schemas: [SEARCH_REQUEST_URN], domain: 'x' }, ignored);
    expect([...ignored]).toEqual(['domain']);
  });

  it.each([
    [undefined, 'invalidSyntax'],
    [[], 'invalidSyntax'],
    [{ filter: 'userName pr' }, 'invalidSyntax'],
    [{ schemas: ['urn:other'] }, 'invalidSyntax'],
    [{ schemas: [SEARCH_REQUEST_URN], count: 1, Count: 2 }, 'invalidSyntax'],
    [{ schemas: [SEARCH_REQUEST_URN], filter: 5 }, 'invalidValue'],
    [{ schemas: [SEARCH_REQUEST_URN], filter: {} }, 'invalidValue'],
    [{ schemas: [SEARCH_REQUEST_URN], attributes: [1] }, 'invalidValue'],
    [{ schemas: [SEARCH_REQUEST_URN], attributes: { a: 1 } }, 'invalidValue'],
    [{ schemas: [SEARCH_REQUEST_URN], startIndex: 1.5 }, 'invalidValue'],
    [{ schemas: [SEARCH_REQUEST_URN], count: true }, 'invalidCount'],
    [{ schemas: [SEARCH_REQUEST_URN], cursor: '', startIndex: 1 }, 'invalidValue'],
  ])('is rejected: %j', (body, failure) => {
    expect(failureOf(() => readSearch(body))).toBe(failure);
  });
});
