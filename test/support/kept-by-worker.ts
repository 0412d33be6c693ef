declare global {
  /** Set by environment.mjs. */
  var keptByWorker: Map<string, unknown>;
}

/**
 * @param key unique among all uses
 * @param make run once in each worker process; its result must not belong to one suite
 * @returns the same value for every suite of the worker
 */
export function keptByWorker<Value>(key: string, make: () => Value): Value {
  if (!globalThis.keptByWorker.has(key)) globalThis.keptByWorker.set(key, make());
  return globalThis.keptByWorker.get(key) as Value;
}
