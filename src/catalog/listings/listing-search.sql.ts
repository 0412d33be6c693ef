import { MAX_PAGE_BYTES } from '../../http/requests/page';
import { LISTING_COLUMNS, LISTING_JOINS } from './listing-finder';
import { belongsTo, IS_NAME_PUBLIC, IS_PUBLIC_LISTING } from './listing-visibility.sql';
import type { ListingScope, ListingSort } from './listing-query';

/** The criteria of a list; all values become parameters. */
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
  /** Undefined for one that is planned each time. */
  name?: string;
  sql: string;
  values: unknown[];
}

class Values {
  readonly values: unknown[] = [];

  /** @returns the placeholder */
  add(value: unknown): `$${number}` {
    return `$${this.values.push(value)}`;
  }
}

/** The position of the last row of the previous page; the last two only of a list by rating. */
export type Position = [tier: number, distance: number, name: string, id: string, mean?: number, count?: number];

/** Sort keys, all ascending except those of `newest` and `rating`. */
const ORDER: Record<ListingSort, (of: string) => string> = {
  newest: (of) => `${of}.id DESC`,
  name: (of) => `${of}.name COLLATE "C", ${of}.id`,
  rating: (of) => `${of}.rating_mean DESC, ${of}.rating_count DESC, ${of}.id DESC`,
  relevance: (of) => `tier, distance, ${of}.name COLLATE "C", ${of}.id`,
};

/**
 * Upper bound of a listing's size in a response apart from its `shown_bytes`: texts with a maximum length, ids, times.
 */
const ROW_BYTES = 3_072;

/** The reason why a listing is archived has at most six bytes a character, as JSON escapes it. */
const REASON_BYTES = `coalesce(6 * length(archive_reason), 0)`;

/** How closely a listing matches the search; lower tiers come first. */
const TIER = { name: 0, called: 1, begins: 2, titleWords: 3, words: 4, nearly: 5, similar: 6 } as const;
type Tier = (typeof TIER)[keyof typeof TIER];

/**
 * What a search looks for: listings that have its words, or listings with words of a similar spelling. The second is
 * only for a search that found nothing, so it is a statement of its own: to plan both takes PostgreSQL twice as long. A
 * listing that is published between the two is found by the next search.
 */
export type Spelling = 'same' | 'similar';

/**
 * One page of listings; the last row says where the `next` page begins, unless it is the last page. Matches are ordered
 * on the sort keys alone; the other columns are read only for the page.
 * The public catalogue ordered by id or name uses a partial index; for searches see `sameTables`.
 *
 * @param spelling of the first page; later pages continue as the first one started
 */
export function listStatement(
  criteria: ListingCriteria,
  sort: ListingSort,
  after: Position | null,
  take: number,
  spelling: Spelling = 'same',
): Statement {
  const values = new Values();
  // Not a parameter: for a LIMIT of unknown size PostgreSQL plans to read a tenth of the table.
  const rows = String(take);
  const where = conditions(criteria, values).join(' AND ');
  const beyond = beyondOf(sort, after, values);
  const keys = sort === 'rating' ? 'id, name, rating_mean, rating_count' : 'id, name';
  const cut = (table: string, condition: string) =>
    `SELECT ${keys}, tier, distance FROM ${table} AS listings
     WHERE ${condition} AND ${beyond} ORDER BY ${ORDER[sort]('listings')} LIMIT ${rows}`;
  let tables = [`found AS (SELECT ${keys}, 0 AS tier, 0 AS distance FROM listings WHERE ${where})`];
  if (criteria.search !== undefined) {
    const select = (tier: Tier, condition: string, { but = 'true', distance = '0' } = {}) =>
      `(${cut(`(SELECT ${keys}, ${tier} AS tier, ${distance} AS distance FROM ${fenced(condition)} WHERE ${where} AND ${but})`, 'true')})`;
    const text = textOf(criteria.search, values);
    const isSimilar = after ? after[0] >= TIER.nearly : spelling === 'similar';
    tables = isSimilar
      ? similarTables(text, select, after, after ? undefined : everywhereOf(criteria, values))
      : sameTables(text, { keys, where, select, cut }, sort === 'relevance' ? rows : undefined);
  }
  const position = ['tier', 'distance', 'page.name', 'page.id'];
  if (sort === 'rating') position.push('page.rating_mean', 'page.rating_count');
  return {
    name: nameOf(criteria, sort, after, take, spelling),
    sql: `WITH ${tables.join(', ')},
          fetched AS (${cut('found', 'true')}),
          weighed AS (
            SELECT fetched.*, row_number() OVER page AS place, sum(bytes) OVER page AS weight
            FROM fetched CROSS JOIN LATERAL (
              SELECT shown_bytes + ${ROW_BYTES} + ${REASON_BYTES} AS bytes FROM listings WHERE id = fetched.id OFFSET 0) AS sizes
            WINDOW page AS (ORDER BY ${ORDER[sort]('fetched')})),
          page AS (
            SELECT *, count(*) OVER () AS places
            FROM weighed WHERE place < ${rows} AND (place = 1 OR weight <= ${MAX_PAGE_BYTES}))
          SELECT shown.*, CASE WHEN place = places AND places < (SELECT count(*) FROM fetched)
                            THEN jsonb_build_array(${position.join(', ')}) END AS next
          FROM page CROSS JOIN LATERAL (
            SELECT ${LISTING_COLUMNS} FROM listings ${LISTING_JOINS} WHERE listings.id = page.id OFFSET 0) AS shown
          ORDER BY place`,
    values: values.values,
  };
}

