import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, SlugField, TextField } from '../../http/requests/fields';

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
}

/** A category as platform administrators see it. */
export class CategoryAdminOut extends CategoryOut {
  @ApiProperty({ type: 'integer' })
  display_order: number;
}

export class CategoryMove {
  @SlugField({ example: 'developer-tools', description: 'The slug of the category that receives the listings.' })
  to: string;
}

export class CategoryMovedOut {
  @ApiProperty({ type: 'integer', description: 'The number of moved listings.' })
  moved: number;
}
