import type { Attribute, ResourceType } from '../schema/attribute';
import { findSubAttribute, resolvePath } from '../schema/attribute-path';
import { ScimError } from '../scim-error';
import type { StoredAttribute, StoredValue } from './stored-attribute';
import { storedAttribute } from './stored-values';

/** The sort key of a list. */
export interface SortKey {
  /**
   * Over the alias `scim_users` or `scim_groups`, and exactly the expression of the indexes. Null if there is no value:
   * sorted last, or first if descending (RFC 7644, section 3.4.2.3), as in PostgreSQL.
   */
  readonly sql: string;
  readonly type: 'text' | 'uuid' | 'boolean' | 'timestamptz';
}

/**
 * Compiles `sortBy` to SQL (RFC 7644, section 3.4.2.3). A multi-valued attribute is sorted by its primary value, or the
 * first one; without a sub-attribute by its `value`. Strings are ordered by code point, in lower case unless the
 * attribute is case-exact.
 *
 * @throws ScimError `invalidPath` for attributes that the type does not have, and for those without an order: complex
 *   attributes without a sub-attribute, `schemas`, `groups`, `members`, and the URLs and versions that are not stored
 */
export function compileSort(type: ResourceType, sortBy: string): SortKey {
  const path = resolvePath(type, sortBy);
  if (!path) throw new ScimError('invalidPath', `"${sortBy}" is not an attribute of ${type.name}.`);
  const stored = storedAttribute(type, path);
  const sorted = path.sub ?? (stored.kind === 'many' ? findSubAttribute(path.attribute, 'value') : path.attribute);
  const key = sorted && keyOf(storedValue(stored, sorted), sorted.caseExact);
  if (!key) throw new ScimError('invalidPath', `"${sortBy}" cannot be sorted by.`);
  const sql =
    stored.kind === 'many'
      ? `(SELECT ${key.sql} FROM ${stored.from} WHERE ${stored.where} ORDER BY ${stored.order} LIMIT 1)`
      : key.sql;
  return { ...key, sql: key.type === 'text' ? `${sql} COLLATE "C"` : sql };
}

/** @returns undefined for several values without a first one, and for a complex value as a whole */
function storedValue(stored: StoredAttribute, sorted: Attribute): StoredValue | undefined {
  if (stored.kind === 'simple') return stored.value;
  return sorted.subAttributes || (stored.kind === 'many' && !stored.order) ? undefined : stored.sub(sorted.name);
}

/** @returns undefined for what is not stored */
function keyOf(value: StoredValue | undefined, caseExact: boolean): SortKey | undefined {
  if (!value || value.type === 'computed') return undefined;
  const { sql, type, fold = 'lower' } = value;
  if (type === 'flag') return { sql: `coalesce(${sql}, 'false') = 'true'`, type: 'boolean' };
  return { sql: type === 'text' && !caseExact ? `${fold}(${sql})` : sql, type };
}
