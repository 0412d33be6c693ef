import type { CompiledBundle } from './compiled-bundle';
import { KeptBundles } from './kept-bundles';

const MIB = 1_048_576;
/** Of 1,000 long tools; 33 of them fit. */
const LARGE = 1_990_000;

describe('The compiled bundles that are kept', () => {
  let kept: KeptBundles;

  const keep = (owner: string, names: readonly string[], bytes = LARGE, upstreamId = owner) => {
    const bundle = { bytes, entries: [{ upstream: { id: upstreamId } }] } as unknown as CompiledBundle;
    for (const name of names) kept.set(name, owner, { bundle, isWhole: true, at: 0 });
  };
  const still = (names: readonly string[]) => names.filter((name) => kept.get(name) !== undefined);
  const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`);

  beforeEach(() => {
    kept = new KeptBundles();
  });

  it('are those that were used last', () => {
    const names = many('a', 40);
    keep('a', names.slice(0, 33));
    kept.get('a0');
    keep('a', names.slice(33));
    expect(still(names)).toEqual(['a0', ...names.slice(8)]);
    expect(kept.bytes).toBeLessThanOrEqual(64 * MIB);
  });

  it('stay however many someone else compiles', () => {
    keep('b', many('b', 8));
    keep('c', many('c', 4));
    keep('a', many('a', 100));
    expect(still([...many('b', 8), ...many('c', 4)])).toHaveLength(12);
    expect(still(many('a', 100))).toEqual(many('a', 100).slice(-21));
  });

  it('make room for others where someone has more than a quarter, up to that quarter', () => {
    keep('a', many('a', 33));
    keep('b', many('b', 8));
    keep('c', many('c', 8));
    keep('d', many('d', 8));
    expect(still(many('a', 33))).toEqual(many('a', 33).slice(-9));
    expect(still(many('b', 8))).toHaveLength(8);
  });

  it('may be one that has more than a quarter, and none that has more than all', () => {
    keep('a', ['large'], 40 * MIB);
    keep('a', ['larger'], 65 * MIB);
    expect(still(['large', 'larger'])).toEqual(['large']);
    keep('b', many('b', 8), 3 * MIB);
    expect(still(['large', ...many('b', 8)])).toEqual(many('b', 8));
  });

  it('go with the servers that they have, and count no more then', () => {
    keep('a', ['one'], MIB, 'x');
    keep('a', ['other'], MIB, 'y');
    kept.forgetOf('x');
    expect(still(['one', 'other'])).toEqual(['other']);
    kept.delete('other');
    keep('b', ['third']);
    kept.forgetOf(undefined);
    expect([still(['third']), kept.bytes]).toEqual([[], 0]);
  });
});
