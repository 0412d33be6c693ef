import type { Attribute, ResourceType } from '../schema/attribute';
import { findSubAttribute, type ResolvedPath, resolvePath } from '../schema/attribute-path';
import { GROUP_TYPE } from '../schema/group-schema';
import { ScimError } from '../scim-error';
import { compileComparison, isPresent, negated } from './compile-comparison';
import type { Comparison, Filter, Presence, Test, ValuePath } from './filter';
import type { StoredAttribute, StoredValue } from './stored-attribute';
import { hasEmail, storedAttribute, storedMember } from './stored-values';
import { type TypedComparison, typedComparison, typedSubComparison } from './typed-comparison';

/**
 * Compiles a filter to SQL (RFC 7644, section 3.4.2.2). The semantics:
 *
 * - Strings are compared by code point; case-insensitive ones after PostgreSQL's `lower()` of both sides. A `userName`
 *   is compared by RFC 8265, and e-mail addresses for equality by the contract, section 12.2.
 * - A missing single value is not equal to anything: `ne` is true for it, any other comparison false.
 * - A multi-valued attribute satisfies a comparison if one of its values does; so `emails.type ne "work"` requires a
 *   type that is present and different, and is false without any. `not (emails.type eq "work")` is the opposite.
 * - A value path is about one and the same value, each sub-attribute of which is a single value:
 *   `emails[type ne "work"]` is true for an address without a type. It may also be applied to a complex attribute with
 *   one value.
 * - `eq null` is the opposite of `pr`, `ne null` the same. An empty string is a value, but not present.
 * - `primary` is false if it is missing (RFC 7643, section 2.4).
 * - A multi-valued attribute without a sub-attribute stands for its `value` (RFC 7643, section 2.4).
 *
 * No test is ever unknown, so `not` selects exactly the other rows, however deeply it is nested.
 *
 * @param values to append the parameters to; the SQL refers to them by position
 * @returns a condition over the alias `scim_users` or `scim_groups`, true for rows that satisfy the filter and false or
 *   null for the others; the caller restricts users to the non-deleted ones of one organisation
 * @throws ScimError `invalidFilter` for attributes that the type does not have and unsupported comparisons
 */
export function compileFilter(type: ResourceType, filter: Filter, values: unknown[]): string {
  return compileParts(filter, (test) => {
    const path = resolvePath(type, test.path);
    if (!path) throw new ScimError('invalidFilter', `"${test.path}" is not an attribute of ${type.name}.`);
    const stored = storedAttribute(type, path);
    return test.kind === 'value'
      ? compileValuePath(path, stored, test, values)
      : compileTest(path, stored, test, values);
  });
}

/**
 * Compiles the content of the brackets of `members[…]` to SQL.
 *
 * @returns a condition over the aliases `scim_group_members` and `scim_users`, joined on `scim_user_id`; see
 *   compileFilter
 * @throws ScimError `invalidFilter`
 */
export function compileMemberFilter(filter: Filter, values: unknown[]): string {
  const members = resolvePath(GROUP_TYPE, 'members');
  if (!members) throw new Error('The group schema has no attribute members.');
  return compileWithin(members.attribute, storedMember, filter, values);
}

function compileParts(filter: Filter, compileOne: (test: Test) => string): string {
  if (filter.kind === 'not') return negated(compileParts(filter.filter, compileOne));
  if (filter.kind !== 'and' && filter.kind !== 'or') return `(${compileOne(filter)})`;
  const parts = filter.filters.map((part) => compileParts(part, compileOne));
  return `(${parts.join(filter.kind === 'and' ? ' AND ' : ' OR ')})`;
}

function compileTest(
  path: ResolvedPath,
  stored: StoredAttribute,
  test: Presence | Comparison,
  values: unknown[],
): string {
  const { attribute } = path;
  // RFC 7643, section 2.4, allows it for lists; Entra ID queries `manager` the same way.
  const sub = path.sub ?? findSubAttribute(attribute, 'value');
  const comparison = typedComparison(sub ?? attribute, test);
  if (comparison.kind === 'presence') {
    const present = compilePresence(path, stored);
    return comparison.isPresent ? present : negated(present);
  }
  if (stored.kind === 'simple') return compileComparison(stored.value, comparison, test.path, values);
  const value = stored.sub((sub ?? attribute).name);
  if (stored.kind === 'complex') return compileComparison(value, comparison, test.path, values);
  if (attribute.name === 'emails' && isCertainEmail(sub, comparison)) return includesEmail(test, values);
  const sql = compileComparison(value, comparison, test.path, values);
  // A missing value does not differ; a missing flag is false.
  const mustBeThere = comparison.operator === 'ne' && value.type !== 'flag';
  return exists(stored, mustBeThere ? `${value.sql} IS NOT NULL AND ${sql}` : sql);
}

function compilePresence({ sub }: ResolvedPath, stored: StoredAttribute): string {
  if (stored.kind === 'simple') return isPresent(stored.value);
  if (!sub) return stored.kind === 'complex' ? stored.present : exists(stored, 'TRUE');
  const present = isPresent(stored.sub(sub.name));
  return stored.kind === 'many' ? exists(stored, present) : present;
}

function compileValuePath(
  { attribute, sub }: ResolvedPath,
  stored: StoredAttribute,
  { path, filter }: ValuePath,
  values: unknown[],
): string {
  if (stored.kind === 'simple' || !attribute.subAttributes || sub) {
    throw new ScimError('invalidFilter', `"${path}" cannot be followed by brackets, because it has no sub-attributes.`);
  }
  const within = compileWithin(attribute, stored.sub, filter, values);
  if (stored.kind === 'complex') return `${stored.present} AND ${within}`;
  const emails = attribute.name === 'emails' ? necessaryEmails(attribute, filter) : undefined;
  if (!emails) return exists(stored, within);
  return `${compileParts(emails, (test) => includesEmail(test, values))} AND ${exists(stored, within)}`;
}

/** A filter about one and the same value of an attribute. */
function compileWithin(
  attribute: Attribute,
  storedSub: (name: string) => StoredValue,
  filter: Filter,
  values: unknown[],
): string {
  return compileParts(filter, (test) => {
    const { sub, comparison } = typedSubComparison(attribute, test);
    return compileComparison(storedSub(sub.name), comparison, test.path, values);
  });
}

/**
 * Reduces a filter to what it requires of e-mail addresses. The result is true for all addresses of a user together if
 * the whole filter is true for one of them, and can be answered by an index.
 *
 * @returns undefined if it does not come down to specific addresses
 */
function necessaryEmails(attribute: Attribute, filter: Filter): Filter | undefined {
  if (filter.kind === 'not') return undefined;
  if (filter.kind === 'and' || filter.kind === 'or') {
    const parts = filter.filters.map((part) => necessaryEmails(attribute, part));
    const filters = parts.filter((part) => part !== undefined);
    const isKnown = filter.kind === 'and' ? filters.length > 0 : filters.length === parts.length;
    return isKnown ? { kind: filter.kind, filters } : undefined;
  }
  const { sub, comparison } = typedSubComparison(attribute, filter);
  return isCertainEmail(sub, comparison) ? filter : undefined;
}

function isCertainEmail(sub: Attribute | undefined, comparison: TypedComparison): boolean {
  return sub?.name === 'value' && comparison.kind === 'text' && comparison.operator === 'eq';
}

function includesEmail(test: Test, values: unknown[]): string {
  values.push(test.kind === 'compare' ? test.value : null);
  return hasEmail(`$${values.length}::text`);
}

function exists({ from, where }: StoredAttribute & { kind: 'many' }, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${from} WHERE ${where} AND ${condition})`;
}
