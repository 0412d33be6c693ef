import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { EnumField, IdField, SlugField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { ListingOut } from './listing.dto';
import { type ListingStatus, LISTING_STATUSES } from './listing.entity';
import { type Visibility, VISIBILITIES } from './visibility';

export const LISTING_SCOPES = ['public', 'visible', 'mine', 'moderated'] as const;
export type ListingScope = (typeof LISTING_SCOPES)[number];

export const LISTING_SORTS = ['relevance', 'newest', 'name', 'rating'] as const;
export type ListingSort = (typeof LISTING_SORTS)[number];

const SEARCH = {
  required: false,
  min: 1,
  max: 200,
  pattern: '\\S',
  example: 'weather forecast',
  description:
    'Searches name, title, description and category, ignoring case and accents. Exact names come first, then names and titles that start with the text, then listings that contain all its words or words that start with them (matches in name and title first). If nothing matches, words with one letter missing, added, wrong or swapped with the next are tried, then similar spellings.',
};

/** The filter of a list. Each facet ignores its own. */
export class ListingFilterQuery {
  @TextField(SEARCH)
  search?: string;

  @SlugField({ required: false, example: 'databases', description: "A category's slug." })
  category?: string;

  @EnumField(LISTING_SCOPES, {
    required: false,
    description:
      '`public` (default): the public catalogue. `visible`: the public catalogue, your own listings and those of your organisations. `mine`: your personal listings. `moderated`, for platform administrators: all that are or were public, archived ones included, and those of the platform. Cannot be combined with `org_id`.',
  })
  scope?: ListingScope;

  @IdField({
    required: false,
    nullable: true,
    description: 'All listings of this organisation. You must be a member.',
  })
  org_id?: string;

  @EnumField(LISTING_STATUSES, { required: false, description: 'Default: every status that you can see.' })
  status?: ListingStatus;

  @EnumField(VISIBILITIES, { required: false })
  visibility?: Visibility;

  @EnumField(['stdio', 'streamable-http', 'sse'], {
    required: false,
    description: 'A transport of the latest version.',
  })
  transport?: string;

  @TextField({
    required: false,
    min: 1,
    max: 50,
    example: 'npm',
    description: 'The registry of a package of the latest version: npm, pypi, oci, nuget, mcpb, …',
  })
  registry_type?: string;
}

export class ListingQuery extends IntersectionType(PageQuery, ListingFilterQuery) {
  @EnumField(LISTING_SORTS, {
    required: false,
    description:
      '`relevance` requires `search`. `rating`: the best mean first, of equal ones that with more reviews. Default: `relevance` with `search`, otherwise `newest`.',
  })
  sort?: ListingSort;
}

export class ListingFacetsOut {
  @ApiProperty({ type: 'integer', description: 'The number of listings in all categories.' })
  total: number;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['category', 'name', 'count'],
      additionalProperties: false,
      properties: {
        category: { type: 'string', description: "The category's slug." },
        name: { type: 'string' },
        count: { type: 'integer' },
      },
    },
    description: 'In display order; categories without a match are omitted.',
  })
  categories: { category: string; name: string; count: number }[];

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['transport', 'count'],
      additionalProperties: false,
      properties: { transport: { type: 'string' }, count: { type: 'integer' } },
    },
    description: 'The most frequent first; those without a match are omitted. A listing may have several.',
  })
  transports: { transport: string; count: number }[];

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['registry_type', 'count'],
      additionalProperties: false,
      properties: { registry_type: { type: 'string' }, count: { type: 'integer' } },
    },
    description: 'The same, at most 50.',
  })
  registry_types: { registry_type: string; count: number }[];
}

/** What a start page shows. */
export class ListingHighlightsOut {
  @ApiProperty({
    type: [ListingOut],
    description: 'The newest published listings of your organisations, at most 8.',
  })
  of_my_organisations: ListingOut[];

  @ApiProperty({ type: [ListingOut], description: 'The newest listings of the public catalogue, at most 8.' })
  newest: ListingOut[];
}
