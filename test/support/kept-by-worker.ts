const kept = new Map<string, unknown>();

/**
 * @param key unique among all uses
 * @param make run once in each worker process; its result must not belong to one suite
 * @returns the same value for every suite of the worker
 */
export function keptByWorker<Value>(key: string, make: () => Value): Value {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key) as Value;
}
