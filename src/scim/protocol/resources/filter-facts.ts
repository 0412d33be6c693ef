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
 * What a filter says of a value that it would find: `type eq "work" and primary eq true` says both. Only `eq`, alone or
 * joined by `and`, says what a value is; all else only says what it is not, or leaves a choice. Whether what it says can
 * be true at once is not looked into: a value made of it that does not fulfil the filter is none.
 *
 * @param where path of the attribute, for the error
 * @returns undefined if the filter does not say what the value is
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
 * Whether a value may be created because none matches. RFC 7644, section 3.5.2.3 has `noTarget` for that; Entra ID
 * counts on `emails[type eq "work"].value` being created. So a filter that names nothing but a kind of value creates it,
 * and one that looks for a certain value (`emails[value eq "ada@…"]`) does not: what it names need never have existed.
 */
export function namesKindOnly(facts: Parts): boolean {
  return [...facts.keys()].every(({ name }) => KINDS.has(name));
}
