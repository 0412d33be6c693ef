import type { PolicyDefaultAccess, PolicyRule } from '../../../api/schema';

/** The rules of a bundle, and what counts without one. */
export interface Rules {
  default_access: PolicyDefaultAccess;
  rules: readonly PolicyRule[];
}

export interface RulesDiff {
  added: PolicyRule[];
  removed: PolicyRule[];
  isDefaultChanged: boolean;
  /** Whether the same rules are in another order. */
  isReordered: boolean;
}

/** @returns the same text for rules that say the same */
export const keyOfRule = ({ effect, subject, tools, hint, entry_id }: PolicyRule): string =>
  JSON.stringify([effect, subject.kind, subject.role, subject.id, tools, hint, entry_id]);

/** @returns the rules of `from` that `without` does not have; one that is there twice is taken away once for each */
function minus(from: readonly PolicyRule[], without: readonly PolicyRule[]): PolicyRule[] {
  const counts = new Map<string, number>();
  for (const rule of without) counts.set(keyOfRule(rule), (counts.get(keyOfRule(rule)) ?? 0) + 1);
  return from.filter((rule) => {
    const count = counts.get(keyOfRule(rule)) ?? 0;
    counts.set(keyOfRule(rule), count - 1);
    return count <= 0;
  });
}

/** @returns what differs; a rule that was edited is one removed and one added */
export function diffOf(from: Rules, to: Rules): RulesDiff {
  const added = minus(to.rules, from.rules);
  const removed = minus(from.rules, to.rules);
  const isSameSet = added.length === 0 && removed.length === 0;
  return {
    added,
    removed,
    isDefaultChanged: from.default_access !== to.default_access,
    isReordered: isSameSet && from.rules.some((rule, place) => keyOfRule(rule) !== keyOfRule(to.rules[place] ?? rule)),
  };
}

/** @returns how many changes there are */
export const countOf = ({ added, removed, isDefaultChanged, isReordered }: RulesDiff): number =>
  added.length + removed.length + Number(isDefaultChanged) + Number(isReordered);

/** @returns theirs with what was changed between `base` and `mine`; of a default that both changed, mine */
export function merged(base: Rules, mine: Rules, theirs: Rules): Rules {
  const { added, removed, isDefaultChanged } = diffOf(base, mine);
  const kept = minus(theirs.rules, removed);
  return {
    default_access: isDefaultChanged ? mine.default_access : theirs.default_access,
    // What both added is there once.
    rules: [...kept, ...minus(added, minus(theirs.rules, base.rules))],
  };
}

/** @returns the list with the rule at that place one place earlier */
export function movedUp<Item>(items: readonly Item[], place: number): Item[] {
  const moved = [...items];
  const [item] = moved.splice(place, 1);
  if (item !== undefined) moved.splice(Math.max(0, place - 1), 0, item);
  return moved;
}
