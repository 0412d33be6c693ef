import { ApiProperty } from '@nestjs/swagger';
import {
  BooleanField,
  IdField,
  InstantField,
  IntegerField,
  ListField,
  SlugField,
  TextField,
} from '../../http/requests/fields';
import { integer } from '../../http/requests/kinds';

const NAME = { min: 1, max: 100, pattern: '\\S', example: 'Databases' };
const DESCRIPTION = { max: 500, example: 'Query and manage databases.' };
const ICON = { min: 1, max: 50, pattern: '^[a-z0-9-]+$', example: 'database' };
const ORDER = { min: 0, max: 1_000_000 };

/** A category, with exactly the fields of the specification. */
export class CategoryOut {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Databases' })
  name: string;

  @ApiProperty({ example: 'databases' })
  slug: string;

  @ApiProperty({ example: 'Query and manage databases.' })
  description: string;

  @ApiProperty({ example: 'database', description: 'The name of a Lucide icon.' })
  icon: string;

  @ApiProperty({
    type: 'integer',
    example: 7,
    description:
      'The number of published, public listings in the category. Refreshed at most once every 8 hours, so it can lag behind a listing that was just published or archived.',
  })
  mcp_count: number;
}

export class CategoryCreate {
  @TextField(NAME)
  name: string;

  @SlugField({
    required: false,
    nullable: true,
    example: 'databases',
    description: 'Default: derived from the name.',
  })
  slug?: string | null;

  @TextField({ ...DESCRIPTION, required: false, nullable: true, description: 'Default: empty.' })
  description?: string | null;

  @TextField({
    ...ICON,
    required: false,
    nullable: true,
    description: 'The name of a Lucide icon. Default: `box`.',
  })
  icon?: string | null;

  @IntegerField({
    ...ORDER,
    required: false,
    nullable: true,
    description: 'Lower numbers come first. Default: last.',
  })
  display_order?: number | null;
}

const UNCHANGED_SINCE = {
  required: false,
  nullable: true,
  description: '`updated_at` of the category as you know it; if it has changed since, nothing is done (`409`).',
};

/** An absent or null field keeps its value. */
export class CategoryUpdate {
  @TextField({ ...NAME, required: false, nullable: true })
  name?: string | null;

  @SlugField({ required: false, nullable: true })
  slug?: string | null;

  @TextField({ ...DESCRIPTION, required: false, nullable: true })
  description?: string | null;

  @TextField({ ...ICON, required: false, nullable: true })
  icon?: string | null;

  @IntegerField({ ...ORDER, required: false, nullable: true })
  display_order?: number | null;

  @InstantField(UNCHANGED_SINCE)
  unchanged_since?: string | null;
}

/** A category as platform administrators see it. */
export class CategoryAdminOut extends CategoryOut {
  @ApiProperty({ type: 'integer' })
  display_order: number;

  @InstantField()
  updated_at: string;
}

/** The same, with what is counted now. */
export class CategoryOverviewItemOut extends CategoryAdminOut {
  @ApiProperty({
    type: 'integer',
    description: 'The number of listings now, whatever their status: a category that has some cannot be deleted.',
  })
  listings: number;
}

export class CategoryOverviewOut {
  @InstantField({ nullable: true, description: 'When `mcp_count` was counted; null: not yet.' })
  counted_at: string | null;

  @InstantField({ nullable: true, description: 'From when on it is counted again.' })
  next_count_at: string | null;

  @ApiProperty({ type: [CategoryOverviewItemOut], description: 'All of them, in display order; at most 1,000.' })
  categories: CategoryOverviewItemOut[];
}

export class CategoryReorder {
  @ListField(integer({ min: 1, max: 2_147_483_647 }), {
    max: 1_000,
    description: 'The ids of all categories, in their new order.',
  })
  order: number[];

  @ListField(integer({ min: 1, max: 2_147_483_647 }), {
    max: 1_000,
    description: 'The ids in the order that you know. If it is another one by now, nothing is done (`409`).',
  })
  former_order: number[];
}

export class CategoryMove {
  @SlugField({ example: 'developer-tools', description: 'The slug of the category that receives the listings.' })
  to: string;

  @BooleanField({ required: false, description: 'Nothing is moved: what would be is counted. Default: false.' })
  preview?: boolean;

  @BooleanField({
    required: false,
    description: 'Deletes the category, once it is empty, in the same transaction: it is merged. Default: false.',
  })
  remove?: boolean;

  @IntegerField({
    min: 0,
    max: 2_147_483_647,
    required: false,
    nullable: true,
    description: '`moved` of the preview. If the number of listings is another one by now, nothing is done (`409`).',
  })
  expected?: number | null;
}

export class MovedListingOut {
  @IdField()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  title: string;

  @ApiProperty({ enum: ['DRAFT', 'PUBLISHED', 'ARCHIVED'], enumName: 'ListingStatus' })
  status: string;
}

export class CategoryMovedOut {
  @ApiProperty({ type: 'integer', description: 'The number of moved listings; in a preview, of those that would be.' })
  moved: number;

  @ApiProperty({ type: 'integer', description: 'The number of published ones among them.' })
  published: number;

  @ApiProperty({ type: 'integer', description: 'The number of drafts among them.' })
  drafts: number;

  @ApiProperty({ type: 'integer', description: 'The number of archived ones among them.' })
  archived: number;

  @ApiProperty({
    type: 'integer',
    description:
      'The number of private listings and drafts among them that only their owners see. They are not named here.',
  })
  unseen: number;

  @ApiProperty({ type: [MovedListingOut], description: 'The first 20 of those that can be seen, by name.' })
  first: MovedListingOut[];
}

/** A row as the service selects it. */
export type CategoryRow = Omit<CategoryAdminOut, 'updated_at'> & { updated_at: Date };

export function toCategory(row: CategoryRow): CategoryAdminOut {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    icon: row.icon,
    mcp_count: row.mcp_count,
    display_order: row.display_order,
    updated_at: row.updated_at.toISOString(),
  };
}
