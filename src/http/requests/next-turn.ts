import { setImmediate } from 'node:timers';

/** Pieces of long work that wait for their turn, of all requests. */
const waiting: (() => void)[] = [];

/**
 * Yields to the event loop. For work of one request that takes long without waiting for anything: no request may hold
 * up the others for more than 50 ms. Only one piece of such work is done in each turn of the loop, so that what is short
 * waits for one of them at most, however many requests are long.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(release);
  });
}

function release(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(release);
}
