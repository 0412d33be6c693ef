import { setImmediate } from 'node:timers/promises';

/**
 * Yields to the event loop. For work of one request that takes long without waiting for anything: no request may hold
 * up the others for more than 50 ms.
 */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
