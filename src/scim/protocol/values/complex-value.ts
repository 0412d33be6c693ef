import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import type { ComplexValue } from '../schema/user-document';

/** The sub-attributes present in a complex value, in no order; undefined: the value is to be cleared. */
export type Parts = Map<Attribute, string | boolean | undefined>;

/**
 * @returns a new value: the existing one with the parts applied, in the order of the schema; empty if nothing is left
 */
export function withParts(attribute: Attribute, value: ComplexValue, parts: Parts): ComplexValue {
  const changed: ComplexValue = {};
  for (const sub of attribute.subAttributes ?? []) {
    const part = parts.has(sub) ? parts.get(sub) : partOf(value, sub);
    if (part !== undefined) changed[sub.name] = part;
  }
  return changed;
}

const USER_ADDRESS = /\/Users\/([^/?#]+)$/;

/** The URL of a user also contains the id: `{"$ref": "../Users/7"}` is the manager 7. */
export function withReferredValue(attribute: Attribute, parts: Parts): Parts {
  const value = findSubAttribute(attribute, 'value');
  const address = findSubAttribute(attribute, '$ref');
  const reference = address && parts.get(address);
  const id = typeof reference === 'string' ? USER_ADDRESS.exec(reference)?.[1] : undefined;
  return value && id !== undefined && !parts.has(value) ? new Map([...parts, [value, id]]) : parts;
}

/** @returns the part of a value, if it is an own property */
export function partOf(value: ComplexValue, sub: Attribute): string | boolean | undefined {
  return Object.hasOwn(value, sub.name) ? value[sub.name] : undefined;
}
