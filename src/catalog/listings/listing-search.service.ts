import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { ForbiddenError, ValidationError } from '../../errors/errors';
import { Page, Pages } from '../../http/requests/page';
import { Memberships } from '../../organisations/members/memberships.service';
import { ListedRow, ListingOut, toListing } from './listing.dto';
import {
  ListingFacetsOut,
  ListingFilterQuery,
  ListingHighlightsOut,
  ListingQuery,
  ListingScope,
  ListingSort,
} from './listing-query';
import { NEWEST_OF_ORGANISATIONS, NEWEST_PUBLIC } from './listing-highlights.sql';
import {
  type Facet,
  facetsStatement,
  ListingCriteria,
  listStatement,
  type Position,
  type Spelling,
} from './listing-search.sql';

const LIST = 'listings';

type Filter = Partial<
  Record<
    'search' | 'category' | 'scope' | 'org_id' | 'status' | 'visibility' | 'transport' | 'registry_type' | 'sort',
    string
  >
>;

/** The start page shows at most so many listings of each kind. */
const MAX_HIGHLIGHTS = 8;

const FACETS: readonly Facet[] = ['category', 'transport', 'registryType'];

interface FacetRow {
  facet: Facet;
  value: string;
  name: string;
  count: number;
}

type FoundRow = ListedRow & { next: Position | null };

/** Finds listings: lists, search and facets. */
@Injectable()
export class ListingSearch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
  ) {}

  /**
   * @throws NotFoundError if the caller is not a member of the organisation; ForbiddenError for `scope=moderated` of
   *   anyone but platform administrators; ValidationError for `sort=relevance`
   *   without `search`, or `scope` together with `org_id`
   */
  async list(caller: Caller, { limit, cursor, ...filters }: ListingQuery): Promise<Page<ListingOut>> {
    const page = this.pages.open<Filter>(LIST, { limit, cursor }, filters);
    const { filter, take } = page;
    const sort = sortOf(filter);
    const criteria = await this.criteria(caller, filter);
    const after = page.position<Position>();
    const find = (spelling: Spelling) => {
      const { values, ...statement } = listStatement(criteria, sort, after, take, spelling);
      return many<FoundRow>(this.dataSource, statement, values);
    };
    let rows = await find('same');
    if (rows.length === 0 && criteria.search !== undefined && after === null) rows = await find('similar');
    const next = rows.at(-1)?.next ?? undefined;
    return { items: rows.map(toListing), next: next && page.cursorAfter(JSON.stringify(next)) };
  }

  /**
   * Counts the matching listings by category, transport and registry of packages, each without its own filter.
   *
   * @throws like `list`
   */
  async facets(caller: Caller, filters: ListingFilterQuery): Promise<ListingFacetsOut> {
    const criteria = await this.criteria(caller, filters);
    // One statement, unless a filter makes them differ.
    const filtered = FACETS.filter((facet) => criteria[facet] !== undefined);
    const others = FACETS.filter((facet) => criteria[facet] === undefined);
    const rows = others.length > 0 ? await this.count(criteria, others) : [];
    for (const facet of filtered) rows.push(...(await this.count({ ...criteria, [facet]: undefined }, [facet])));
    const of = (name: Facet) => rows.filter(({ facet }) => facet === name);
    const categories = of('category').map(({ value, name, count }) => ({ category: value, name, count }));
    return {
      total: categories.reduce((sum, { count }) => sum + count, 0),
      categories,
      transports: of('transport').map(({ value, count }) => ({ transport: value, count })),
      registry_types: of('registryType').map(({ value, count }) => ({ registry_type: value, count })),
    };
  }

  /** What a start page shows. */
  async highlights({ userId }: Caller): Promise<ListingHighlightsOut> {
    const ours = await many<ListedRow>(this.dataSource, NEWEST_OF_ORGANISATIONS, [MAX_HIGHLIGHTS, userId]);
    const newest = await many<ListedRow>(this.dataSource, NEWEST_PUBLIC, [MAX_HIGHLIGHTS]);
    return { of_my_organisations: ours.map(toListing), newest: newest.map(toListing) };
  }

  private count(criteria: ListingCriteria, facets: readonly Facet[]): Promise<FacetRow[]> {
    const { sql, values } = facetsStatement(criteria, facets);
    return many<FacetRow>(this.dataSource, sql, values);
  }

  private async criteria(caller: Caller, filter: Filter): Promise<ListingCriteria> {
    const { org_id: orgId, scope } = filter;
    if (orgId && scope) {
      throw new ValidationError([
        { loc: ['query', 'scope'], msg: 'Cannot be combined with org_id.', type: 'value_error' },
      ]);
    }
    if (scope === 'moderated' && !caller.isPlatformAdmin)
      throw new ForbiddenError('Only platform administrators moderate listings.');
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
