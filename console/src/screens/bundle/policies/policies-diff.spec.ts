import fc from 'fast-check';
import type { PolicyRule } from '../../../api/schema';
import { countOf, diffOf, keyOfRule, merged, movedUp, type Rules } from './policies-diff';

const rule = (tools: string, effect: PolicyRule['effect'] = 'ALLOW'): PolicyRule => ({
  effect,
  subject: { kind: 'everyone', role: null, id: null },
  tools,
  hint: null,
  entry_id: null,
});
const rules = (default_access: Rules['default_access'], ...tools: string[]): Rules => ({
  default_access,
  rules: tools.map((one) => rule(one)),
});
const RULES = fc.record({
  default_access: fc.constantFrom('ALLOW', 'READ_ONLY', 'DENY'),
  rules: fc.array(
    fc.constantFrom('a', 'b', 'c', 'd').map((one) => rule(one)),
    { maxLength: 6 },
  ),
});
const sorted = (list: readonly PolicyRule[]) => list.map(keyOfRule).sort();

describe('diffOf', () => {
  it('names what was added and removed, and the default', () => {
    const diff = diffOf(rules('ALLOW', 'a', 'b'), rules('DENY', 'b', 'c'));
    expect(diff.added.map(({ tools }) => tools)).toEqual(['c']);
    expect(diff.removed.map(({ tools }) => tools)).toEqual(['a']);
    expect(diff.isDefaultChanged).toBe(true);
    expect(countOf(diff)).toBe(3);
  });

  it('knows another order, and one of two equal rules that is gone', () => {
    expect(diffOf(rules('ALLOW', 'a', 'b'), rules('ALLOW', 'b', 'a'))).toMatchObject({ isReordered: true, added: [] });
    expect(diffOf(rules('ALLOW', 'a', 'a'), rules('ALLOW', 'a')).removed).toHaveLength(1);
  });

  it('is nothing between the same rules, and turns round', () => {
    fc.assert(
      fc.property(RULES, RULES, (one, other) => {
        expect(countOf(diffOf(one, one))).toBe(0);
        expect(sorted(diffOf(one, other).added)).toEqual(sorted(diffOf(other, one).removed));
      }),
    );
  });
});

describe('merged', () => {
  it('keeps theirs and adds mine', () => {
    const base = rules('ALLOW', 'a', 'b');
    const both = merged(base, rules('ALLOW', 'b', 'mine'), rules('DENY', 'a', 'b', 'theirs'));
    expect(both).toEqual(rules('DENY', 'b', 'theirs', 'mine'));
  });

  it('has once what both added', () => {
    expect(merged(rules('ALLOW'), rules('ALLOW', 'x'), rules('ALLOW', 'x'))).toEqual(rules('ALLOW', 'x'));
  });

  it('is mine if they changed nothing, and theirs if I changed nothing', () => {
    fc.assert(
      fc.property(RULES, RULES, (base, other) => {
        expect(sorted(merged(base, other, base).rules)).toEqual(sorted(other.rules));
        expect(merged(base, base, other)).toEqual(other);
      }),
    );
  });
});

describe('movedUp', () => {
  it('changes places with the one before it', () => {
    expect(movedUp(['a', 'b', 'c'], 2)).toEqual(['a', 'c', 'b']);
    expect(movedUp(['a', 'b'], 0)).toEqual(['a', 'b']);
  });
});
