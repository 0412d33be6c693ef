import type { ApiProblem, Fault } from '../../api/problem';
import type { EditedEntry } from './entries';

/** The faults of entries, by their `id`; `loc` begins in the entry. */
export type EntryFaults = ReadonlyMap<string, Fault[]>;

/** @returns which entries the API rejects: `body.entries.3.…` is the fourth of those that were sent */
export function faultsOf(problem: ApiProblem, sent: readonly EditedEntry[]): EntryFaults {
  const faults = new Map<string, Fault[]>();
  for (const { loc, msg } of problem.faults) {
    const [, list, index, ...rest] = loc;
    const entry = list === 'entries' ? sent[Number(index)] : undefined;
    if (entry) faults.set(entry.id, [...(faults.get(entry.id) ?? []), { loc: rest, msg }]);
  }
  return faults;
}
