import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import { parseDateTime } from './date-time';
import type { Comparison, ComparisonOperator, Presence, Test } from './filter';

/** A test with a value of the attribute's type. */
export type TypedComparison =
  | {
      readonly kind: 'text';
      readonly operator: ComparisonOperator;
      readonly value: string;
      readonly caseExact: boolean;
    }
  | { readonly kind: 'boolean'; readonly operator: 'eq' | 'ne'; readonly value: boolean }
  | { readonly kind: 'instant'; readonly operator: Order; readonly value: Date }
  /** Not equal to anything that can be stored. */
  | { readonly kind: 'impossible'; readonly operator: 'eq' | 'ne' }
  /** `pr`, which equals `ne null`; or `eq null`, its opposite. */
  | { readonly kind: 'presence'; readonly isPresent: boolean };

type Order = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';

const EQUALITY: readonly ComparisonOperator[] = ['eq', 'ne'];
const ORDER: readonly ComparisonOperator[] = [...EQUALITY, 'gt', 'ge', 'lt', 'le'];
const ALL: readonly ComparisonOperator[] = [...ORDER, 'co', 'sw', 'ew'];

/** Booleans and binaries have no order (RFC 7644, table 3); only strings have substrings. No schema has numbers. */
const OPERATORS: Record<Attribute['type'], readonly ComparisonOperator[]> = {
  string: ALL,
  reference: ALL,
  binary: EQUALITY,
  boolean: EQUALITY,
  dateTime: ORDER,
  integer: [],
  decimal: [],
  complex: [],
};

/**
 * Checks a test against its attribute. Entra ID sends booleans as the strings "True" and "False".
 *
 * @throws ScimError `invalidFilter` for an operator that the type does not support and for a value of another type
 */
export function typedComparison(attribute: Attribute, test: Presence | Comparison): TypedComparison {
  if (test.kind === 'present') return { kind: 'presence', isPresent: true };
  const { path, operator, value } = test;
  const wrong = (reason: string) => new ScimError('invalidFilter', `"${path} ${operator}" ${reason}.`);
  if (value === null) {
    if (!isEquality(operator)) throw wrong('cannot be followed by null, which only eq and ne support');
    return { kind: 'presence', isPresent: operator === 'ne' };
  }
  const operators = OPERATORS[attribute.type];
  if (operators.length === 0) throw wrong('compares what has no value of its own; name one of its sub-attributes');
  if (!operators.includes(operator)) {
    throw wrong(`is not possible: an attribute of type ${attribute.type} supports ${operators.join(', ')} and pr`);
  }
  if (attribute.type === 'boolean') {
    const flag = readBoolean(value);
    if (flag === undefined || !isEquality(operator)) throw wrong('must be followed by true or false');
    return { kind: 'boolean', operator, value: flag };
  }
  if (typeof value !== 'string') throw wrong('must be followed by a string in double quotes');
  if (attribute.type !== 'dateTime') return { kind: 'text', operator, value, caseExact: attribute.caseExact };
  const comparison = typedInstant(operator, value);
  if (!comparison) throw wrong('must be followed by a date and time, as "2026-11-20T08:30:00Z"');
  return comparison;
}

/**
 * Finds the sub-attribute that a test in the brackets of a value path is about, and checks the test against it.
 *
 * @param attribute the one before the brackets
 * @throws ScimError `invalidFilter`
 */
export function typedSubComparison(attribute: Attribute, test: Test): { sub: Attribute; comparison: TypedComparison } {
  const sub = findSubAttribute(attribute, test.path);
  if (!sub) throw new ScimError('invalidFilter', `"${test.path}" is not a sub-attribute of ${attribute.name}.`);
  if (test.kind === 'value') throw new ScimError('invalidFilter', `"${test.path}" cannot be followed by brackets.`);
  return { sub, comparison: typedComparison(sub, test) };
}

/**
 * No stored instant equals one between two of them, or outside of their years. For one before an instant, `gt` and `ge`
 * both mean from that instant on, and `lt` and `le` both mean before it; for one after an instant, those after it and up
 * to it.
 */
function typedInstant(operator: ComparisonOperator, text: string): TypedComparison | undefined {
  const parsed = parseDateTime(text);
  if (!parsed) return undefined;
  const { instant: value, position } = parsed;
  if (position === 'exact') return { kind: 'instant', operator: operator as Order, value };
  if (isEquality(operator)) return { kind: 'impossible', operator };
  const isLater = operator === 'gt' || operator === 'ge';
  if (position === 'before') return { kind: 'instant', operator: isLater ? 'ge' : 'lt', value };
  return { kind: 'instant', operator: isLater ? 'gt' : 'le', value };
}

function readBoolean(value: string | number | boolean): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  return text === 'true' || (text === 'false' ? false : undefined);
}

function isEquality(operator: ComparisonOperator): operator is 'eq' | 'ne' {
  return EQUALITY.includes(operator);
}
