import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import type { ComplexValue } from '../schema/user-document';

/** The sub-attributes that a complex value speaks of, in no order; undefined: it says that there is none. */
export type Parts = Map<Attribute, string | boolean | undefined>;

/** @returns a new value: the one given, changed by the parts, in the order of the schema; empty when nothing is left */
export function withParts(attribute: Attribute, value: ComplexValue, parts: Parts): ComplexValue {
  const changed: ComplexValue = {};
  for (const sub of attribute.subAttributes ?? []) {
    const part = parts.has(sub) ? parts.get(sub) : partOf(value, sub);
    if (part !== undefined) changed[sub.name] = part;
  }
  return changed;
}

const USER_ADDRESS = /\/Users\/([^/?#]+)$/;

/** An address of a user names its id too: `{"$ref": "../Users/7"}` is the manager 7. */
export function withReferredValue(attribute: Attribute, parts: Parts): Parts {
  const value = findSubAttribute(attribute, 'value');
  const address = findSubAttribute(attribute, '$ref');
  const given = address && parts.get(address);
  const id = typeof given === 'string' ? USER_ADDRESS.exec(given)?.[1] : undefined;
  return value && id !== undefined && !parts.has(value) ? new Map([...parts, [value, id]]) : parts;
}

/** @returns the part of a value, if it has one of its own by that name */
export function partOf(value: ComplexValue, sub: Attribute): string | boolean | undefined {
  return Object.hasOwn(value, sub.name) ? value[sub.name] : undefined;
}
