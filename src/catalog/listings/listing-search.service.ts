import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ValidationError } from '../../errors/errors';
import { Page, Pages } from '../../http/requests/page';
import { Memberships } from '../../organisations/members/memberships.service';
import { ListedRow, ListingOut, toListing } from './listing.dto';
import { ListingFacetsOut, ListingFilterQuery, ListingQuery, ListingScope, ListingSort } from './listing-query';
import { facetsStatement, ListingCriteria, listStatement, type Position } from './listing-search.sql';

const LIST = 'listings';

type Filter = Partial<
  Record<
    'search' | 'category' | 'scope' | 'org_id' | 'status' | 'visibility' | 'transport' | 'registry_type' | 'sort',
    string
  >
>;

type FoundRow = ListedRow & { position: Position; is_last: boolean };

/** Finds listings: lists, search and facets. */
@Injectable()
export class ListingSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
  ) {}

  /**
   * @throws NotFoundError if the caller is not a member of the organisation; ValidationError for `sort=relevance`
   *   without `search`, or `scope` together with `org_id`
   */
  async list(caller: Caller, { limit, cursor, ...filters }: ListingQuery): Promise<Page<ListingOut>> {
    const page = this.pages.open<Filter>(LIST, { limit, cursor }, filters);
    const { filter, take } = page;
    const sort = sortOf(filter);
    const criteria = await this.criteria(caller, filter);
    const { sql, values } = listStatement(criteria, sort, page.position<Position>(), take);
    const rows = await many<FoundRow>(this.dataSource, sql, values);
    return page.closeSized(rows, toListing, (row) => row.position);
  }

  /** Counts the matching listings by category. @throws like `list` */
  async facets(caller: Caller, filters: ListingFilterQuery): Promise<ListingFacetsOut> {
    const { sql, values } = facetsStatement(await this.criteria(caller, { ...filters, category: undefined }));
    const categories = await many<ListingFacetsOut['categories'][number]>(this.dataSource, sql, values);
    return { total: categories.reduce((sum, { count }) => sum + count, 0), categories };
  }

  private async criteria(caller: Caller, filter: Filter): Promise<ListingCriteria> {
    const { org_id: orgId, scope } = filter;
    if (orgId && scope) {
      throw new ValidationError([
        { loc: ['query', 'scope'], msg: 'Cannot be combined with org_id.', type: 'value_error' },
      ]);
    }
    if (orgId) await this.memberships.require(caller, orgId, 'MEMBER');
    return {
      userId: caller.userId,
      scope: orgId ? 'organisation' : ((scope as ListingScope | undefined) ?? 'public'),
      orgId,
      category: filter.category,
      status: filter.status,
      visibility: filter.visibility,
      transport: filter.transport,
      registryType: filter.registry_type,
      search: filter.search,
    };
  }
}

function sortOf({ sort, search }: Filter): ListingSort {
  if (sort === 'relevance' && search === undefined) {
    throw new ValidationError([
      { loc: ['query', 'sort'], msg: 'Sorting by relevance requires search.', type: 'value_error' },
    ]);
  }
  return (sort as ListingSort | undefined) ?? (search === undefined ? 'newest' : 'relevance');
}
