import { nextTurn } from '../../http/requests/next-turn';
import { isObject } from '../../http/requests/json-object';

/** List elements that are serialized at once: about 2 ms. */
const AT_ONCE = 1_000;

/**
 * JSON.stringify for responses that may be large, such as a group of 100,000 members or a page of such groups: yields
 * to the event loop in between.
 *
 * @param body a JSON value
 */
export async function jsonInTurns(body: object): Promise<string> {
  if (weightOf(body) <= AT_ONCE) return JSON.stringify(body);
  const parts: string[] = [];
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? await listInTurns(value) : JSON.stringify(value);
    parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

async function listInTurns(list: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  let weight = 0;
  for (const element of list) {
    const own = isObject(element) ? weightOf(element) : 1;
    weight += own;
    if (weight > AT_ONCE) {
      await nextTurn();
      weight = own;
    }
    parts.push(isObject(element) && own > AT_ONCE ? await jsonInTurns(element) : JSON.stringify(element));
  }
  return `[${parts.join(',')}]`;
}

/** The number of elements in the lists of an object, and in the lists nested in these. */
function weightOf(object: object): number {
  let weight = 1;
  for (const value of Object.values(object) as unknown[]) {
    if (!Array.isArray(value)) continue;
    weight += value.length;
    for (const element of value as unknown[]) if (isObject(element) && hasLists(element)) weight += weightOf(element);
  }
  return weight;
}

function hasLists(object: object): boolean {
  return 'members' in object || 'groups' in object;
}
