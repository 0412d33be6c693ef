import { changesOf, shortChanges } from './change';

const ROLE = { role: 'MEMBER', suspended: false };

describe('What an entry of the audit log changed', () => {
  it('is said field by field, texts without quotation marks', () => {
    expect(changesOf({ before: ROLE, after: { ...ROLE, role: 'ADMIN' } })).toEqual([
      { path: 'role', kind: 'changed', before: 'MEMBER', after: 'ADMIN' },
    ]);
  });

  it('is all of a subject that is new or gone', () => {
    expect(changesOf({ before: null, after: ROLE })).toEqual([
      { path: 'role', kind: 'added', before: undefined, after: 'MEMBER' },
      { path: 'suspended', kind: 'added', before: undefined, after: 'false' },
    ]);
    expect(changesOf({ before: ROLE, after: null }).map(({ kind }) => kind)).toEqual(['removed', 'removed']);
    expect(changesOf({ before: null, after: null })).toEqual([]);
  });

  it('keeps what is escaped as it is', () => {
    expect(changesOf({ before: null, after: { name: 'a "b"' } })[0]?.after).toBe('"a \\"b\\""');
    expect(changesOf({ before: null, after: { name: '' } })[0]?.after).toBe('""');
  });

  it('is shown in short with its first short values', () => {
    const after = { a: null, b: 'x'.repeat(80), c: 1, d: 2, e: 3, f: 4 };
    expect(shortChanges(changesOf({ before: null, after })).map(({ path }) => path)).toEqual(['c', 'd', 'e']);
  });
});
