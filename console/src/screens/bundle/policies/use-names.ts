import type { Bundle, PolicyRule } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import type { Pick } from '../../../ui/picker';
import type { KnownNames } from './rule-words';
import { useEntries, useGroups, useMayReadGroups, usePeople, useTokens } from './use-subjects';

/** The names of what rules name by ids. Only lists that are needed for that are read, and only by those who may. */
export function useNames(bundle: Bundle, rules: readonly PolicyRule[]): KnownNames {
  const mayReadGroups = useMayReadGroups(bundle);
  const has = (kind: string) => rules.some(({ subject }) => subject.kind === kind);
  const people = usePeople(bundle, has('person'));
  const groups = useGroups(bundle, has('group') && mayReadGroups);
  const tokens = useTokens(bundle, has('token') && bundle.may_modify);
  const entries = useEntries(
    bundle,
    rules.some(({ entry_id }) => entry_id !== null),
  );
  return {
    person: byId(people.picks),
    group: byId(groups.picks),
    token: byId(tokens.picks),
    entry: byId(entries),
  };
}

const byId = (picks: readonly Pick[]) => new Map(picks.map(({ id, name }) => [id, shown(name)]));
