import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../http/fields';
import { type Role, ROLES } from './role';

export class MeOrganisationOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  name: string;

  @ApiProperty({ example: 'acme' })
  slug: string;

  @ApiProperty({ enum: ROLES })
  role: Role;
}

export class MeOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'alice@example.com',
    description: 'Null while no issuer has verified one.',
  })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Alice' })
  name: string | null;

  @ApiProperty({ description: 'Listed in the configuration; may change categories and moderate.' })
  is_platform_admin: boolean;

  @ApiProperty({ type: [MeOrganisationOut] })
  organisations: MeOrganisationOut[];
}
