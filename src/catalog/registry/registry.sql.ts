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
export type Position = [name: string, version: string, updatedAt: string];

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

const CATEGORY = `
  JOIN listings ON listings.id = versions.listing_id JOIN categories ON categories.id = listings.category_id`;

const BY_NAME = 'server_name COLLATE "C", version COLLATE "C"';

/** What everybody sees now; the partial indexes listing_versions_public… hold exactly these. */
const PUBLIC = `SELECT *, true AS is_there, true AS is_shown FROM listing_versions
  WHERE audience = 'public' AND status <> 'deleted'`;

/** What everybody sees or once saw. One that is private by now is only told to be gone. */
const ONCE_PUBLIC = `SELECT *, audience = 'public' AND status <> 'deleted' AS is_there, NOT is_private AS is_shown
  FROM listing_versions WHERE was_public`;

/** What only the members of an organisation see, or saw; $n is the organisation. */
function ofOrganisation(orgId: string, includeDeleted: boolean): string {
  return includeDeleted
    ? `SELECT *, audience <> 'none' AND status <> 'deleted' AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND published_at IS NOT NULL`
    : `SELECT *, true AS is_there, true AS is_shown
       FROM listing_versions WHERE org_id = ${orgId} AND audience = 'organisation' AND status <> 'deleted'`;
}

/** The rows of a registry, in parts that have an index each and share no row. */
function partsOf(includeDeleted: boolean, orgId: string | null): string[] {
  const everybodys = includeDeleted ? ONCE_PUBLIC : PUBLIC;
  if (orgId === null) return [everybodys];
  const others = includeDeleted ? `${everybodys} AND org_id IS DISTINCT FROM ${orgId}` : everybodys;
  return [others, ofOrganisation(orgId, includeDeleted)];
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
  const order = filter.updatedSince ? `updated_at, ${BY_NAME}` : BY_NAME;
  if (after) {
    const [name, version, updatedAt] = after;
    const position = [...(filter.updatedSince ? [updatedAt] : []), name, version].map(add);
    conditions.push(`(${order}) > (${position.join(', ')})`);
  }
  const parts = partsOf(filter.includeDeleted, filter.orgId === null ? null : add(filter.orgId)).map(
    (part) => `(${[part, ...conditions].join(' AND ')} ORDER BY ${order} LIMIT ${limit})`,
  );
  return {
    sql: `WITH versions AS (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts ORDER BY ${order} LIMIT ${limit})
          SELECT ${COLUMNS} FROM versions ${CATEGORY}
          ORDER BY ${filter.updatedSince ? 'versions.updated_at, ' : ''}
                   versions.server_name COLLATE "C", versions.version COLLATE "C"`,
    values,
  };
}

/**
 * The versions of one server, newest first.
 *
 * @param version only this one; null: the latest one; undefined: all
 */
export function versionsStatement(
  name: string,
  version: string | null | undefined,
  { orgId, includeDeleted }: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
): Statement {
  const values: unknown[] = [name];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = partsOf(includeDeleted, orgId === null ? null : add(orgId));
  const one = version === undefined ? '' : version === null ? 'AND is_latest' : `AND version = ${add(version)}`;
  const rows = parts.map((part) => `${part} AND server_name COLLATE "C" = $1 ${one}`).join(' UNION ALL ');
  return {
    sql: `WITH versions AS (${rows}) SELECT ${COLUMNS} FROM versions ${CATEGORY}
          ORDER BY versions.published_at DESC NULLS LAST, versions.created_at DESC, versions.version COLLATE "C" DESC`,
    values,
  };
}
