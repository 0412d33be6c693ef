import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import {
  DocumentField,
  EnumField,
  FormatField,
  IdField,
  InstantField,
  SlugField,
  TextField,
} from '../../http/requests/fields';
import { DOCUMENTATION, documentationOf, MAX_DOCUMENTATION_BYTES } from './documentation';
import type { ListingVersion } from './listing-version.entity';
import { LISTING_STATUSES, type Listing, type ListingStatus } from './listing.entity';
import type { ServerDocument } from './server-document';
import { SERVER_CHECK, SERVER_SCHEMA } from './server-schema';
import { usableIcons } from './usable-icons';
import { type Visibility, VISIBILITIES } from './visibility';

/** Who archived a listing. */
export const ARCHIVERS = ['OWNER', 'PLATFORM', 'IMPORT'] as const;
export type Archiver = (typeof ARCHIVERS)[number];

const MAX_REASON_LENGTH = 500;

const DocumentationField = (): PropertyDecorator =>
  FormatField(DOCUMENTATION, {
    required: false,
    nullable: true,
    max: MAX_DOCUMENTATION_BYTES,
    example: '# Weather\n\nForecasts and warnings.',
    description:
      'Markdown, at most 64 KiB of UTF-8; it belongs to the version. Default: what the publisher put into `_meta` of the `server.json` (`readme`).',
  });

export class ListingCreate {
  @DocumentField(SERVER_SCHEMA, SERVER_CHECK)
  server: ServerDocument;

  @SlugField({ example: 'databases', description: "A category's slug." })
  category: string;

  @EnumField(VISIBILITIES, {
    required: false,
    nullable: true,
    description: 'Who can see the listing once it is published. Default: `PRIVATE`.',
  })
  visibility?: Visibility | null;

  @IdField({
    required: false,
    nullable: true,
    description: 'The owning organisation. Null or absent: a personal listing.',
  })
  org_id?: string | null;

  @SlugField({
    required: false,
    nullable: true,
    max: 200,
    description: 'Default: derived from the name.',
  })
  slug?: string | null;

  @DocumentationField()
  documentation?: string | null;
}

export class ListingUpdate {
  @SlugField({ required: false, nullable: true, example: 'databases', description: "A category's slug." })
  category?: string | null;

  @EnumField(VISIBILITIES, { required: false, nullable: true })
  visibility?: Visibility | null;

  @SlugField({ required: false, nullable: true, max: 200 })
  slug?: string | null;
}

export class ListingArchive {
  @TextField({
    required: false,
    nullable: true,
    min: 1,
    max: MAX_REASON_LENGTH,
    pattern: '\\S',
    example: 'It sends what people type to another server.',
    description: 'Shown to those who can change the listing. Default: none.',
  })
  reason?: string | null;
}

export class ListingVersionAdd {
  @DocumentField(SERVER_SCHEMA, SERVER_CHECK)
  server: ServerDocument;

  @DocumentationField()
  documentation?: string | null;
}

export class ListingVersionOut {
  @ApiProperty({ example: '1.4.0' })
  version: string;

  @ApiProperty({ description: 'Whether this is the latest version by precedence, which the listing shows.' })
  is_latest: boolean;

  @ApiProperty({ enum: ['active', 'deprecated', 'deleted'] })
  status: 'active' | 'deprecated' | 'deleted';

  @ApiProperty({ type: 'string', nullable: true })
  status_message: string | null;

  @InstantField({ nullable: true })
  published_at: string | null;

  @InstantField()
  created_at: string;
}

/** A version with its document. */
export class ListingVersionDetailOut extends ListingVersionOut {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `server.json`.' })
  server: object;

  @ApiProperty({ type: 'string', nullable: true, description: 'Markdown, at most 64 KiB. Null: none.' })
  documentation: string | null;
}

export type ListingVersionRow = Pick<
  Columns<ListingVersion>,
  'version' | 'is_latest' | 'status' | 'status_message' | 'published_at' | 'created_at'
> & { id: string };

export type ListingVersionDetailRow = ListingVersionRow & Pick<Columns<ListingVersion>, 'server' | 'documentation'>;

export function toListingVersionDetail(row: ListingVersionDetailRow): ListingVersionDetailOut {
  const { server, documentation } = row;
  return { ...toListingVersion(row), server, documentation: documentation ?? documentationOf(server) };
}

