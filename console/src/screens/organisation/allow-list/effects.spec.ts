import type { ListingBundle } from '../../../api/schema';
import { effectOfAllowing, enabledIn } from './effects';

const bundle = (id: string, more: Partial<ListingBundle> = {}): ListingBundle => ({
  id,
  name: id,
  slug: id,
  description: '',
  visibility: 'PRIVATE',
  org_id: 'acme',
  owner_id: 'tom',
  version: 1,
  entry_count: 1,
  follower_count: 0,
  is_followed: false,
  may_modify: true,
  created_at: '',
  updated_at: '',
  entry_id: `entry of ${id}`,
  is_enabled: true,
  ...more,
});

describe('What it changes to allow a server in a bundle', () => {
  it('adds it, and says whether it is allowed already', () => {
    expect(effectOfAllowing('acme', 'b', [])).toEqual({ kind: 'adds', isAllowedAlready: false });
    expect(effectOfAllowing('acme', undefined, [bundle('a')])).toEqual({ kind: 'adds', isAllowedAlready: true });
    const elsewhere = [
      bundle('a', { org_id: 'other' }),
      bundle('c', { is_enabled: false }),
      bundle('d', { org_id: null }),
    ];
    expect(effectOfAllowing('acme', 'b', elsewhere)).toEqual({ kind: 'adds', isAllowedAlready: false });
  });

  it('enables what the bundle has, or nothing', () => {
    expect(effectOfAllowing('acme', 'a', [bundle('a', { is_enabled: false })])).toEqual({
      kind: 'enables',
      entryId: 'entry of a',
    });
    expect(effectOfAllowing('acme', 'a', [bundle('a')])).toEqual({ kind: 'nothing' });
  });
});

describe('The bundles that have a server', () => {
  it('are those of the organisation in which it is enabled, by whether the person may change them', () => {
    const having = [
      bundle('a'),
      bundle('b', { may_modify: false }),
      bundle('c', { is_enabled: false }),
      bundle('d', { org_id: null }),
    ];
    const { changeable, others } = enabledIn('acme', having);
    expect([changeable.map(({ id }) => id), others.map(({ id }) => id)]).toEqual([['a'], ['b']]);
  });
});
