import { nextTurn } from '../../http/requests/next-turn';
import type { Policy } from './policy';
import type { Hints } from './tool-hints';

/** How many are decided before others get a turn: with 200 rules that takes a few milliseconds. */
const PER_TURN = 250;

/** Something of an entry that a policy decides about. */
interface Decidable {
  readonly entry: { readonly id: string };
  readonly name: string;
  readonly hints: Hints;
}

/** @returns those that a policy allows, in their order; other requests get turns between them */
export async function allowedBy<T extends Decidable>(policy: Policy, all: readonly T[]): Promise<readonly T[]> {
  if (policy.isOpen) return all;
  const allowed: T[] = [];
  for (const [place, one] of all.entries()) {
    const { entry, name, hints } = one;
    if (policy.allows({ entryId: entry.id, name, ...hints })) allowed.push(one);
    if (place % PER_TURN === PER_TURN - 1) await nextTurn();
  }
  return allowed;
}
