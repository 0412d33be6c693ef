import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { many, maybe } from '../../database/statements';
import { ErrorCode } from '../catalog.errors';
import { NotFoundError, ValidationError, requireFound } from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { RegistryCategoriesOut, RegistryFacetsOut, RegistryQuery, RegistryVersionsQuery } from './registry.dto';
import { RegistryListRow, RegistryRow, toServerResponse } from './registry-row';
import {
  listStatement,
  type Position,
  type RegistryFilter,
  spellingStatement,
  type VersionPosition,
  versionsStatement,
  versionStatement,
} from './registry.sql';

const LIST = 'registry servers';
const VERSIONS = 'registry versions';

/** Page size of a server's versions, which have no `limit`. The maximum among 1,055 real servers is 72. */
const MAX_VERSIONS = 1_000;

/** Strings only, because the filter is part of the cursor. */
type Filter = Partial<Record<'org' | 'search' | 'version' | 'updated_since' | 'include_deleted', string>>;

type VersionsFilter = Partial<Record<'org' | 'server' | 'include_deleted', string>>;

/**
 * The generic MCP registry API: public listings, and an organisation's private ones (contract, section 10). Everything
 * is given as JSON, for the DTO classes of `registry.dto.ts`.
 */
@Injectable()
export class RegistryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /**
   * One page. The cursor contains the filter, because a well-known client sends nothing else for the next page.
   *
   * @param orgId null: the public registry
   * @throws ValidationError for a cursor of another registry, or `include_deleted=false` together with `updated_since`
   */
  async list(orgId: string | null, { limit, cursor, ...filters }: RegistryQuery): Promise<string> {
    if (filters.updated_since !== undefined && filters.include_deleted === false) {
      throw new ValidationError([
        {
          loc: ['query', 'include_deleted'],
          msg: 'Must not be false together with updated_since, which always includes deleted versions.',
          type: 'value_error',
        },
      ]);
    }
    const page = this.pages.open<Filter>(
      LIST,
      { limit, cursor },
      {
        org: orgId ?? undefined,
        search: filters.search === '' ? undefined : filters.search,
        version: filters.version === '' ? undefined : filters.version,
        updated_since: filters.updated_since,
        include_deleted: filters.include_deleted ? 'true' : undefined,
      },
    );
    // A cursor of another registry is invalid here, even if no other parameter is sent.
    if ((page.filter.org ?? null) !== orgId) throw foreignCursor();
    const { search, version, updated_since, include_deleted } = page.filter;
    const { values, ...statement } = listStatement(
      {
        orgId,
        search,
        version,
        updatedSince: updated_since === undefined ? undefined : new Date(updated_since),
        includeDeleted: include_deleted !== undefined || updated_since !== undefined,
      },
      page.position<Position>(),
      page.take,
    );
    const rows = await many<RegistryListRow>(this.dataSource, statement, values);
    const position = ({ server_name, version, updated_at, listing_id }: RegistryListRow): Position => [
      server_name,
      version,
      updated_at.toISOString(),
      listing_id,
    ];
    return listOf(page.closeSized(rows, toServerResponse, position));
  }

  /**
   * The versions of a server, newest first. Returns all of them unless they exceed a page.
   *
   * @throws NotFoundError if there are none; ValidationError for a cursor of another registry
   */
  async versions(orgId: string | null, name: string, { cursor, ...filters }: RegistryVersionsQuery): Promise<string> {
    const page = this.pages.open<VersionsFilter>(
      VERSIONS,
      { limit: MAX_VERSIONS, cursor: cursor === '' ? undefined : cursor },
      { org: orgId ?? undefined, server: name, include_deleted: filters.include_deleted ? 'true' : undefined },
    );
    if ((page.filter.org ?? null) !== orgId) throw foreignCursor();
    const filter = { orgId, includeDeleted: page.filter.include_deleted !== undefined };
    const after = page.position<VersionPosition>();
    const read = (spelling: string) => {
      const { values, ...statement } = versionsStatement(spelling, filter, after, page.take);
      return many<RegistryListRow>(this.dataSource, statement, values);
    };
    const rows = await this.spelled(name, filter, read, (versions) => versions.length > 0);
    if (rows.length === 0) throw new NotFoundError(ErrorCode.ServerNotFound, name);
    const position = ({ published_at, created_at, version, listing_id }: RegistryListRow): VersionPosition => [
      (published_at ?? created_at).toISOString(),
      created_at.toISOString(),
      version,
      listing_id,
    ];
    return listOf(page.closeSized(rows, toServerResponse, position));
  }

  /** @param version `latest` or a version. @throws NotFoundError */
  async version(orgId: string | null, name: string, version: string, includeDeleted: boolean): Promise<string> {
    const filter = { orgId, includeDeleted };
    const read = (spelling: string) => {
      const { values, ...statement } = versionStatement(spelling, version === 'latest' ? null : version, filter);
      return maybe<RegistryRow>(this.dataSource, statement, values);
    };
    const row = await this.spelled(name, filter, read, (match) => match !== undefined);
    return toServerResponse(requireFound(row, ErrorCode.ServerNotFound, `${name} ${version}`));
  }

  /** Reads by name; if nothing is found, by the same name in another case (contract, section 12.3). */
  private async spelled<T>(
    name: string,
    filter: Pick<RegistryFilter, 'orgId' | 'includeDeleted'>,
    read: (spelling: string) => Promise<T>,
    isFound: (result: T) => boolean,
  ): Promise<T> {
    const result = await read(name);
    if (isFound(result)) return result;
    const { values, ...statement } = spellingStatement(name, filter);
    const other = await maybe<{ name: string }>(this.dataSource, statement, values);
    return other && other.name !== name ? read(other.name) : result;
  }

  /** In display order, with counts as of the last refresh. */
  async categories(): Promise<string> {
    const categories = await many<RegistryCategoriesOut['categories'][number]>(
      this.dataSource,
      `SELECT slug, name, description, icon, COALESCE(mcp_count, 0) AS count
       FROM categories LEFT JOIN category_counts ON category_counts.category_id = categories.id
       ORDER BY display_order, categories.id`,
    );
    return JSON.stringify({ categories } satisfies RegistryCategoriesOut);
  }

  /** Counts the public servers of each category whose name contains the text. */
  async facets(search: string | undefined): Promise<string> {
    const pattern = search ? `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : null;
    const facets = await many<RegistryFacetsOut['facets'][number]>(
      this.dataSource,
      `SELECT categories.slug AS category, counted.count::int AS count
       FROM (SELECT category_id, count(*) AS count FROM listings
             WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC' AND ($1::text IS NULL OR lower(name) LIKE $1)
             GROUP BY category_id) AS counted
       JOIN categories ON categories.id = counted.category_id
       ORDER BY categories.display_order, categories.id`,
      [pattern],
    );
    const total = facets.reduce((sum, { count }) => sum + count, 0);
    return JSON.stringify({ total, facets } satisfies RegistryFacetsOut);
  }
}

function foreignCursor(): ValidationError {
  return new ValidationError([
    {
      loc: ['query', 'cursor'],
      msg: 'The cursor belongs to another registry. Start again without a cursor.',
      type: 'value_error',
    },
  ]);
}

/** @returns the body of a list; `servers` are JSON already */
function listOf({ items: servers, next }: Page<string>): string {
  return `{"servers":[${servers.join(',')}],"metadata":${JSON.stringify({ count: servers.length, nextCursor: next })}}`;
}