/** The sizes of the pages of prepared statements: the default, and that of the console. */
const PREPARED_LIMITS: readonly number[] = [30, 20];

/**
 * The name of the first page of a list without filters, and of a search: PostgreSQL plans them for longer than it runs
 * them. Each has one plan that is good for all texts. Twelve at most, because each takes about 0.7 MB of each connection.
 */
function nameOf(
  { scope, search, userId: _, ...filters }: ListingCriteria,
  sort: ListingSort,
  after: Position | null,
  take: number,
  spelling: Spelling,
): string | undefined {
  const isUsual = (scope === 'public' || scope === 'visible') && PREPARED_LIMITS.includes(take - 1) && !after;
  if (!isUsual || Object.values(filters).some((value) => value !== undefined)) return undefined;
  if (search === undefined) return sort === 'newest' ? `listings ${scope} ${take}` : undefined;
  return sort === 'relevance' ? `listings ${scope} search ${spelling} ${take}` : undefined;
}

/** By what listings are counted. */
export type Facet = 'category' | 'transport' | 'registryType';

const FACET_COLUMNS: Record<Facet, string> = {
  category: 'category_id',
  transport: 'transports',
  registryType: 'registry_types',
};

/** Publishers choose the registries of their packages, so only those are counted that most listings have. */
const MAX_FACET_VALUES = 50;

/** As long as a filter may be. */
const MAX_VALUE_LENGTH = 50;

/** The counts of one facet among `kinds`, in their order. */
const FACET_COUNTS: Record<Facet, string> = {
  category: `
    SELECT 'category' AS facet, categories.slug AS value, categories.name, sum(kinds.count)::int AS count,
           row_number() OVER (ORDER BY categories.display_order, categories.id) AS place
    FROM kinds JOIN categories ON categories.id = kinds.category_id GROUP BY categories.id`,
  transport: countsOfList('transport', 'transports'),
  registryType: countsOfList('registryType', 'registry_types'),
};

function countsOfList(facet: Facet, column: string): string {
  return `
    SELECT '${facet}' AS facet, value, value AS name, sum(kinds.count)::int AS count,
           row_number() OVER (ORDER BY sum(kinds.count) DESC, value) AS place
    FROM kinds CROSS JOIN unnest(kinds.${column}) AS value WHERE length(value) <= ${MAX_VALUE_LENGTH}
    GROUP BY value ORDER BY place LIMIT ${MAX_FACET_VALUES}`;
}

/**
 * The number of listings in each category, of each transport and of each registry, among those that a list with these
 * criteria would return. Listings of one kind are counted first: there are hundreds of kinds, whatever the number of listings.
 *
 * @param facets at least one
 */
