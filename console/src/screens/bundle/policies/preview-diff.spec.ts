import type { PolicyDecision } from '../../../api/schema';
import { compareDecisions, filtered, toolsOf } from './preview-diff';

const decision = (name: string, is_allowed: boolean, kind: PolicyDecision['kind'] = 'tool'): PolicyDecision => ({
  kind,
  name: `weather__${name}`,
  entry_id: 'e1',
  upstream_name: name,
  is_allowed,
  reason: 'DEFAULT',
  rule: null,
});

const BEFORE = [decision('a', true), decision('b', true), decision('c', false), decision('d', false)];
const AFTER = [decision('a', true), decision('b', false), decision('c', true), decision('d', false)];

describe('compareDecisions', () => {
  it('says of each what becomes of it', () => {
    expect(compareDecisions(BEFORE, AFTER).map(({ outcome }) => outcome)).toEqual([
      'allowed',
      'lost',
      'gained',
      'refused',
    ]);
  });

  it('does not take a tool for a prompt of the same name', () => {
    const [compared] = compareDecisions([decision('a', false, 'prompt')], [decision('a', true)]);
    expect(compared).toMatchObject({ before: undefined, outcome: 'allowed' });
  });

  it('counts tools only', () => {
    const compared = compareDecisions(
      [decision('a', false), decision('p', false, 'prompt')],
      [decision('a', true), decision('p', true, 'prompt')],
    );
    expect(toolsOf(compared, 'gained')).toBe(1);
  });
});

describe('filtered', () => {
  const names = (...parts: Parameters<typeof filtered>) => filtered(...parts).map(({ after }) => after.upstream_name);
  const compared = compareDecisions(BEFORE, AFTER);

  it('shows what changes first', () => expect(names(compared, 'all', '')).toEqual(['b', 'c', 'a', 'd']));
  it('shows only what changes', () => expect(names(compared, 'changed', '')).toEqual(['b', 'c']));
  it('shows what may be used', () => expect(names(compared, 'usable', '')).toEqual(['c', 'a']));
  it('searches in names, whatever their case', () => expect(names(compared, 'refused', 'WEATHER__D')).toEqual(['d']));
});
