import type { PolicyRule } from '../../../api/schema';
import { policies } from '../../../messages/en/bundle-policies';
import { type KnownNames, ruleSentence } from './rule-words';

const NAMES: KnownNames = {
  person: new Map([['p1', 'Ann Weaver']]),
  group: new Map([['g1', 'Platform Team']]),
  token: new Map([['t1', 'CI']]),
  entry: new Map([['e1', 'weather']]),
};
const EVERYONE = { kind: 'everyone', role: null, id: null } as const;

const rule = (parts: Partial<PolicyRule>): PolicyRule => ({
  effect: 'ALLOW',
  subject: EVERYONE,
  tools: '*',
  hint: null,
  entry_id: null,
  ...parts,
});

describe('ruleSentence', () => {
  it.each<[Partial<PolicyRule>, string]>([
    [{}, 'Everyone may use everything.'],
    [{ effect: 'DENY' }, 'Nobody may use anything.'],
    [
      { effect: 'DENY', subject: { kind: 'role', role: 'ORG_MEMBER', id: null }, hint: 'destructive' },
      'Members of the organisation may not use anything that may destroy something.',
    ],
    [
      { subject: { kind: 'group', role: null, id: 'g1' }, tools: 'get_*', entry_id: 'e1' },
      'The group Platform Team may use what is named “get_*” (server weather).',
    ],
    [
      { subject: { kind: 'person', role: null, id: 'p1' }, tools: 'get_*', hint: 'read_only' },
      'Ann Weaver may use what is named “get_*” and only reads.',
    ],
    [{ subject: { kind: 'token', role: null, id: 't1' } }, 'The token CI may use everything.'],
    [
      { subject: { kind: 'person', role: null, id: 'gone' }, entry_id: 'gone' },
      'A person whose name is not known here may use everything (server that is gone or not visible to you).',
    ],
  ])('says %j as “%s”', (parts, expected) => {
    expect(ruleSentence(rule(parts), NAMES, policies.rule)).toBe(expected);
  });
});
