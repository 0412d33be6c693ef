import type { PolicyDecision } from '../../../api/schema';

/** What happens to something that the bundle offers, for the person in whose place one looks. */
export type Outcome = 'gained' | 'lost' | 'allowed' | 'refused';

export interface ComparedDecision {
  /** As it would be. */
  after: PolicyDecision;
  /** As it is; undefined if it is not known. */
  before: PolicyDecision | undefined;
  outcome: Outcome;
}

const keyOf = ({ kind, entry_id, upstream_name }: PolicyDecision): string =>
  JSON.stringify([kind, entry_id, upstream_name]);

/** @returns each thing once, with what becomes of it: in the order of `after` */
export function compareDecisions(
  before: readonly PolicyDecision[],
  after: readonly PolicyDecision[],
): ComparedDecision[] {
  const known = new Map(before.map((decision) => [keyOf(decision), decision]));
  return after.map((decision) => {
    const former = known.get(keyOf(decision));
    return { after: decision, before: former, outcome: outcomeOf(former, decision) };
  });
}

function outcomeOf(before: PolicyDecision | undefined, { is_allowed }: PolicyDecision): Outcome {
  if (before !== undefined && before.is_allowed !== is_allowed) return is_allowed ? 'gained' : 'lost';
  return is_allowed ? 'allowed' : 'refused';
}

/** @returns how many tools are of that outcome */
export const toolsOf = (compared: readonly ComparedDecision[], outcome: Outcome): number =>
  compared.filter((one) => one.outcome === outcome && one.after.kind === 'tool').length;

export const FILTERS = ['all', 'changed', 'usable', 'refused'] as const;
export type Filter = (typeof FILTERS)[number];

/** @returns those that a filter and a search leave; what changes comes first */
export function filtered(compared: readonly ComparedDecision[], filter: Filter, search: string): ComparedDecision[] {
  const isChange = ({ outcome }: ComparedDecision) => outcome === 'gained' || outcome === 'lost';
  const passes: Record<Filter, (one: ComparedDecision) => boolean> = {
    all: () => true,
    changed: isChange,
    usable: ({ after }) => after.is_allowed,
    refused: ({ after }) => !after.is_allowed,
  };
  const text = search.trim().toLowerCase();
  const found = compared.filter((one) => passes[filter](one) && one.after.name.toLowerCase().includes(text));
  return [...found.filter(isChange), ...found.filter((one) => !isChange(one))];
}
