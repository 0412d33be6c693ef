import { MOST_PAGE_BYTES } from '../../http/requests/page';

/** What `/servers` asks for. */
export interface RegistryFilter {
  /** Null: the public registry; else what the members of this organisation see, which includes the public one. */
  orgId: string | null;
  /** A part of the name, whatever its case. */
  search?: string;
  /** `latest`, or one version. */
  version?: string;
  /** Strictly after. */
  updatedSince?: Date;
  includeDeleted: boolean;
}

/** The last row of the page before. */
export type Position = [name: string, version: string, updatedAt: string, listingId?: string];

/** The same of the versions of one server. */
export type VersionPosition = [publishedAt: string, createdAt: string, version: string, listingId: string];

/** What a version takes besides its document and its status message, at most: its name twice, times, ids. */
const ENVELOPE_BYTES = 1_024;

/** After all listings, for the cursors of release 0.1, which do not say which one was the last. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A statement and its parameters. */
export interface Statement {
  sql: string;
  values: unknown[];
}

const COLUMNS = `
  versions.listing_id, categories.slug AS category, versions.server_name, versions.version, versions.server,
  CASE WHEN versions.is_there THEN versions.status ELSE 'deleted' END AS status, versions.status_message,
  versions.status_changed_at, versions.published_at, versions.created_at, versions.updated_at, versions.is_latest,
  versions.is_shown`;

/**
 * What of `fetched` fits into a page: the first row, and the next ones up to `limit` rows and MOST_PAGE_BYTES. `is_last` says
 * of each whether nothing was fetched beyond the page.
 */
function fitting(order: string, take: string): string {
  return `
    weighed AS (
      SELECT *, row_number() OVER page AS place,
             sum(server_bytes + coalesce(octet_length(status_message), 0) + ${ENVELOPE_BYTES}) OVER page AS weight
      FROM fetched WINDOW page AS (ORDER BY ${order})),
    versions AS (
      SELECT *, count(*) OVER () = (SELECT count(*) FROM fetched) AS is_last
      FROM weighed WHERE place < ${take} AND (place = 1 OR weight <= ${MOST_PAGE_BYTES}))`;
}

const CATEGORY = `
  JOIN listings ON listings.id = versions.listing_id JOIN categories ON categories.id = listings.category_id`;

const BY_NAME = 'server_name COLLATE "C", version COLLATE "C"';

/** What everybody sees now; the partial indexes listing_versions_public… hold exactly these. */
const PUBLIC = `SELECT *, true AS is_there, true AS is_shown FROM listing_versions
  WHERE audience = 'public' AND status <> 'deleted'`;

/**
 * A row that is gone gives way to one that is there: a name that was given up may be another listing's by now.
 *
 * @param isThere the condition that the row is not gone
 */
function unlessSucceeded(isThere: string): string {
  return `(${isThere} OR ${none(`listing_versions AS living
    WHERE living.server_name COLLATE "C" = listing_versions.server_name COLLATE "C"
      AND living.version COLLATE "C" = listing_versions.version COLLATE "C"
      AND living.audience = 'public' AND living.status <> 'deleted'`)})`;
}

/**
 * That no row of a table fulfils a condition, asked by its index for each row of a page. Of NOT EXISTS the planner would
 * make a hash of the whole table, or go through it for each row, as it does not know how few rows it asks for.
 */
function none(rows: string): string {
  // Not IS NULL, of which it believes that it is hardly ever true.
  return `coalesce((SELECT false FROM ${rows} LIMIT 1), true)`;
}

const IS_PUBLIC = `audience = 'public' AND status <> 'deleted'`;

/** Of an organisation's own listing. */
const IS_SEEN = `audience <> 'none' AND status <> 'deleted'`;

/** What everybody sees or once saw. Of one that is private by now, only that it is gone. */
const ONCE_PUBLIC = `SELECT *, ${IS_PUBLIC} AS is_there, NOT is_private AS is_shown
  FROM listing_versions WHERE was_public AND ${unlessSucceeded(IS_PUBLIC)}`;

/**
 * In the registry of an organisation, its own private listing stands in for a public one of the same name: nobody
 * outside can put another server in its place by publishing one.
 */
function unlessOwn(orgId: string): string {
  return none(`listings AS own
    WHERE lower(own.name COLLATE "C") = lower(listing_versions.server_name COLLATE "C") AND own.org_id = ${orgId}
      AND own.status = 'PUBLISHED' AND own.visibility = 'PRIVATE'`);
}

/** What only the members of an organisation see, or saw; $n is the organisation. */
function ofOrganisation(orgId: string, includeDeleted: boolean): string {
  return includeDeleted
    ? `SELECT *, ${IS_SEEN} AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND published_at IS NOT NULL AND ${unlessSucceeded(IS_SEEN)}`
    : `SELECT *, true AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND audience = 'organisation' AND status <> 'deleted'`;
}

