import { foldedAddress } from '../../../users/address';
import type { Attribute } from '../schema/attribute';
import type { ComplexValue } from '../schema/user-document';
import type { ComparisonOperator, Filter } from './filter';
import { type TypedComparison, typedSubComparison } from './typed-comparison';

/** Decides whether one value of a multi-valued attribute is meant. */
export type ValueMatcher = (value: ComplexValue) => boolean;

/**
 * Makes a test of single values of a user's own multi-valued attributes, from what stands in the brackets of a PATCH
 * path. It means what it means to compileFilter, but is decided in memory, where the user is being changed. The
 * differences: JavaScript and PostgreSQL disagree about the small letters of a few capitals, as "İ" and "Σ", and a domain
 * is what is written, not its A-labels.
 *
 * @param attribute the one before the brackets
 * @throws ScimError `invalidFilter` for what the attribute does not have and for comparisons that it does not know
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
 * Makes sure that a filter fits an attribute, as there may be no value that would show it.
 *
 * @throws ScimError as valueMatcher
 */
export function checkValueFilter(filter: Filter, attribute: Attribute): void {
  valueMatcher(filter, attribute);
}

/** valueMatcher for a single value: of many, make the matcher once. */
export function matchesValue(filter: Filter, value: ComplexValue, attribute: Attribute): boolean {
  return valueMatcher(filter, attribute)(value);
}

type PartMatcher = (part: string | boolean | undefined) => boolean;

const smallLetters = (text: string): string => text.toLowerCase();

/** @param equalForm in which texts are equal that do not mind the case */
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
  // By code point, which the order of UTF-8 is and that of UTF-16 is not.
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
