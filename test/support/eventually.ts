import { availableParallelism, loadavg } from 'node:os';

const POLL_MS = 20;
/** Of what was last seen; a whole list would bury the message. */
const MOST_SHOWN = 1_500;

/**
 * Asks again and again until the answer is good.
 *
 * @param within milliseconds after which it is too late on a quiet machine. A busy one gets more: by as much as its
 *   cores have more to do than they can, and as this process is late to wake up.
 * @throws Error that says what was last seen
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  within: number,
): Promise<T> {
  const began = Date.now();
  let late = 0;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    const patience = within * crowding() + late;
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
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}… (${text.length} characters)` : text;
}
