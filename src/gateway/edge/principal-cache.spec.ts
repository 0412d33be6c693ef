import { PrincipalCache } from './principal-cache';

describe('What principals leave in memory', () => {
  let cache: PrincipalCache<string>;
  const keysOf = (prefix: string) =>
    Array.from({ length: 50 }, (_, n) => `${prefix}${n}`).filter((key) => cache.has(key));

  beforeEach(() => {
    cache = new PrincipalCache({ all: 20, each: 10, ttl: 60_000, sizeOf: ({ length }) => length });
  });

  it('drives out their own, and nothing of others', () => {
    cache.set('a0', 'a', 'xxx');
    for (let n = 0; n < 50; n++) cache.set(`b${n}`, 'b', 'xxx');
    expect([keysOf('a'), keysOf('b')]).toEqual([['a0'], ['b47', 'b48', 'b49']]);
    cache.set('b50', 'b', 'x'.repeat(10));
    expect([cache.get('a0'), cache.get('b50'), keysOf('b')]).toEqual(['xxx', 'x'.repeat(10), []]);
  });

  it('counts once what is replaced, and not what was removed', () => {
    for (let n = 0; n < 9; n++) cache.set('a0', 'a', 'x'.repeat(n + 1));
    cache.set('a1', 'a', 'x');
    expect([keysOf('a'), cache.get('a0')]).toEqual([['a0', 'a1'], 'x'.repeat(9)]);
    cache.delete('a0');
    cache.set('a2', 'a', 'x'.repeat(9));
    expect(keysOf('a')).toEqual(['a1', 'a2']);
  });

  it('is bounded for all together, and each still has a share then', () => {
    for (const principal of ['a', 'b', 'c', 'd'])
      for (let n = 0; n < 2; n++) cache.set(`${principal}${n}`, principal, 'xxxxx');
    expect(['a', 'b', 'c', 'd'].map(keysOf)).toEqual([[], [], ['c0', 'c1'], ['d0', 'd1']]);
    cache.set('a0', 'a', 'xxxxx');
    cache.set('a1', 'a', 'xxxxx');
    cache.set('a2', 'a', 'xxxxx');
    expect(keysOf('a')).toEqual(['a1', 'a2']);
  });

  it('is not kept if it is more than a share', () => {
    cache.set('a0', 'a', 'x');
    cache.set('a0', 'a', 'x'.repeat(11));
    expect(keysOf('a')).toEqual([]);
  });
});
