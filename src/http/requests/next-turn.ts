import { setImmediate } from 'node:timers/promises';

/**
 * Lets everything else that waits have its turn. For work of one request that takes long without waiting for anything:
 * no request holds up the others for more than 50 ms.
 */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
