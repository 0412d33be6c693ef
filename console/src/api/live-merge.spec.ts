import { type Known, mergeHead, reaches } from './live-merge';

const known = (ids: string, cursor?: string): Known<{ id: string; of?: string }> => ({
  items: [...ids].map((id) => ({ id })),
  cursor,
});

describe('A list that is read again from its head', () => {
  it('begins with the head', () => {
    expect(mergeHead(undefined, known('cb', 'b'), true)).toEqual(known('cb', 'b'));
    expect(reaches(undefined, known('cb', 'b'))).toBe(true);
  });

  it('keeps what is older than the head, and where it ends', () => {
    expect(mergeHead(known('dcba', 'a'), known('fedc', 'c'), true)).toEqual(known('fedcba', 'a'));
    expect(mergeHead(known('ba'), known('cb', 'b'), true)).toEqual(known('cba'));
  });

  it('takes known rows as they are now', () => {
    const head = { items: [{ id: 'b', of: 'now' }], cursor: 'b' };
    expect(mergeHead(known('ba'), head, true).items).toEqual([{ id: 'b', of: 'now' }, { id: 'a' }]);
  });

  it('is the head alone if that is all, or if something is missing in between', () => {
    expect(mergeHead(known('cba'), known('cb'), true)).toEqual(known('cb'));
    expect(mergeHead(known('ba'), known('fe', 'e'), false)).toEqual(known('fe', 'e'));
    expect(mergeHead(known('dc', 'c'), known('dc', 'c'), true)).toEqual(known('dc', 'c'));
  });

  it('knows whether something is missing in between', () => {
    expect(reaches(known('ba'), known('fe', 'e'))).toBe(false);
    expect(reaches(known('ba'), known('cb', 'b'))).toBe(true);
    expect(reaches(known('ba'), known('dc'))).toBe(true);
    expect(reaches(known(''), known('dc', 'c'))).toBe(true);
  });
});
