import fc from 'fast-check';
import { Policy, type PolicyItem } from './policy';
import { POLICY_EFFECTS, type RuleScope } from './policy-rule';
import { DEFAULT_ACCESS } from '../settings/endpoint-enums';
import { hintsOf } from './tool-hints';

const rule = (place: number, effect: RuleScope['effect'], rest: Partial<RuleScope> = {}): RuleScope => ({
  place,
  effect,
  tools: '*',
  hint: null,
  entryId: null,
  ...rest,
});
const item = (name: string, annotations: unknown = {}, entryId = 'a'): PolicyItem => ({
  entryId,
  name,
  ...hintsOf('tool', annotations),
});

const rules = fc.array(
  fc.record({
    place: fc.integer({ min: 0, max: 199 }),
    effect: fc.constantFrom(...POLICY_EFFECTS),
    tools: fc.array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    hint: fc.constantFrom(null, 'read_only' as const, 'destructive' as const),
    entryId: fc.constantFrom(null, 'x', 'y'),
  }),
  { maxLength: 8 },
);
const items = fc.record({
  entryId: fc.constantFrom('x', 'y'),
  name: fc.array(fc.constantFrom('a', 'b'), { maxLength: 4 }).map((parts) => parts.join('')),
  isReadOnly: fc.boolean(),
  isDestructive: fc.boolean(),
});
const defaults = fc.constantFrom(...DEFAULT_ACCESS);

describe('A policy', () => {
  it('denies where a rule denies, whatever others allow and in whatever order', () => {
    const [allow, deny] = [rule(0, 'ALLOW'), rule(1, 'DENY', { tools: 'delete_*' })];
    expect(new Policy('ALLOW', [allow, deny]).decide(item('delete_repo'))).toEqual({ isAllowed: false, rule: 1 });
    expect(new Policy('ALLOW', [deny, allow]).decide(item('delete_repo'))).toEqual({ isAllowed: false, rule: 1 });
    expect(new Policy('DENY', [allow, deny]).decide(item('get_repo'))).toEqual({ isAllowed: true, rule: 0 });
  });

  it.each([
    ['ALLOW', {}, true],
    ['READ_ONLY', {}, false],
    ['READ_ONLY', { readOnlyHint: true }, true],
    ['READ_ONLY', { readOnlyHint: 'true' }, false],
    ['DENY', { readOnlyHint: true }, false],
  ] as const)('without a rule goes by the default access %s: %j is allowed: %s', (access, annotations, isAllowed) => {
    expect(new Policy(access, []).decide(item('any', annotations))).toEqual({ isAllowed, rule: null });
  });

  it('takes a tool that says nothing for one that may destroy something', () => {
    const policy = new Policy('ALLOW', [rule(0, 'DENY', { hint: 'destructive' })]);
    expect(policy.allows(item('any', undefined))).toBe(false);
    expect(policy.allows(item('any', { destructiveHint: false }))).toBe(true);
    expect(policy.allows(item('any', { readOnlyHint: true, destructiveHint: true }))).toBe(true);
  });

  it('counts what is no tool as reading', () => {
    const policy = new Policy('READ_ONLY', []);
    for (const kind of ['prompt', 'resource', 'template'] as const)
      expect(policy.allows({ entryId: 'a', name: 'any', ...hintsOf(kind, { readOnlyHint: false }) })).toBe(true);
  });

  it('names the first of the rules that decide alike', () => {
    const policy = new Policy('ALLOW', [rule(3, 'ALLOW'), rule(5, 'DENY'), rule(7, 'DENY')]);
    expect(policy.decide(item('any')).rule).toBe(5);
  });

  it('applies a rule with an entry to that entry only', () => {
    const policy = new Policy('ALLOW', [rule(0, 'DENY', { entryId: 'a' })]);
    expect([policy.allows(item('any', {}, 'a')), policy.allows(item('any', {}, 'b'))]).toEqual([false, true]);
  });

  it('never grants anything by one more rule that denies, nor takes anything away by one that allows', () => {
    fc.assert(
      fc.property(defaults, rules, rules, items, (access, some, others, used) => {
        const before = new Policy(access, some).allows(used);
        const denying = others.map((one) => ({ ...one, effect: 'DENY' as const }));
        const allowing = others.map((one) => ({ ...one, effect: 'ALLOW' as const }));
        expect(!before && new Policy(access, [...some, ...denying]).allows(used)).toBe(false);
        expect(before && !new Policy(access, [...some, ...allowing]).allows(used)).toBe(false);
      }),
    );
  });

  it('decides the same in any order of its rules', () => {
    const shuffled = rules.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(defaults, shuffled, items, (access, [all, others], used) => {
        expect(new Policy(access, all).allows(used)).toBe(new Policy(access, others).allows(used));
      }),
    );
  });

  it('allows nothing more with a stricter default access', () => {
    fc.assert(
      fc.property(rules, items, (all, used) => {
        const allowed = DEFAULT_ACCESS.map((access) => new Policy(access, all).allows(used));
        expect(allowed).toEqual([...allowed].sort((one, other) => Number(other) - Number(one)));
      }),
    );
  });

  it('is open only if it allows everything', () => {
    fc.assert(
      fc.property(defaults, rules, items, (access, all, used) => {
        const policy = new Policy(access, all);
        expect(policy.isOpen && !policy.decide(used).isAllowed).toBe(false);
      }),
    );
  });
});