export function toListingVersion(row: ListingVersionRow): ListingVersionOut {
  return {
    version: row.version,
    is_latest: row.is_latest,
    status: row.status,
    status_message: row.status_message,
    published_at: row.published_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** What people think of a listing. */
export class ListingRatingOut {
  @ApiProperty({
    type: 'number',
    nullable: true,
    minimum: 1,
    maximum: 5,
    example: 4.3,
    description: 'The mean of the ratings, with one decimal; null without reviews.',
  })
  mean: number | null;

  @ApiProperty({ type: 'integer', example: 12, description: 'The number of reviews, without hidden ones.' })
  count: number;
}

export class ListingOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'io.github.acme/weather', description: 'A unique reverse-DNS name, as in the MCP registry.' })
  name: string;

  @ApiProperty({ example: 'io-github-acme-weather' })
  slug: string;

  @ApiProperty({ example: 'Weather' })
  title: string;

  @ApiProperty({ example: 'Forecasts and warnings for any place.' })
  description: string;

  @ApiProperty({ example: 'search', description: "The category's slug." })
  category: string;

  @ApiProperty({ example: 'Search', description: 'How the category is called.' })
  category_name: string;

  @ApiProperty({ enum: LISTING_STATUSES })
  status: ListingStatus;

  @ApiProperty({ enum: VISIBILITIES })
  visibility: Visibility;

  @IdField({
    nullable: true,
    description: 'The owning organisation; null for a personal listing or a listing of the platform.',
  })
  org_id: string | null;

  @IdField({ nullable: true, description: 'The user who created it; null for a listing of the platform.' })
  owner_id: string | null;

  @ApiProperty({ example: '1.4.0', description: 'The latest version.' })
  version: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { url: 'https://github.com/acme/weather', source: 'github' },
  })
  repository: object | null;

  @ApiProperty({ type: 'string', nullable: true })
  website_url: string | null;

  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  icons: object[];

  @ApiProperty({ description: 'Whether `GET …/icon` may have a picture.' })
  has_icon: boolean;

  @ApiProperty({ type: [String], example: ['stdio'], description: 'The transports of the latest version.' })
  transports: string[];

  @ApiProperty({ type: [String], example: ['npm'], description: "The registries of the latest version's packages." })
  registry_types: string[];

  @ApiProperty({ type: ListingRatingOut })
  rating: ListingRatingOut;

  @InstantField({ nullable: true })
  published_at: string | null;

  @InstantField({ nullable: true })
  archived_at: string | null;

  @ApiProperty({
    enum: ARCHIVERS,
    nullable: true,
    description:
      'Who archived it: its owner, a platform administrator, or the import from which it comes. Null while it is not archived.',
  })
  archived_by: Archiver | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why it is archived, if that was said. Gone once it is published again; the event keeps it.',
  })
  archive_reason: string | null;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A listing with its latest `server.json`. */
export class ListingDetailOut extends ListingOut {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `server.json` of the latest version.' })
  server: object;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'That of the latest version: Markdown, at most 64 KiB. Null: none.',
  })
  documentation: string | null;
}

/** A row as selected by the service. */
export type ListingRow = Pick<
  ListingDetailOut,
  'category' | 'category_name' | 'version' | 'server' | 'documentation' | 'archived_by'
> & {
  bad_icons: string[] | null;
} & Pick<
    Columns<Listing>,
    | 'id'
    | 'name'
    | 'slug'
    | 'title'
    | 'description'
    | 'status'
    | 'visibility'
    | 'org_id'
    | 'owner_id'
    | 'repository'
    | 'website_url'
    | 'icons'
    | 'transports'
    | 'registry_types'
    | 'rating_count'
    | 'rating_mean'
    | 'published_at'
    | 'archived_at'
    | 'archive_reason'
    | 'created_at'
    | 'updated_at'
  >;

/** A row of a list. */
export type ListedRow = Omit<ListingRow, 'server' | 'documentation'>;

export function toListing(row: ListedRow): ListingOut {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    title: row.title,
    description: row.description,
    category: row.category,
    category_name: row.category_name,
    status: row.status,
    visibility: row.visibility,
    org_id: row.org_id,
    owner_id: row.owner_id,
    version: row.version,
    repository: row.repository,
    website_url: row.website_url,
    icons: row.icons,
    has_icon: usableIcons(row.icons).some((src) => !row.bad_icons?.includes(src)),
    transports: row.transports,
    registry_types: row.registry_types,
    rating: { mean: row.rating_count === 0 ? null : row.rating_mean / 10, count: row.rating_count },
    published_at: row.published_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
    archived_by: row.archived_by,
    archive_reason: row.archive_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toListingDetail(row: ListingRow): ListingDetailOut {
  const { server, documentation } = row;
  return { ...toListing(row), server, documentation: documentation ?? documentationOf(server) };
}
