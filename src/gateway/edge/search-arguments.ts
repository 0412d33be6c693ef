import type { JsonObject } from '../protocol/json-rpc';
import { isObjectOrBytes, type JsonBytes } from '../protocol/json-bytes';
import { FIND_LIMITS, MAX_DESCRIBED } from '../search/search-tools';

/** What a search tool is called with; or, as a sentence for a model, what is wrong with it. */
export type Read<T> = { readonly value: T } | { readonly fault: string };

/** The arguments of `find_tools`. */
export function readFind({ query, limit = FIND_LIMITS.unasked }: JsonObject): Read<{ query: string; limit: number }> {
  if (typeof query !== 'string' || query.length > FIND_LIMITS.query)
    return { fault: `"query" must be a string of at most ${FIND_LIMITS.query} characters.` };
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > FIND_LIMITS.tools)
    return { fault: `"limit" must be an integer from 1 to ${FIND_LIMITS.tools}.` };
  return { value: { query, limit } };
}

/** The arguments of `describe_tools`. */
export function readDescribe({ names }: JsonObject): Read<readonly string[]> {
  const isList = Array.isArray(names) && names.length > 0 && names.length <= MAX_DESCRIBED;
  return isList && names.every((name): name is string => typeof name === 'string')
    ? { value: names }
    : { fault: `"names" must be a list of 1 to ${MAX_DESCRIBED} strings.` };
}

/** The arguments of `call_tool`. */
export function readCall({
  name,
  arguments: args,
}: JsonObject): Read<{ name: string; args: JsonObject | JsonBytes | undefined }> {
  if (typeof name !== 'string') return { fault: '"name" must be a string.' };
  if (args !== undefined && !isObjectOrBytes(args)) return { fault: '"arguments" must be an object.' };
  return { value: { name, args } };
}
