import fc from 'fast-check';
import { Keyring } from '../../config/keyring';
import { CursorContent, Cursors } from './cursor';
import { ValidationError } from '../../errors/errors';

const cursors = new Cursors(new Keyring([Buffer.alloc(32, 1)]));
const content = fc.record({
  after: fc.string({ unit: 'binary' }),
  filter: fc.dictionary(fc.string(), fc.string({ unit: 'binary' }), { noNullPrototype: true }),
});

function faultsOf(decode: () => CursorContent): unknown {
  try {
    decode();
  } catch (error) {
    if (error instanceof ValidationError) return error.faults.map(({ loc, type }) => `${type} at ${loc.join(' ')}`);
    throw error;
  }
  return [];
}

describe('A pagination cursor', () => {
  it('returns what it contains', () => {
    fc.assert(
      fc.property(fc.string(), content, (list, held) => {
        expect(cursors.decode(list, cursors.encode(list, held))).toEqual(held);
        expect(cursors.isGenuine(cursors.encode(list, held))).toBe(true);
      }),
    );
  });

  it('omits filters that are not set', () => {
    const held = cursors.decode('a', cursors.encode('a', { after: '1', filter: { org: undefined, role: 'OWNER' } }));
    expect(held).toEqual({ after: '1', filter: { role: 'OWNER' } });
  });

  it('needs no encoding in a URL', () => {
    fc.assert(fc.property(content, (held) => expect(cursors.encode('a', held)).toMatch(/^[A-Za-z0-9_-]+$/)));
  });

  it('is rejected if any character is changed', () => {
    fc.assert(
      fc.property(content, fc.nat(), fc.base64String({ minLength: 4 }), (held, place, [other = 'A']) => {
        const cursor = cursors.encode('a', held);
        const at = place % cursor.length;
        fc.pre(cursor[at] !== other);
        const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
        expect(faultsOf(() => cursors.decode('a', changed))).toEqual(['value_error at query cursor']);
        expect(cursors.isGenuine(changed)).toBe(false);
      }),
    );
  });

  it('is rejected if it is arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(faultsOf(() => cursors.decode('a', text))).toEqual(['value_error at query cursor']);
        expect(cursors.isGenuine(text)).toBe(false);
      }),
    );
  });

  it('is rejected for another list or with another key', () => {
    const cursor = cursors.encode('a', { after: '1', filter: {} });
    expect(faultsOf(() => cursors.decode('b', cursor))).toHaveLength(1);
    const stranger = new Cursors(new Keyring([Buffer.alloc(32, 2)]));
    expect(faultsOf(() => stranger.decode('a', cursor))).toHaveLength(1);
    expect([cursors.isGenuine(cursor), stranger.isGenuine(cursor)]).toEqual([true, false]);
  });
});
