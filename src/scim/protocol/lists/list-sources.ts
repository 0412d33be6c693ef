import { compileFilter } from '../filter/compile';
import type { Filter, Test } from '../filter/filter';
import { parseFilter } from '../filter/parse';
import { compileSort, type SortKey } from '../filter/sort';
import type { ResourceType } from '../schema/attribute';
import { resolvePath } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import type { ScimQuery } from '../scim-resource';
import type { Source } from './page-keys';

/**
 * The sources of a list: one per type of resource, with the tenancy condition outside of any filter.
 *
 * If a list has several types (RFC 7644, section 3.4.2.1), an attribute that one of them lacks has no value there; one
 * that all of them lack is an error.
 *
 * @throws ScimError invalidFilter, invalidPath
 */
export function sourcesOf(
  orgId: string,
  types: readonly ResourceType[],
  { filter: text, sortBy }: Pick<ScimQuery, 'filter' | 'sortBy'>,
): Source[] {
  const filter = text === undefined ? undefined : parseFilter(text);
  const keys = sortBy === undefined ? [] : sortKeys(types, sortBy);
  return types.map((type, index) => {
    const own = filter && ownFilter(filter, type, types);
    return {
      table: type.name === 'User' ? 'scim_users' : 'scim_groups',
      condition: (values) => {
        const conditions = [`org_id = $${values.push(orgId)}`];
        if (type.name === 'User') conditions.push('deleted_at IS NULL');
        if (own) conditions.push(`(${compileFilter(type, own, values)})`);
        return conditions.join(' AND ');
      },
      sort: keys[index],
    };
  });
}

function sortKeys(types: readonly ResourceType[], sortBy: string): SortKey[] {
  const own = types.map((type) => (isOf(type, sortBy) ? compileSort(type, sortBy) : undefined));
  const sortKey = own.find((key) => key !== undefined);
  if (!sortKey) throw new ScimError('invalidPath', `"${sortBy}" is not an attribute of ${named(types)}.`);
  const { type } = sortKey;
  return own.map((key) => key ?? { sql: `NULL::${type}${type === 'text' ? ' COLLATE "C"' : ''}`, type });
}

/** The filter, with the tests of attributes that the type lacks already decided. */
function ownFilter(filter: Filter, type: ResourceType, types: readonly ResourceType[]): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => ownFilter(part, type, types)) };
    case 'not':
      return { ...filter, filter: ownFilter(filter.filter, type, types) };
    default:
      return isOf(type, filter.path) ? filter : decided(filter, types);
  }
}

/**
 * The result of a test of a missing value: see compileFilter. Whether the test is valid is checked where its attribute
 * is compiled.
 */
function decided(test: Test, types: readonly ResourceType[]): Filter {
  const path = types.map((type) => resolvePath(type, test.path)).find((resolved) => resolved !== undefined);
  if (!path) throw new ScimError('invalidFilter', `"${test.path}" is not an attribute of ${named(types)}.`);
  const isTrue =
    test.kind === 'compare' &&
    (test.value === null ? test.operator === 'eq' : test.operator === 'ne' && !path.attribute.multiValued);
  const always: Filter = { kind: 'present', path: 'id' };
  return isTrue ? always : { kind: 'not', filter: always };
}

function isOf(type: ResourceType, path: string): boolean {
  return resolvePath(type, path) !== undefined;
}

function named(types: readonly ResourceType[]): string {
  return types.map(({ name }) => name).join(' or ');
}
