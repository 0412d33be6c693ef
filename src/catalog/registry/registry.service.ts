import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ErrorCode, NotFoundError, ValidationError } from '../../http/errors';
import { Pages } from '../../http/page';
import { RegistryCategoriesOut, RegistryFacetsOut, RegistryQuery, ServerListOut } from './registry.dto';
import { RegistryRow, ServerResponse, toServerResponse } from './registry-row';
import { listStatement, type Position, versionsStatement } from './registry.sql';

const LIST = 'registry servers';

/** Only texts: it travels in the cursor. */
type Filter = Partial<Record<'org' | 'search' | 'version' | 'updated_since' | 'include_deleted', string>>;

/**
 * The generic MCP registry API over the listings that are published and public; for an organisation with its private
 * ones (contract, section 10).
 */
@Injectable()
export class RegistryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /**
   * One page. The cursor carries the filter, since a well-known client asks for the next page with nothing else.
   *
   * @param orgId null: the public registry
   * @throws ValidationError for a foreign cursor, or `include_deleted=false` together with `updated_since`
   */
  async list(orgId: string | null, { limit, cursor, ...asked }: RegistryQuery): Promise<ServerListOut> {
    if (asked.updated_since !== undefined && asked.include_deleted === false) {
      throw new ValidationError([
        {
          loc: ['query', 'include_deleted'],
          msg: 'Whoever asks for what changed must be told what was deleted: leave it out with updated_since.',
          type: 'value_error',
        },
      ]);
    }
    const request = this.pages.open<Filter>(
      LIST,
      { limit, cursor },
      {
        org: orgId ?? undefined,
        search: asked.search === '' ? undefined : asked.search,
        version: asked.version === '' ? undefined : asked.version,
        updated_since: asked.updated_since,
        include_deleted: asked.include_deleted ? 'true' : undefined,
      },
    );
    // A cursor of another registry is none of this one, even if it is asked for with nothing else.
    if ((request.filter.org ?? null) !== orgId) throw foreignCursor();
    const { search, version, updated_since, include_deleted } = request.filter;
    const { sql, values } = listStatement(
      {
        orgId,
        search,
        version,
        updatedSince: updated_since === undefined ? undefined : new Date(updated_since),
        includeDeleted: include_deleted !== undefined || updated_since !== undefined,
      },
      request.after === undefined ? null : (JSON.parse(request.after) as Position),
      request.take,
    );
    const rows = await this.dataSource.query<RegistryRow[]>(sql, values);
    const page = this.pages.close(
      LIST,
      request,
      rows.map((row) => ({ ...row, id: row.listing_id })),
      toServerResponse,
      (row) => JSON.stringify([row.server_name, row.version, row.updated_at.toISOString()] satisfies Position),
    );
    return {
      servers: page.items,
      metadata: { count: page.items.length, ...(page.next !== undefined && { nextCursor: page.next }) },
    };
  }

  /** All versions of a server, newest first. @throws NotFoundError when none is there */
  async versions(orgId: string | null, name: string, includeDeleted: boolean): Promise<ServerListOut> {
    const { sql, values } = versionsStatement(name, undefined, { orgId, includeDeleted });
    const rows = await this.dataSource.query<RegistryRow[]>(sql, values);
    if (rows.length === 0) throw new NotFoundError(ErrorCode.ServerNotFound, name);
    return { servers: rows.map(toServerResponse), metadata: { count: rows.length } };
  }

  /** @param version `latest` or one version. @throws NotFoundError */
  async version(orgId: string | null, name: string, version: string, includeDeleted: boolean): Promise<ServerResponse> {
    const { sql, values } = versionsStatement(name, version === 'latest' ? null : version, { orgId, includeDeleted });
    const [row] = await this.dataSource.query<RegistryRow[]>(sql, values);
    if (!row) throw new NotFoundError(ErrorCode.ServerNotFound, `${name} ${version}`);
    return toServerResponse(row);
  }

  /** In display order, with counts as of the last refresh. */
  async categories(): Promise<RegistryCategoriesOut> {
    const categories = await this.dataSource.query<RegistryCategoriesOut['categories']>(
      `SELECT slug, name, description, icon, COALESCE(mcp_count, 0) AS count
       FROM categories LEFT JOIN category_counts ON category_counts.category_id = categories.id
       ORDER BY display_order, categories.id`,
    );
    return { categories };
  }

  /** How many public servers of each category have the text in their name. */
  async facets(search: string | undefined): Promise<RegistryFacetsOut> {
    const pattern = search ? `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%` : null;
    const facets = await this.dataSource.query<RegistryFacetsOut['facets']>(
      `SELECT categories.slug AS category, counted.count::int AS count
       FROM (SELECT category_id, count(*) AS count FROM listings
             WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC' AND ($1::text IS NULL OR lower(name) LIKE $1)
             GROUP BY category_id) AS counted
       JOIN categories ON categories.id = counted.category_id
       ORDER BY categories.display_order, categories.id`,
      [pattern],
    );
    return { total: facets.reduce((sum, { count }) => sum + count, 0), facets };
  }
}

function foreignCursor(): ValidationError {
  return new ValidationError([
    {
      loc: ['query', 'cursor'],
      msg: 'This is not a cursor of this registry. Begin again without one.',
      type: 'value_error',
    },
  ]);
}
