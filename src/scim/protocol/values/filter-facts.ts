import type { Filter } from '../filter/filter';
import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import { readSimple } from './attribute-value';
import type { Parts } from './complex-value';

/** @returns the number of comparisons in a filter */
export function countTests(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, one) => sum + countTests(one), 0);
    case 'not':
    case 'value':
      return countTests(filter.filter);
    case 'present':
    case 'compare':
      return 1;
  }
}

/** Kinds of values rather than values: an identity provider that sets "the work address" need not know of any. */
const KINDS: ReadonlySet<string> = new Set(['type', 'primary']);

/**
 * What a filter implies about the values that match it: `type eq "work" and primary eq true` implies both. Only `eq`,
 * alone or joined by `and`, determines a value; everything else only excludes values or leaves a choice. Contradictions
 * are not detected here: the caller checks a value made from the facts against the filter.
 *
 * @param where path of the attribute, for the error
 * @returns undefined if the filter does not determine the value
 * @throws ScimError `invalidValue` for what could not be stored
 */
export function factsOf(filter: Filter, attribute: Attribute, where: string): Parts | undefined {
  const facts: Parts = new Map();
  return addFacts(filter) ? facts : undefined;

  function addFacts(test: Filter): boolean {
    if (test.kind === 'and') return test.filters.every(addFacts);
    if (test.kind !== 'compare' || test.operator !== 'eq') return false;
    const sub = findSubAttribute(attribute, test.path);
    if (!sub) return false;
    const value = readSimple(sub, test.value, `${where}.${sub.name}`);
    if (value !== undefined) facts.set(sub, value);
    return value !== undefined;
  }
}

/**
 * Whether a value may be created if none matches. RFC 7644, section 3.5.2.3 requires `noTarget` then; Entra ID relies
 * on `emails[type eq "work"].value` being created. So a filter that names only a kind of value creates it, and one that
 * selects a specific value (`emails[value eq "ada@…"]`) does not: that value may never have existed.
 */
export function namesKindOnly(facts: Parts): boolean {
  return [...facts.keys()].every(({ name }) => KINDS.has(name));
}
