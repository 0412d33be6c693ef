import { foldedAddress } from '../../../users/address';
import type { Attribute } from '../schema/attribute';
import type { ComplexValue } from '../schema/user-document';
import type { ComparisonOperator, Filter } from './filter';
import { type TypedComparison, typedSubComparison } from './typed-comparison';

/** Whether one value of a multi-valued attribute matches. */
export type ValueMatcher = (value: ComplexValue) => boolean;

/**
 * Creates a test of single values of a user's own multi-valued attributes, from the content of the brackets of a PATCH
 * path. Its semantics are those of compileFilter, but it runs in memory, where the user is being changed. The
 * differences: JavaScript and PostgreSQL disagree on the lower case of a few letters, such as "İ" and "Σ", and a domain
 * is compared as written, not by its A-labels.
 *
 * @param attribute the one before the brackets
 * @throws ScimError `invalidFilter` for sub-attributes that it does not have and unsupported comparisons
 */
export function valueMatcher(filter: Filter, attribute: Attribute): ValueMatcher {
  if (filter.kind === 'not') {
    const matches = valueMatcher(filter.filter, attribute);
    return (value) => !matches(value);
  }
  if (filter.kind === 'and' || filter.kind === 'or') {
    const parts = filter.filters.map((part) => valueMatcher(part, attribute));
    return filter.kind === 'and'
      ? (value) => parts.every((matches) => matches(value))
      : (value) => parts.some((matches) => matches(value));
  }
  const { sub, comparison } = typedSubComparison(attribute, filter);
  const isAddress = attribute.name === 'emails' && sub.name === 'value';
  const matches = partMatcher(comparison, sub.name, isAddress ? foldedAddress : smallLetters);
  return (value) => matches(Object.hasOwn(value, sub.name) ? value[sub.name] : undefined);
}

/**
 * Checks that a filter fits an attribute, which must fail even if there is no value to test.
 *
 * @throws ScimError as valueMatcher
 */
export function checkValueFilter(filter: Filter, attribute: Attribute): void {
  valueMatcher(filter, attribute);
}

/** valueMatcher for a single value; for many, create the matcher once. */
export function matchesValue(filter: Filter, value: ComplexValue, attribute: Attribute): boolean {
  return valueMatcher(filter, attribute)(value);
}

type PartMatcher = (part: string | boolean | undefined) => boolean;

const smallLetters = (text: string): string => text.toLowerCase();

/** @param equalForm the normal form for comparing case-insensitive strings for equality */
function partMatcher(comparison: TypedComparison, name: string, equalForm: (text: string) => string): PartMatcher {
  if (comparison.kind === 'presence') {
    return (part) => (part !== undefined && part !== '') === comparison.isPresent;
  }
  if (comparison.operator === 'ne') {
    const isEqual = partMatcher({ ...comparison, operator: 'eq' }, name, equalForm);
    return (part) => !isEqual(part);
  }
  if (comparison.kind === 'boolean') {
    const missing = name === 'primary' ? false : undefined;
    return (part) => (part ?? missing) === comparison.value;
  }
  // Users have no dates.
  if (comparison.kind !== 'text') return () => false;
  const { operator, value, caseExact } = comparison;
  const fold = operator === 'eq' ? equalForm : smallLetters;
  const matches = textMatcher(operator, caseExact ? value : fold(value));
  return (part) => typeof part === 'string' && matches(caseExact ? part : fold(part));
}

function textMatcher(operator: ComparisonOperator, value: string): (text: string) => boolean {
  const bytes = Buffer.from(value);
  // By code point, which is the order of UTF-8 but not that of UTF-16.
  const order = (text: string) => Buffer.compare(Buffer.from(text), bytes);
  switch (operator) {
    case 'eq':
      return (text) => text === value;
    case 'ne':
      return (text) => text !== value;
    case 'co':
      return (text) => text.includes(value);
    case 'sw':
      return (text) => text.startsWith(value);
    case 'ew':
      return (text) => text.endsWith(value);
    case 'gt':
      return (text) => order(text) > 0;
    case 'ge':
      return (text) => order(text) >= 0;
    case 'lt':
      return (text) => order(text) < 0;
    case 'le':
      return (text) => order(text) <= 0;
  }
}
