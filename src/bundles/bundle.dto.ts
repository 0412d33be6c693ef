import { ApiProperty } from '@nestjs/swagger';
import { type Visibility, VISIBILITIES } from '../catalog/visibility';
import { IdField, InstantField, NameField, SlugField } from '../http/fields';
import { PageQuery } from '../http/page';

export class BundleCreate {
  @NameField({ example: 'Incident response' })
  name: string;

  @SlugField({
    required: false,
    nullable: true,
    description: 'Unique among the bundles of the organisation or person; made from the name when it is left out.',
  })
  slug?: string | null;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    maxLength: 2000,
    description: 'Empty when it is left out.',
  })
  description?: string | null;

  @ApiProperty({
    enum: [...VISIBILITIES, null],
    type: 'string',
    required: false,
    nullable: true,
    description: '`PRIVATE` when it is left out.',
  })
  visibility?: Visibility | null;

  @IdField({ required: false, nullable: true, description: 'The organisation; null or absent: personal.' })
  org_id?: string | null;
}

export class BundleQuery extends PageQuery {
  @IdField({
    required: false,
    nullable: true,
    description: 'Only the bundles of this organisation, of which you are a member.',
  })
  org_id?: string;
}

export class BundleOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Incident response' })
  name: string;

  @ApiProperty({ example: 'incident-response' })
  slug: string;

  @ApiProperty()
  description: string;

  @ApiProperty({ enum: VISIBILITIES })
  visibility: Visibility;

  @IdField({ nullable: true, description: 'Null: personal.' })
  org_id: string | null;

  @IdField()
  owner_id: string;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as the service selects it. */
export interface BundleRow extends Omit<BundleOut, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

export function toBundle(row: BundleRow): BundleOut {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    visibility: row.visibility,
    org_id: row.org_id,
    owner_id: row.owner_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
