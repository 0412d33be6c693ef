import { isObject } from '../../../../../src/http/requests/json-object';
import { pointerSteps } from '../../../../../src/http/requests/json-pointer';
import type { BundleToolChange } from '../../../api/schema';

type Json = Record<string, unknown>;

/**
 * The definition before, from the present one and what differs: the API gives the differences alone.
 *
 * @returns undefined if the differences do not fit the definition, as when it has changed between two answers
 */
export function formerOf(definition: Json, changes: readonly BundleToolChange[]): Json | undefined {
  const whole: Json = { definition: structuredClone(definition) };
  // Items are added and removed at the ends of lists: what was added goes from the last on, what is gone comes back in order.
  const kept = changes.filter((change) => 'before' in change);
  const added = changes.filter((change) => !('before' in change)).toReversed();
  for (const { pointer } of added) if (!remove(whole, stepsOf(pointer))) return undefined;
  for (const { pointer, before } of kept) if (!put(whole, stepsOf(pointer), before)) return undefined;
  const former = whole['definition'];
  return isObject(former) ? former : undefined;
}

/** @returns the steps of a JSON pointer (RFC 6901), with the one to the definition */
function stepsOf(pointer: string): string[] {
  return ['definition', ...pointerSteps(pointer)];
}

function remove(whole: Json, steps: readonly string[]): boolean {
  const [place, last] = placeOf(whole, steps);
  if (Array.isArray(place)) return place.splice(Number(last), 1).length === 1;
  return isObject(place) && Object.hasOwn(place, last) && Reflect.deleteProperty(place, last);
}

function put(whole: Json, steps: readonly string[], value: unknown): boolean {
  const [place, last] = placeOf(whole, steps);
  if (typeof place !== 'object' || place === null) return false;
  // Never through a setter, such as that of `__proto__`.
  return Reflect.defineProperty(place, last, { value, writable: true, enumerable: true, configurable: true });
}

function placeOf(whole: Json, steps: readonly string[]): [unknown, string] {
  let place: unknown = whole;
  for (const step of steps.slice(0, -1)) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return [undefined, ''];
    place = (place as Json)[step];
  }
  return [place, steps.at(-1) ?? ''];
}