/** The rows of a registry, in parts that have an index each and share no row. */
function partsOf(includeDeleted: boolean, orgId: string | null): string[] {
  const everybodys = includeDeleted ? ONCE_PUBLIC : PUBLIC;
  if (orgId === null) return [everybodys];
  const others = includeDeleted ? `${everybodys} AND org_id IS DISTINCT FROM ${orgId}` : everybodys;
  return [`${others} AND ${unlessOwn(orgId)}`, ofOrganisation(orgId, includeDeleted)];
}

/**
 * One page of versions, in the order of names and versions; with `updatedSince` in the order of their last changes, so
 * that what changes during a crawl comes again at its end instead of being missed. Each part reads one partial index
 * from the position on, and no more rows than a page has.
 */
export function listStatement(filter: RegistryFilter, after: Position | null, take: number): Statement {
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const limit = add(take);
  const conditions: string[] = [];
  if (filter.version === 'latest') conditions.push('is_latest');
  else if (filter.version !== undefined) conditions.push(`version = ${add(filter.version)}`);
  if (filter.search !== undefined) {
    conditions.push(`lower(server_name) LIKE ${add(`%${filter.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)}`);
  }
  if (filter.updatedSince) conditions.push(`updated_at > ${add(filter.updatedSince)}`);
  // Only rows that are gone can share a name and a version.
  const order = [
    ...(filter.updatedSince ? ['updated_at'] : []),
    BY_NAME,
    ...(filter.includeDeleted ? ['listing_id'] : []),
  ];
  if (after) {
    const [name, version, updatedAt, listingId = LAST_ID] = after;
    const position = [
      ...(filter.updatedSince ? [updatedAt] : []),
      ...[name, version],
      ...(filter.includeDeleted ? [listingId] : []),
    ].map(add);
    conditions.push(`(${order.join(', ')}) > (${position.join(', ')})`);
  }
  const by = order.join(', ');
  const parts = partsOf(filter.includeDeleted, filter.orgId === null ? null : add(filter.orgId)).map(
    (part) => `(${[part, ...conditions].join(' AND ')} ORDER BY ${by} LIMIT ${limit})`,
  );
  return {
    sql: `WITH fetched AS (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY ${by} LIMIT ${limit}),
          ${fitting(by, limit)}
          SELECT ${COLUMNS}, versions.is_last FROM versions ${CATEGORY} ORDER BY versions.place`,
    values,
  };
}

/** A statement that gives one version of a server. @param version null: the latest one */
export function versionStatement(
  name: string,
  version: string | null,
  { orgId, includeDeleted }: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
): Statement {
  const values: unknown[] = [name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = partsOf(includeDeleted, orgId === null ? null : add(orgId));
  const one = version === null ? 'is_latest' : `version = ${add(version)}`;
  const rows = parts.map((part) => `${part} AND server_name COLLATE "C" = $1 AND ${one}`).join(' UNION ALL ');
  return {
    sql: `WITH versions AS (${rows}) SELECT ${COLUMNS} FROM versions ${CATEGORY}
          ORDER BY is_there DESC, versions.published_at DESC NULLS LAST LIMIT 1`,
    values,
  };
}

/** One page of the versions of a server, newest first. */
export function versionsStatement(
  name: string,
  { orgId, includeDeleted }: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
  after: VersionPosition | null,
  take: number,
): Statement {
  const values: unknown[] = [name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const limit = add(take);
  const order = ['coalesce(published_at, created_at)', 'created_at', 'version COLLATE "C"', 'listing_id'];
  const beyond = after ? ` AND (${order.join(', ')}) < (${after.map(add).join(', ')})` : '';
  const rows = partsOf(includeDeleted, orgId === null ? null : add(orgId))
    .map((part) => `${part} AND server_name COLLATE "C" = $1${beyond}`)
    .join(' UNION ALL ');
  const by = order.map((one) => `${one} DESC`).join(', ');
  return {
    sql: `WITH fetched AS (SELECT * FROM (${rows}) AS parts ORDER BY ${by} LIMIT ${limit}),
          ${fitting(by, limit)}
          SELECT ${COLUMNS}, versions.is_last FROM versions ${CATEGORY} ORDER BY versions.place`,
    values,
  };
}

/** How a server is spelled here whose name is the same but for its case, if it is there. */
export function spellingStatement(
  name: string,
  { orgId, includeDeleted }: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
): Statement {
  const values: unknown[] = [name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const rows = partsOf(includeDeleted, orgId === null ? null : add(orgId))
    .map(
      (part) =>
        `${part} AND listing_id IN (SELECT id FROM listings WHERE lower(name COLLATE "C") = lower($1 COLLATE "C"))`,
    )
    .join(' UNION ALL ');
  return { sql: `SELECT server_name AS name FROM (${rows}) AS versions ORDER BY is_there DESC, 1 LIMIT 1`, values };
}
