import { restingTurn } from '../../http/requests/next-turn';
import type { Policy } from './policy';
import type { Hints } from './tool-hints';

/** How long work goes on before others get a turn. With 200 rules and long addresses, one decision takes up to 20 ms. */
const TURN_MS = 2;

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
  for await (const one of inTurns(all)) {
    const { entry, name, hints } = one;
    if (policy.allows({ entryId: entry.id, name, ...hints })) allowed.push(one);
  }
  return allowed;
}

/** The same items, with turns for others between them. */
export async function* inTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  let began = performance.now();
  for (const one of all) {
    yield one;
    if (performance.now() - began < TURN_MS) continue;
    await restingTurn();
    began = performance.now();
  }
}
