import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../database/columns';
import { IdField, InstantField, NameField, SlugField } from '../http/requests/fields';
import { type Role, ROLES } from './members/role';
import type { Organisation } from './organisation.entity';

export class OrganisationCreate {
  @NameField({ example: 'Acme' })
  name: string;

  @SlugField({
    required: false,
    nullable: true,
    example: 'acme',
    description: 'Unique. Default: derived from the name.',
  })
  slug?: string | null;
}

export class OrganisationUpdate {
  @NameField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  name?: string | null;

  @SlugField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  slug?: string | null;
}

export class OrganisationOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Acme' })
  name: string;

  @ApiProperty({ example: 'acme' })
  slug: string;

  @ApiProperty({ enum: ROLES, description: "The caller's role." })
  role: Role;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as selected by the service. */
export type OrganisationRow = Pick<Columns<Organisation>, 'id' | 'name' | 'slug' | 'created_at' | 'updated_at'> & {
  role: Role;
};

export function toOrganisation(row: OrganisationRow): OrganisationOut {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    role: row.role,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
