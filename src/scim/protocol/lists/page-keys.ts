import type { SortKey } from '../filter/sort';

/** One type of resource in a list: its table, and which rows. */
export interface Source {
  table: 'scim_users' | 'scim_groups';
  /** @param values to append its parameters to @returns a condition over the table; includes tenancy */
  condition: (values: unknown[]) => string;
  /** The sort key of the list; undefined: unsorted. A source without such a value has a null there. */
  sort: SortKey | undefined;
}

/** The position of a resource in a list. */
export interface PageKey {
  /** The index of its source. */
  source: number;
  id: string;
  /** The sort value, as PostgreSQL writes it. */
  sort: string | null;
}

export interface PageRange {
  descending: boolean;
  /** The resource to begin after; undefined: at `offset`. */
  after?: PageKey;
  offset: number;
  limit: number;
}

export interface Statement {
  sql: string;
  values: unknown[];
}

/** A condition on the part of a source after a position; none: all of it. */
type Range = (bind: (value: unknown, type: string) => string) => string;

/** The number of resources in all sources. */
export function countStatement(sources: readonly Source[]): Statement {
  const values: unknown[] = [];
  const counts = sources.map(
    ({ table, condition }) => `(SELECT count(*) FROM ${table} WHERE ${condition(values)})::int`,
  );
  return { sql: `SELECT ${counts.join(' + ')} AS total`, values };
}

/**
 * The keys of a page: by sort value, then source, then id. Resources without a sort value come last; first, if
 * descending (RFC 7644, section 3.4.2.3). What follows a position is at most two index ranges, one with a sort value
 * and one without, so that a page costs the same wherever it is.
 */
export function keysStatement(sources: readonly Source[], page: PageRange): Statement {
  const { descending, offset, limit } = page;
  const isSorted = sources[0]?.sort !== undefined;
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const ranges = sources.flatMap((source, rank) =>
    rangesAfter(source, rank, page).map((range) => ({ source, rank, range })),
  );
  const direction = descending ? 'DESC' : 'ASC';
  const isOnly = ranges.length === 1;
  const parts = ranges.map(({ source: { table, condition, sort }, rank, range }) => {
    const where = `${condition(values)} AND ${range(bind)}`;
    return `
      (SELECT ${rank} AS source, id, ${sort ? `(${sort.sql})` : 'NULL::text'} AS sort FROM ${table} WHERE ${where}
       ORDER BY ${sort ? `(${sort.sql}) ${direction}, id ${direction}` : 'id'}
       LIMIT ${bind(isOnly ? limit : offset + limit, 'bigint')} OFFSET ${bind(isOnly ? offset : 0, 'bigint')})`;
  });
  const order = isSorted ? `sort ${direction}, source, id ${direction}` : 'source, id';
  const sql = `
    SELECT source, id, sort::text AS sort FROM (${parts.join(' UNION ALL ')}) AS keys
    ORDER BY ${order} LIMIT ${bind(limit, 'bigint')} OFFSET ${bind(isOnly ? 0 : offset, 'bigint')}`;
  return { sql, values };
}

/** The ranges of a source after a position in the list. */
function rangesAfter({ sort }: Source, rank: number, { after, descending }: PageRange): Range[] {
  const all: Range = () => 'TRUE';
  if (!after) return [all];
  if (!sort) {
    if (rank < after.source) return [];
    return rank > after.source ? [all] : [(bind) => `id > ${bind(after.id, 'uuid')}`];
  }
  const key = `(${sort.sql})`;
  const nulls: Range = () => `${key} IS NULL`;
  const beyond = descending ? '<' : '>';
  if (after.sort === null) {
    const afterNulls: Range[] = descending ? [() => `${key} IS NOT NULL`] : [];
    if (rank < after.source) return afterNulls;
    if (rank > after.source) return [nulls, ...afterNulls];
    return [(bind) => `${key} IS NULL AND id ${beyond} ${bind(after.id, 'uuid')}`, ...afterNulls];
  }
  const range: Range = (bind) => {
    const value = bind(after.sort, sort.type);
    if (rank < after.source) return `${key} ${beyond} ${value}`;
    if (rank > after.source) return `${key} ${beyond}= ${value}`;
    return `(${key}, id) ${beyond} (${value}, ${bind(after.id, 'uuid')})`;
  };
  return descending ? [range] : [range, nulls];
}
