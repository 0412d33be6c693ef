import { GREATEST_ID } from '../../database/id';
import { MAX_PAGE_BYTES } from '../../http/requests/page';

/** The filter of `/servers`. */
export interface RegistryFilter {
  /** Null: the public registry. Otherwise what members of this organisation see, which includes the public registry. */
  orgId: string | null;
  /** Part of the name, ignoring case. */
  search?: string;
  /** `latest` or a version. */
  version?: string;
  /** Exclusive. */
  updatedSince?: Date;
  includeDeleted: boolean;
}

/** The last row of the previous page. */
export type Position = [name: string, version: string, updatedAt: string, listingId?: string];

/** The last row of the previous page of one server's versions. */
export type VersionPosition = [publishedAt: string, createdAt: string, version: string, listingId: string];

/** Upper bound of a version's size apart from its document and status message: its name twice, times, ids. */
const ENVELOPE_BYTES = 1_024;

/** A statement and its parameters. */
export interface Statement {
  /** Undefined for one that is planned each time. */
  name?: string;
  sql: string;
  values: unknown[];
}

const COLUMNS = `
  versions.listing_id, categories.slug AS category, versions.server_name, versions.version,
  versions.server::text AS document,
  CASE WHEN versions.is_there THEN versions.status ELSE 'deleted' END AS status, versions.status_message,
  versions.status_changed_at, versions.published_at, versions.created_at, versions.updated_at, versions.is_latest,
  versions.is_shown`;

/**
 * Limits `fetched` to a page: always the first row, then further rows up to `limit` rows and MAX_PAGE_BYTES. `is_last`
 * is true if everything fetched fits on the page.
 */
function fitting(order: string, take: string): string {
  return `
    weighed AS (
      SELECT *, row_number() OVER page AS place,
             sum(server_bytes + coalesce(octet_length(status_message), 0) + ${ENVELOPE_BYTES}) OVER page AS weight
      FROM fetched WINDOW page AS (ORDER BY ${order})),
    versions AS (
      SELECT *, count(*) OVER () = (SELECT count(*) FROM fetched) AS is_last
      FROM weighed WHERE place < ${take} AND (place = 1 OR weight <= ${MAX_PAGE_BYTES}))`;
}

const CATEGORY = `
  JOIN listings ON listings.id = versions.listing_id JOIN categories ON categories.id = listings.category_id`;

const BY_NAME = 'server_name COLLATE "C", version COLLATE "C"';

/** Versions that are public now; the partial indexes listing_versions_public… contain exactly these rows. */
const PUBLIC = `SELECT *, true AS is_there, true AS is_shown FROM listing_versions
  WHERE audience = 'public' AND status <> 'deleted'`;

/**
 * Hides a deleted row if a current one has its name: a name that was given up may belong to another listing now.
 *
 * @param isThere the condition that the row is current
 */
function unlessSucceeded(isThere: string): string {
  return `(${isThere} OR ${noRow(`listing_versions AS living
    WHERE living.server_name COLLATE "C" = listing_versions.server_name COLLATE "C"
      AND living.version COLLATE "C" = listing_versions.version COLLATE "C"
      AND living.audience = 'public' AND living.status <> 'deleted'`)})`;
}

/**
 * That no row of a table fulfils a condition, evaluated by index for each row of a page. For NOT EXISTS the planner
 * would hash or scan the whole table, because it does not know how few rows are checked.
 */
function noRow(rows: string): string {
  // Not IS NULL, which the planner estimates to be true for hardly any row.
  return `coalesce((SELECT false FROM ${rows} LIMIT 1), true)`;
}

const IS_PUBLIC = `audience = 'public' AND status <> 'deleted'`;

/** For an organisation's own listings. */
const IS_SEEN = `audience <> 'none' AND status <> 'deleted'`;

/** Versions that are or once were public. Those that are private now appear only as deleted. */
const ONCE_PUBLIC = `SELECT *, ${IS_PUBLIC} AS is_there, NOT is_private AS is_shown
  FROM listing_versions WHERE was_public AND ${unlessSucceeded(IS_PUBLIC)}`;

/**
 * In an organisation's registry, its own private listing replaces a public one of the same name, so that outsiders
 * cannot substitute another server by publishing one.
 */