export function facetsStatement(criteria: ListingCriteria, facets: readonly Facet[]): Statement {
  const values = new Values();
  const columns = facets.map((facet) => FACET_COLUMNS[facet]).join(', ');
  const where = conditions(criteria, values).join(' AND ');
  const tables = [`found AS (SELECT ${columns} FROM listings WHERE ${where})`];
  if (criteria.search !== undefined) {
    const text = textOf(criteria.search, values);
    const select = (condition: string, also = 'true') =>
      `SELECT id, ${columns} FROM ${fenced(condition)} WHERE ${where} AND ${also}`;
    tables.splice(
      0,
      1,
      `spelled AS MATERIALIZED (${[...text.begins, text.words, text.category].map((condition) => select(condition)).join(' UNION ')})`,
      `nearly AS MATERIALIZED (${select(`${text.nearly} AND ${isEmpty('spelled')}`)})`,
      `alike AS (${select(`${text.similar} AND ${isEmpty('spelled')} AND ${isEmpty('nearly')}`)})`,
      `found AS (${unionAll('spelled', 'nearly', 'alike')})`,
    );
  }
  tables.push(`kinds AS MATERIALIZED (SELECT ${columns}, count(*) AS count FROM found GROUP BY ${columns})`);
  return {
    sql: `WITH ${tables.join(', ')}
          SELECT facet, value, name, count
          FROM (${facets.map((facet) => `(${FACET_COUNTS[facet]})`).join(' UNION ALL ')}) AS counted
          ORDER BY facet, place`,
    values: values.values,
  };
}

/** The condition that a row comes after the given position. */
function beyondOf(sort: ListingSort, after: Position | null, values: Values): string {
  if (!after) return 'true';
  const [tier, distance, name, id, mean, count] = after;
  const lastId = `${values.add(id)}::uuid`;
  if (sort === 'newest') return `listings.id < ${lastId}`;
  if (sort === 'rating') {
    const [lastMean, lastCount] = [values.add(mean), values.add(count)];
    return `(listings.rating_mean, listings.rating_count, listings.id) < (${lastMean}::int, ${lastCount}::int, ${lastId})`;
  }
  const called = `${values.add(name)}, ${lastId}`;
  if (sort === 'name') return `(listings.name COLLATE "C", listings.id) > (${called})`;
  return `(tier, distance, listings.name COLLATE "C", listings.id) > (${values.add(tier)}::int, ${values.add(distance)}::int, ${called})`;
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
    case 'moderated':
      return `(${IS_NAME_PUBLIC} OR (listings.org_id IS NULL AND listings.owner_id IS NULL))`;
  }
}

/** The conditions that match a search text; each has its own index. */
interface SearchText {
  name: string;
  called: string;
  begins: string[];
  titleWords: string;
  words: string;
  category: string;
  nearly: string;
  nearness: string;
  similar: string;
  similarity: string;
}

function textOf(search: string, values: Values): SearchText {
  const text = `${values.add(search.trim().replace(/\s+/g, ' ').toLowerCase())}::text`;
  const [name, last, title] = ['lower(listings.name)', `lower(split_part(listings.name, '/', 2))`, 'lower(title)'];
  const titles = 'listing_titles(listings.name, title)';
  const lengths = [name, last, title].map((of) => `abs(length(${of}) - length(${text}))`);
  // Not LIKE, which uses an index only for a constant pattern: in a prepared statement it is a parameter.
  const begins = (of: string) => `(${of} ~>=~ ${text} AND ${of} ~<~ (${text} || chr(1114111)))`;
  // The range is repeated: where all rows have one value, a prepared statement would expect every text to be that one.
  const is = (of: string) => `(${begins(of)} AND ${of} = ${text})`;
  return {
    name: is(name),
    called: `(${is(last)} OR ${is(title)})`,
    begins: [name, last, title].map(begins),
    titleWords: `listing_spellings(listings.name, title) @@ words_query(${text})`,
    words: `listing_words(listings.name, title, description) @@ words_query(${text})`,
    category: `category_id IN (SELECT id FROM categories WHERE slug = ${text} OR lower(categories.name) = ${text})`,
    nearly: `listing_spellings(listings.name, title) @@ spellings_query(${text})`,
    nearness: `least(${lengths.join(', ')})`,
    similar: `${text} <% ${titles}`,
    similarity: `(1000 * (1 - word_similarity(${text}, ${titles})))::int`,
  };
}

/** A tier, limited to the page; `but` filters the rows that match the condition. */
type SelectTier = (tier: Tier, condition: string, more?: { but?: string; distance?: string }) => string;

interface Selects {
  /** The columns that the list is ordered by, and the id. */
  keys: string;
  /** What the caller may see, restricted by their filters. */
  where: string;
  select: SelectTier;
  /** Any table, limited to the page. */
  cut: (table: string, condition: string) => string;
}

