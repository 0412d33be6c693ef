import type { PolicyRule, PolicySubject } from '../../../api/schema';
import type { policies } from '../../../messages/en/bundle-policies';

type Words = typeof policies.rule;

/** Names of what rules name by ids, as far as the person who looks may know them. */
export interface KnownNames {
  person: ReadonlyMap<string, string>;
  group: ReadonlyMap<string, string>;
  token: ReadonlyMap<string, string>;
  entry: ReadonlyMap<string, string>;
}

/** @returns who a rule is about */
export function subjectWords({ kind, role, id }: PolicySubject, names: KnownNames, words: Words): string {
  if (kind === 'everyone') return words.everyone;
  if (kind === 'role') return role === null ? words.everyone : words.roles[role];
  const name = names[kind].get(id ?? '');
  return name === undefined ? words.unknown[kind] : words[kind](name);
}

/** @returns a rule as one sentence: “Ann may not use what is named “delete_*” and may destroy something.” */
export function ruleSentence(rule: PolicyRule, names: KnownNames, words: Words): string {
  const what = whatWords(rule, names, words);
  // “Everyone may not use it” could mean that some may.
  if (rule.effect === 'DENY' && rule.subject.kind === 'everyone') return words.sentence.ALLOW(words.nobody, what);
  return words.sentence[rule.effect](subjectWords(rule.subject, names, words), what);
}

function whatWords({ effect, tools, hint, entry_id }: PolicyRule, names: KnownNames, words: Words): string {
  const isAll = tools === '*';
  const named = isAll ? words.everything[effect] : words.matching(tools);
  const hinted = hint === null ? named : (isAll ? words.hints : words.matchingHints)[hint](named);
  return entry_id === null ? hinted : words.at(hinted, names.entry.get(entry_id) ?? words.unknownServer);
}
