import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, NameField } from '../../http/requests/fields';

export class ScimTokenCreate {
  @NameField({ example: 'Okta', description: 'For what it is used.' })
  name: string;

  @InstantField({
    required: false,
    nullable: true,
    description: 'From then on it is refused; in the future. Null or absent: it never expires.',
  })
  expires_at?: string | null;
}

export class ScimTokenOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Okta' })
  name: string;

  @ApiProperty({ example: 'tys_pX3v', description: 'The first characters, by which tokens are told apart.' })
  prefix: string;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'From then on it is refused; null: never.' })
  expires_at: string | null;

  @InstantField({ nullable: true, description: 'To the minute; null: not used yet.' })
  last_used_at: string | null;

  @IdField({ nullable: true, description: 'Who made it.' })
  created_by: string | null;
}

export class ScimTokenCreatedOut extends ScimTokenOut {
  @ApiProperty({
    example: 'tys_pX3vMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…',
    description: 'What the identity provider is given. Shown here and never again.',
  })
  token: string;
}

/** A row as the service selects it. */
export interface ScimTokenRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_by: string | null;
}

export function toScimToken(row: ScimTokenRow): ScimTokenOut {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_by: row.created_by,
  };
}