/**
 * The common table expression `found` of the listings that have the words, and those that it is built from: one per
 * tier, each limited to the rows that fit on the page. The word tiers are not read at all once the page is full
 * (`rows`, for a list by relevance).
 *
 * Each tier reads its own index: the planner assumes that a single condition with OR matches everything. A listing
 * belongs to its first tier only; the word tiers are large, so that exclusion is checked row by row there.
 */
function sameTables(text: SearchText, { keys, where, select, cut }: Selects, rows: string | undefined): string[] {
  const unless = (...tables: string[]) =>
    rows ? `(SELECT count(*) FROM (${unionAll(...tables)}) AS t) < ${rows}` : 'true';
  const begins = `(${text.begins.join(' OR ')})`;
  const begun = text.begins.map((condition) =>
    select(TIER.begins, condition, { but: 'id NOT IN (SELECT id FROM called)' }),
  );
  const worded = [text.words, text.category].map((condition) =>
    select(TIER.words, `${condition} AND ${unless('begun', 'titled')}`, {
      but: `NOT ${begins} AND id NOT IN (SELECT id FROM listings WHERE ${text.titleWords})`,
    }),
  );
  return [
    `called AS MATERIALIZED (
       SELECT ${keys}, CASE WHEN ${text.name} THEN ${TIER.name} ELSE ${TIER.called} END AS tier, 0 AS distance
       FROM listings WHERE (${text.name} OR ${text.called}) AND ${where})`,
    `begun AS MATERIALIZED ((${cut('called', 'true')}) UNION ${begun.join(' UNION ')})`,
    `titled AS MATERIALIZED ${select(TIER.titleWords, `${text.titleWords} AND ${unless('begun')}`, { but: `NOT ${begins}` })}`,
    `worded AS MATERIALIZED (${worded.join(' UNION ')})`,
    `found AS (${unionAll('begun', 'titled', 'worded')})`,
  ];
}

/**
 * The same for words of a similar spelling: `nearly`, or `alike` if that is empty. A later page stays in its tier, even if
 * a listing that has the words has been published since.
 *
 * @param everywhere if there is a filter by category, the same conditions without it: list and facets must agree on
 *   when to look for typos, so there are none for words that another category has
 */
function similarTables(
  text: SearchText,
  select: SelectTier,
  after: Position | null,
  everywhere: string | undefined,
): string[] {
  const nowhere = (conditions: string[]) =>
    everywhere === undefined
      ? 'true'
      : conditions
          .map((condition) => `NOT EXISTS (SELECT FROM ${fenced(condition)} WHERE ${everywhere})`)
          .join(' AND ');
  const nearly = (condition: string) =>
    select(TIER.nearly, `${text.nearly} AND ${condition}`, { distance: text.nearness });
  const alike = (condition: string) =>
    select(TIER.similar, `${text.similar} AND ${condition}`, { distance: text.similarity });
  if (after) return [`found AS ${after[0] === TIER.nearly ? nearly('true') : alike('true')}`];
  const unsaid = nowhere([...text.begins, text.words, text.category]);
  return [
    `nearly AS MATERIALIZED ${nearly(unsaid)}`,
    `alike AS ${alike(`${unsaid} AND ${isEmpty('nearly')} AND ${nowhere([text.nearly])}`)}`,
    `found AS (${unionAll('nearly', 'alike')})`,
  ];
}

function everywhereOf(criteria: ListingCriteria, values: Values): string | undefined {
  if (criteria.category === undefined) return undefined;
  return conditions({ ...criteria, category: undefined }, values).join(' AND ');
}

/**
 * The rows of an indexed condition, behind an optimisation fence (OFFSET 0). Otherwise the planner may scan the whole
 * public catalogue in page order, because it expects to find enough matches early or has no statistics yet for a
 * catalogue that was just imported.
 */
function fenced(condition: string): string {
  return `(SELECT * FROM listings WHERE ${condition} OFFSET 0) AS listings`;
}

function unionAll(...tables: string[]): string {
  return tables.map((table) => `SELECT * FROM ${table}`).join(' UNION ALL ');
}

function isEmpty(...tables: string[]): string {
  return tables.map((table) => `NOT EXISTS (SELECT FROM ${table})`).join(' AND ');
}