function unlessOwn(orgId: string): string {
  return noRow(`listings AS own
    WHERE lower(own.name COLLATE "C") = lower(listing_versions.server_name COLLATE "C") AND own.org_id = ${orgId}
      AND own.status = 'PUBLISHED' AND own.visibility = 'PRIVATE'`);
}

/** Versions that only the members of an organisation see or once saw. */
function ofOrganisation(orgId: string, includeDeleted: boolean): string {
  return includeDeleted
    ? `SELECT *, ${IS_SEEN} AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND published_at IS NOT NULL AND ${unlessSucceeded(IS_SEEN)}`
    : `SELECT *, true AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND audience = 'organisation' AND status <> 'deleted'`;
}

/** The rows of a registry in disjoint parts, each with its own index. */
function partsOf(includeDeleted: boolean, orgId: string | null): string[] {
  const everyones = includeDeleted ? ONCE_PUBLIC : PUBLIC;
  if (orgId === null) return [everyones];
  const others = includeDeleted ? `${everyones} AND org_id IS DISTINCT FROM ${orgId}` : everyones;
  return [`${others} AND ${unlessOwn(orgId)}`, ofOrganisation(orgId, includeDeleted)];
}

/**
 * The name of a statement without a search: each combination of its parts has one plan, along one index. A search is
 * planned each time, because the plan for a rare text is not the one for a frequent text.
 *
 * @param parts those that are false are left out
 */
function nameOf(list: string, filter: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>, ...parts: (string | false)[]) {
  const all = ['registry', list, filter.orgId !== null && 'own', filter.includeDeleted && 'deleted', ...parts];
  return all.filter((part) => part !== false).join(' ');
}

/**
 * One page of versions ordered by name and version; with `updatedSince` by last change, so that a version that changes
 * during a crawl appears again at the end instead of being missed. Each part reads one partial index from the position
 * on, and at most as many rows as a page has.
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
  // Only deleted rows can share a name and a version.
  const order = [
    ...(filter.updatedSince ? ['updated_at'] : []),
    BY_NAME,
    ...(filter.includeDeleted ? ['listing_id'] : []),
  ];
  if (after) {
    // Cursors of release 0.1 do not contain the id of the last listing.
    const [name, version, updatedAt, listingId = GREATEST_ID] = after;
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
  const sql = `WITH fetched AS (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY ${by} LIMIT ${limit}),
          ${fitting(by, limit)}
          SELECT ${COLUMNS}, versions.is_last FROM versions ${CATEGORY} ORDER BY versions.place`;
  if (filter.search !== undefined) return { sql, values };
  const version = filter.version !== undefined && (filter.version === 'latest' ? 'latest' : 'version');
  const name = nameOf('servers', filter, version, filter.updatedSince !== undefined && 'changes', !!after && 'after');
  return { name, sql, values };
}

/** A statement that selects one version of a server. @param version null: the latest one */
export function versionStatement(
  name: string,
  version: string | null,
  { orgId, includeDeleted }: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
): Statement {
  const values: unknown[] = [name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = partsOf(includeDeleted, orgId === null ? null : add(orgId));
  const condition = version === null ? 'is_latest' : `version = ${add(version)}`;
  const rows = parts.map((part) => `${part} AND server_name COLLATE "C" = $1 AND ${condition}`).join(' UNION ALL ');
  const sql = `WITH versions AS (${rows}) SELECT ${COLUMNS} FROM versions ${CATEGORY}
          ORDER BY is_there DESC, versions.published_at DESC NULLS LAST LIMIT 1`;
  const wanted = version === null ? 'latest' : 'version';
  return { name: nameOf('server', { orgId, includeDeleted }, wanted), sql, values };
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
  const by = order.map((column) => `${column} DESC`).join(', ');
  const sql = `WITH fetched AS (SELECT * FROM (${rows}) AS parts ORDER BY ${by} LIMIT ${limit}),
          ${fitting(by, limit)}
          SELECT ${COLUMNS}, versions.is_last FROM versions ${CATEGORY} ORDER BY versions.place`;
  return { name: nameOf('versions', { orgId, includeDeleted }, !!after && 'after'), sql, values };
}

/** Finds the stored spelling of a name that differs only in case. */
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
  const sql = `SELECT server_name AS name FROM (${rows}) AS versions ORDER BY is_there DESC, 1 LIMIT 1`;
  return { sql, values };
}
