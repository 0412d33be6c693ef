import { availableParallelism, loadavg } from 'node:os';

/** Set by jest.config.mjs where suites run beside each other. */
declare const suitesShareTheMachine: true | undefined;

const POLL_MS = 20;
/** In suites that share the machine with others, whatever they allow: those that measure seconds run alone. */
const MIN_MS = 5_000;
/** Of what was last seen; a whole list would bury the message. */
const MAX_SHOWN = 1_500;

/**
 * Asks again and again until the answer is good.
 *
 * @param within milliseconds after which it is too late on a quiet machine, for a suite that runs alone; others wait for
 *   five seconds at least. A busy machine gets more: by as much as its cores have more to do than they can, and as this
 *   process is late to wake up.
 * @throws Error that says what was last seen
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  within: number,
): Promise<T> {
  const allowed = typeof suitesShareTheMachine === 'undefined' ? within : Math.max(within, MIN_MS);
  const began = Date.now();
  let late = 0;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    const patience = allowed * crowding() + late;
    if (Date.now() - began >= patience) {
      throw new Error(`Not within ${Math.round(patience)} ms; last seen: ${shown(answer)}`);
    }
    const asleep = Date.now();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    late += Math.max(0, Date.now() - asleep - 2 * POLL_MS);
  }
}

/**
 * How many times longer everything takes here than on a quiet machine: the processes that want a core, per core; at
 * least 1. A test that measures how long something takes multiplies its bound by it.
 */
export function crowding(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

function shown(answer: unknown): string {
  const text = JSON.stringify(answer) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;
}
