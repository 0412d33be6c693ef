import { STORED_ID } from '../../../database/id';
import { ScimError } from '../scim-error';
import type { ComparisonOperator } from './filter';
import type { StoredValue } from './stored-attribute';
import type { TypedComparison } from './typed-comparison';

const ORDER = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

/** Whether a condition is false or null. */
export function negated(sql: string): string {
  return `(${sql}) IS NOT TRUE`;
}

/** Whether a value is present and not an empty string (RFC 7644, table 3: `pr`). */
export function isPresent({ sql, type, present = 'TRUE' }: StoredValue): string {
  if (type === 'text') return `${sql} <> ''`;
  return type === 'flag' ? `${sql} IS NOT NULL` : present;
}

/**
 * Compiles a test of a single value to SQL. An index on an expression only serves comparisons with exactly that
 * expression; see the migrations.
 *
 * @param name of the attribute in the request
 * @param values to append the parameter to
 * @returns a condition that is true, or else false or null
 * @throws ScimError `invalidFilter` for an attribute that is not stored
 */
export function compileComparison(
  value: StoredValue,
  comparison: TypedComparison,
  name: string,
  values: unknown[],
): string {
  const bind = (parameter: unknown, type: string) => `$${values.push(parameter)}::${type}`;
  if (comparison.kind === 'presence') return comparison.isPresent ? isPresent(value) : negated(isPresent(value));
  if (value.type === 'computed') {
    throw new ScimError('invalidFilter', `"${name}" is a URL or a version; a filter supports only pr for it.`);
  }
  if (comparison.operator === 'ne') {
    return negated(compileComparison(value, { ...comparison, operator: 'eq' }, name, values));
  }
  if (comparison.kind === 'impossible') return 'FALSE';
  if (comparison.kind === 'boolean') {
    return value.type === 'flag'
      ? `coalesce(${value.sql}, 'false') = to_jsonb(${bind(comparison.value, 'boolean')})`
      : `${value.sql} = ${bind(comparison.value, 'boolean')}`;
  }
  if (comparison.kind === 'instant') {
    return `${value.sql} ${ORDER[comparison.operator]} ${bind(comparison.value.toISOString(), 'timestamptz')}`;
  }
  if (value.type === 'uuid') {
    if (comparison.operator !== 'eq')
      return compareText(`${value.sql}::text`, comparison.operator, bind(comparison.value, 'text'));
    // Compared in the database's spelling: case-exact, like everything of that type.
    return STORED_ID.test(comparison.value) ? `${value.sql} = ${bind(comparison.value, 'uuid')}` : 'FALSE';
  }
  const parameter = bind(comparison.value, 'text');
  if (comparison.caseExact) return compareText(value.sql, comparison.operator, parameter);
  const fold = value.fold ?? (comparison.operator === 'eq' ? value.foldEqual : undefined) ?? 'lower';
  return compareText(`${fold}(${value.sql})`, comparison.operator, `${fold}(${parameter})`);
}

function compareText(value: string, operator: Exclude<ComparisonOperator, 'ne'>, operand: string): string {
  const text = `${value} COLLATE "C"`;
  switch (operator) {
    case 'co':
      return `strpos(${text}, ${operand}) > 0`;
    case 'sw':
      return `starts_with(${text}, ${operand})`;
    case 'ew':
      return `right(${text}, length(${operand})) = ${operand}`;
    default:
      return `${text} ${ORDER[operator]} ${operand}`;
  }
}
