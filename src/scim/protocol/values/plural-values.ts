import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import type { ComplexValue } from '../schema/user-document';
import { ScimError } from '../scim-error';
import { partOf, type Parts, withParts } from './complex-value';
import { VALUE_LIMITS } from './value-limits';

/** A number of characters that can be compared as fast as none. */
const WEIGHTLESS = 64;

/**
 * A cache of strings derived from a value, which is immutable: a PATCH of a thousand operations on a thousand values
 * needs them a million times.
 */
const texts = new WeakMap<ComplexValue, string>();
const identities = new WeakMap<ComplexValue, string>();

function once(cache: WeakMap<ComplexValue, string>, element: ComplexValue, make: () => string): string {
  const text = cache.get(element) ?? make();
  cache.set(element, text);
  return text;
}

/** @returns the values, each once */
export function distinct(elements: readonly ComplexValue[]): ComplexValue[] {
  return [...new Map(elements.map((element) => [textOf(element), element])).values()];
}

function textOf(element: ComplexValue): string {
  return once(texts, element, () => JSON.stringify(element));
}

/**
 * Merges values that a change made the same: equal ones, and a changed one with any other of its identity, whose parts it
 * completes. If one of them was primary, the merged value is.
 *
 * @param isChanged whether the request changed a value
 */
export function merged(
  attribute: Attribute,
  elements: readonly ComplexValue[],
  isChanged: (element: ComplexValue) => boolean,
): ComplexValue[] {
  const changed = new Set(elements.filter(isChanged).map((element) => identityOf(attribute, element)));
  const byKey = new Map<string, ComplexValue>();
  for (const element of elements) {
    const identity = identityOf(attribute, element);
    // No identity is the text of a value: one is a list, the other an object.
    const key = changed.has(identity) ? identity : textOf(element);
    const other = byKey.get(key);
    byKey.set(key, other ? mergeTwo(attribute, other, element, isChanged) : element);
  }
  return [...byKey.values()];
}

function mergeTwo(
  attribute: Attribute,
  one: ComplexValue,
  other: ComplexValue,
  isChanged: (element: ComplexValue) => boolean,
): ComplexValue {
  const parts = isChanged(other) ? { ...one, ...other } : { ...other, ...one };
  const isPrimary = one.primary === true || other.primary === true;
  return withParts(attribute, isPrimary ? { ...parts, primary: true } : parts, new Map());
}

/** @returns the values with content beyond their type and whether they are primary, each once */
export function meaningful(elements: readonly ComplexValue[]): ComplexValue[] {
  const isMore = (name: string) => name !== 'type' && name !== 'primary';
  return distinct(elements.filter((element) => Object.keys(element).some(isMore)));
}

/** @throws ScimError `invalidValue` */
export function requireFew(values: readonly unknown[], where: string): void {
  if (values.length <= VALUE_LIMITS.values) return;
  throw new ScimError('invalidValue', `${where} has more than ${VALUE_LIMITS.values} values.`);
}

/**
 * The identity of a value: `value` and `type`, whose combination must not occur twice (RFC 7643, section 2.4); without
 * a `value`, everything except whether it is primary.
 *
 * @param attribute of the value; always the same for it
 */
export function identityOf(attribute: Attribute, element: ComplexValue): string {
  return once(identities, element, () => makeIdentity(attribute, element));
}

function makeIdentity(attribute: Attribute, element: ComplexValue): string {
  const value = findSubAttribute(attribute, 'value');
  const subs = attribute.subAttributes ?? [];
  const deciding =
    value && partOf(element, value) !== undefined
      ? subs.filter(({ name }) => name === 'value' || name === 'type')
      : subs.filter(({ name }) => name !== 'primary');
  return JSON.stringify(deciding.map((sub) => comparable(sub, partOf(element, sub))));
}

/** The cost of comparing values once: one each, and more for long strings. See PATCH_COMPARISONS. */
export function weigh(elements: readonly ComplexValue[]): number {
  let weight = elements.length;
  for (const element of elements) {
    for (const part of Object.values(element)) if (typeof part === 'string') weight += part.length / WEIGHTLESS;
  }
  return weight;
}

/** @returns whether a value is one of those to remove: compared by `value`, or by everything else if they have none */
export function isListed(attribute: Attribute, element: ComplexValue, listed: Parts): boolean {
  const hasValue = [...listed].some(([sub, part]) => sub.name === 'value' && part !== undefined);
  const deciding = [...listed].filter(
    ([{ name }, part]) => part !== undefined && (!hasValue || name === 'value' || name === 'type'),
  );
  return (
    deciding.length > 0 &&
    deciding.every(([sub, part]) => comparable(sub, partOf(element, sub)) === comparable(sub, part))
  );
}

/**
 * At most one value is primary: a new primary value replaces the former one (RFC 7644, section 3.5.2).
 *
 * @param values after the change
 * @param changed those that the request created or changed
 * @throws ScimError `invalidValue` if several of these are primary
 */
export function withOnePrimary(
  values: readonly ComplexValue[],
  changed: ReadonlySet<ComplexValue>,
  where: string,
): ComplexValue[] {
  const elected = values.filter((element) => element.primary === true && changed.has(element));
  if (elected.length > 1) throw new ScimError('invalidValue', `${where} would have more than one primary value.`);
  if (elected.length === 0) return [...values];
  return values.map((element) =>
    element.primary === true && element !== elected[0] ? { ...element, primary: false } : element,
  );
}

function comparable(sub: Attribute, part: string | boolean | undefined): string | boolean | null {
  if (part === undefined) return null;
  return typeof part === 'string' && !sub.caseExact ? part.toLowerCase() : part;
}
