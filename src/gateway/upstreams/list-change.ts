import type { JsonObject } from '../protocol/json-rpc';

const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** @returns whether a message of an upstream says that one of its lists has changed */
export function isListChange({ method }: JsonObject): boolean {
  return typeof method === 'string' && LIST_CHANGED.test(method);
}
