import type { ListedEntry } from '../../api/schema';
import { limitsOf } from './restore-limits';

const entry = (more: Partial<ListedEntry>): ListedEntry => ({
  id: 'e',
  listing_id: 'l',
  listing_name: 'io.github.acme/weather',
  listing_title: 'Weather',
  key: 'weather',
  position: 0,
  version: null,
  listing_version: '1.0.0',
  is_enabled: true,
  is_available: true,
  config: {},
  credential_mode: 'NONE',
  pinning: 'OFF',
  endpoint_url: null,
  ...more,
});

describe('What a restored version lacks', () => {
  it('is nothing where all servers are there', () => expect(limitsOf([entry({})])).toEqual([]));

  it.each([
    ['unavailable', {}],
    ['listing-gone', { listing_id: null }],
    ['unseen', { listing_id: null, listing_name: null, key: null }],
  ] as const)('%s', (limit, more) => {
    const lost = entry({ ...more, is_available: false });
    expect(limitsOf([entry({}), lost])).toEqual([{ entry: lost, limit }]);
  });
});
