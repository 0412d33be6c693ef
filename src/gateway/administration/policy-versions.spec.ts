import type { PolicyRuleOut } from './policy.dto';
import { isStricter, type PolicySnapshot, samePolicies } from './policy-versions';

const rule = (effect: PolicyRuleOut['effect'], tools = '*'): PolicyRuleOut => ({
  effect,
  subject: { kind: 'everyone', role: null, id: null },
  tools,
  hint: null,
  entry_id: null,
});
const kept = (rules: PolicyRuleOut[], rest: Partial<PolicySnapshot> = {}): PolicySnapshot => ({
  default_access: 'ALLOW',
  presentation: 'ALL',
  rules,
  ...rest,
});

describe('A change of policies', () => {
  it.each([
    ['one more rule that denies', kept([]), kept([rule('DENY')]), true],
    ['one rule less that allows', kept([rule('ALLOW')]), kept([]), true],
    ['a stricter default', kept([]), kept([], { default_access: 'DENY' }), true],
    ['one more rule that allows', kept([]), kept([rule('ALLOW')]), false],
    ['one rule less that denies', kept([rule('DENY')]), kept([]), false],
    ['another rule that denies', kept([rule('DENY', 'a')]), kept([rule('DENY', 'b')]), false],
    [
      'a looser default',
      kept([], { default_access: 'DENY' }),
      kept([rule('DENY')], { default_access: 'READ_ONLY' }),
      false,
    ],
    ['another presentation', kept([]), kept([rule('DENY')], { presentation: 'SEARCH' }), false],
  ])('may or may not only take something away: %s', (_, before, after, expected) => {
    expect(isStricter(before, after)).toBe(expected);
  });

  it('is none if the database has only put the members of JSON in another order', () => {
    const { entry_id, hint, tools, subject, effect } = rule('DENY');
    expect(samePolicies(kept([rule('DENY')]), kept([{ entry_id, hint, tools, subject, effect }]))).toBe(true);
    expect(samePolicies(kept([rule('DENY')]), kept([rule('ALLOW')]))).toBe(false);
  });
});
