import { LISTING_COLUMNS, LISTING_JOINS } from './listing-finder';
import { belongsTo, IS_PUBLIC_LISTING } from './listing-visibility.sql';
import type { ListingScope, ListingSort } from './listing-query';

/** What a list asks for; all values become parameters. */
export interface ListingCriteria {
  userId: string;
  scope: ListingScope | 'organisation';
  orgId?: string;
  category?: string;
  status?: string;
  visibility?: string;
  transport?: string;
  registryType?: string;
  search?: string;
}

/** A statement and its parameters. */
export interface Statement {
  sql: string;
  values: unknown[];
}

class Values {
  readonly values: unknown[] = [];

  /** @returns the parameter's name */
  add(value: unknown): `$${number}` {
    return `$${this.values.push(value)}`;
  }
}

/** The position of the last row of the page before, by the order of the list. */
export type Position = (string | number)[];

/** What a row is ordered by: the expression of each column, all ascending but the id. */
const ORDER: Record<ListingSort, string> = {
  newest: 'listings.id DESC',
  name: 'listings.name COLLATE "C", listings.id',
  relevance: 'found.tier, found.distance, listings.name COLLATE "C", listings.id',
};

const POSITION: Record<ListingSort, string> = {
  newest: 'jsonb_build_array(listings.id)',
  name: 'jsonb_build_array(listings.name, listings.id)',
  relevance: 'jsonb_build_array(found.tier, found.distance, listings.name, listings.id)',
};

/**
 * One page of listings with their positions.
 *
 * The public catalogue in the order of ids or names is read from a partial index; a search is found first, by indexes
 * of names, words and trigrams, and ordered then.
 */
export function listStatement(
  criteria: ListingCriteria,
  sort: ListingSort,
  after: Position | null,
  take: number,
): Statement {
  const values = new Values();
  const which = conditions(criteria, values).join(' AND ');
  const [found, source] = from(criteria, which, values);
  const where = [which, ...(after ? [beyond(sort, after, values)] : [])].join(' AND ');
  return {
    sql: `${found} SELECT ${LISTING_COLUMNS}, ${POSITION[sort]} AS position FROM ${source} ${LISTING_JOINS}
          WHERE ${where} ORDER BY ${ORDER[sort]} LIMIT ${values.add(take)}`,
    values: values.values,
  };
}

/** How many listings there are in each category. */
export function facetsStatement(criteria: ListingCriteria): Statement {
  const values = new Values();
  const where = conditions(criteria, values).join(' AND ');
  const [found, source] = from(criteria, where, values);
  return {
    sql: `${found} SELECT categories.slug AS category, categories.name, counted.count::int AS count
          FROM (SELECT listings.category_id, count(*) AS count FROM ${source}
                WHERE ${where} GROUP BY listings.category_id) AS counted
          JOIN categories ON categories.id = counted.category_id
          ORDER BY categories.display_order, categories.id`,
    values: values.values,
  };
}

function beyond(sort: ListingSort, after: Position, values: Values): string {
  if (sort === 'newest') return `listings.id < ${values.add(after[0])}`;
  if (sort === 'name')
    return `(listings.name COLLATE "C", listings.id) > (${values.add(after[0])}, ${values.add(after[1])})`;
  const [tier, distance, name, id] = after.map((value) => values.add(value));
  return `(found.tier, found.distance, listings.name COLLATE "C", listings.id) > (${tier}::int, ${distance}::int, ${name}, ${id}::uuid)`;
}

function conditions(criteria: ListingCriteria, values: Values): string[] {
  const { category, status, visibility, transport, registryType } = criteria;
  return [
    scopeCondition(criteria, values),
    category && `listings.category_id = (SELECT id FROM categories WHERE slug = ${values.add(category)})`,
    status && `listings.status = ${values.add(status)}::listing_status`,
    visibility && `listings.visibility = ${values.add(visibility)}::visibility`,
    transport && `listings.transports @> ARRAY[${values.add(transport)}::text]`,
    registryType && `listings.registry_types @> ARRAY[${values.add(registryType)}::text]`,
  ].filter((condition): condition is string => Boolean(condition));
}

function scopeCondition({ scope, userId, orgId }: ListingCriteria, values: Values): string {
  switch (scope) {
    case 'organisation':
      return `listings.org_id = ${values.add(orgId)}`;
    case 'mine':
      return `listings.owner_id = ${values.add(userId)} AND listings.org_id IS NULL`;
    case 'visible':
      return `(${IS_PUBLIC_LISTING} OR ${belongsTo(values.add(userId))})`;
    case 'public':
      return IS_PUBLIC_LISTING;
  }
}

/**
 * @param where what may be found at all: what is not to be seen must not decide whether a typing error is looked for
 * @returns the common table expressions of a search, and what is selected from
 */
function from({ search }: ListingCriteria, where: string, values: Values): [string, string] {
  if (search === undefined) return ['', 'listings'];
  const text = search.trim().replace(/\s+/g, ' ').toLowerCase();
  const exact = values.add(text);
  const prefix = values.add(`${text.replace(/[\\%_]/g, '\\$&')}%`);
  const words = values.add(toQuery(text));
  return [
    // One branch for each index: of a single condition with OR the planner believes that it is true of everything.
    `WITH candidate AS (
       SELECT id FROM listings WHERE lower(name) LIKE ${prefix}
       UNION SELECT id FROM listings WHERE lower(split_part(name, '/', 2)) LIKE ${prefix}
       UNION SELECT id FROM listings WHERE lower(title) LIKE ${prefix}
       UNION SELECT id FROM listings WHERE listing_words(name, title, description) @@ to_tsquery('simple', ${words})
       UNION SELECT listings.id FROM categories JOIN listings ON listings.category_id = categories.id
             WHERE categories.slug = ${exact} OR lower(categories.name) = ${exact}
     ),
     named AS MATERIALIZED (
       SELECT id, CASE WHEN lower(name) = ${exact} THEN 0
                       WHEN lower(split_part(name, '/', 2)) = ${exact} OR lower(title) = ${exact} THEN 1
                       WHEN lower(name) LIKE ${prefix} OR lower(split_part(name, '/', 2)) LIKE ${prefix}
                         OR lower(title) LIKE ${prefix} THEN 2
                       WHEN strpos(listing_titles(name, title), ${exact}) > 0 THEN 3
                       ELSE 4 END AS tier
       FROM candidate JOIN listings USING (id) WHERE ${where}
     ),
     -- A typing error is looked for only where nothing is spelled right; it would cost more than all the rest.
     nearly AS MATERIALIZED (
       SELECT id, (1000 * (1 - word_similarity(${exact}, listing_titles(name, title))))::int AS distance
       FROM listings
       WHERE ${exact} <% listing_titles(name, title) AND ${where} AND NOT EXISTS (SELECT 1 FROM named)
     ),
     found AS (
       SELECT id, tier, 0 AS distance FROM named UNION ALL SELECT id, 5 AS tier, distance FROM nearly
     )`,
    'found JOIN listings ON listings.id = found.id',
  ];
}

/** All words of the text, each as it is or as the beginning of one; a text without a word finds nothing by words. */
function toQuery(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => `'${word}':*`).join(' & ');
}
