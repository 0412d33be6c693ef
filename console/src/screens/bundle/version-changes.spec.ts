import type { ListedEntry, VersionComparison } from '../../api/schema';
import { changesOf, groupsOf, toolCountOf, versionNumber } from './version-changes';

const entry = (parts: Partial<ListedEntry>): ListedEntry => ({
  id: 'e1',
  listing_id: 'l1',
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
  ...parts,
});

const comparison = (parts: Partial<VersionComparison>): VersionComparison => ({
  from: 1,
  to: 2,
  added: [],
  removed: [],
  moved: [],
  enabled: [],
  disabled: [],
  reconfigured: [],
  updated: [],
  tools: null,
  policies: null,
  ...parts,
});

const firstOf = (parts: Partial<VersionComparison>) => groupsOf(comparison(parts))[0]?.[1][0];

describe('What changed between two versions of a bundle', () => {
  it('leaves out what did not', () => {
    const changes = { added: 2, removed: 0, moved: 0, enabled: 0, disabled: 1, reconfigured: 0, updated: 0 };
    expect(changesOf(changes)).toEqual([
      ['added', 2],
      ['disabled', 1],
    ]);
    expect(groupsOf(comparison({}))).toEqual([]);
  });

  it('says which version a server has now, and whether it follows the newest', () => {
    const updated = [{ before: entry({}), after: entry({ version: '2.0.0', listing_version: '2.0.0' }) }];
    expect(groupsOf(comparison({ updated })).map(([group]) => group)).toEqual(['updated']);
    expect(firstOf({ updated })?.differences).toEqual([{ field: 'version', before: '1.0.0*', after: '2.0.0' }]);
  });

  it('names each setting that differs', () => {
    const before = entry({ config: { region: 'eu', same: 1, gone: true } });
    const after = entry({ config: { region: 'us', same: 1, list: ['a'] }, credential_mode: 'SHARED' });
    expect(firstOf({ reconfigured: [{ before, after }] })?.differences).toEqual([
      { field: 'config', name: 'gone', before: 'true', after: null },
      { field: 'config', name: 'list', before: null, after: '["a"]' },
      { field: 'config', name: 'region', before: 'eu', after: 'us' },
      { field: 'credential_mode', before: 'NONE', after: 'SHARED' },
    ]);
  });

  it('says from where to where an entry moved', () => {
    const moved = [{ before: entry({ position: 3 }), after: entry({ position: 0 }) }];
    expect(firstOf({ moved })?.differences).toEqual([{ field: 'position', before: '3', after: '0' }]);
  });

  it('counts tools only where the answer has them', () => {
    expect(toolCountOf({ tools: { tool_count: 3 } })).toBe(3);
    expect(toolCountOf({ tools: {} })).toBe(0);
    expect(toolCountOf({ tools: null })).toBe(0);
  });
});

describe('The number of a version', () => {
  it.each([
    ['3', 3],
    ['1', 1],
    ['0', undefined],
    ['8', undefined],
    ['-1', undefined],
    ['1e1', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s of 7', (text, number) => {
    expect(versionNumber(text, 7)).toBe(number);
  });
});
