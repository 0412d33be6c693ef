import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, NameField } from '../../http/requests/fields';
import type { ScimToken } from './scim-token.entity';

export class ScimTokenCreate {
  @NameField({ example: 'Okta', description: 'What it is used for.' })
  name: string;

  @InstantField({
    required: false,
    nullable: true,
    description: 'When it expires; must be in the future. Null or absent: never.',
  })
  expires_at?: string | null;
}

export class ScimTokenOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Okta' })
  name: string;

  @ApiProperty({ example: 'tys_pX3v', description: 'The first characters, to tell tokens apart.' })
  prefix: string;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'When it expires; null: never.' })
  expires_at: string | null;

  @InstantField({ nullable: true, description: 'Accurate to the minute; null: not used yet.' })
  last_used_at: string | null;

  @IdField({ nullable: true, description: 'Who created it.' })
  created_by: string | null;
}

export class ScimTokenCreatedOut extends ScimTokenOut {
  @ApiProperty({
    example: 'tys_pX3vMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…',
    description: 'The token for the identity provider. Only shown here.',
  })
  token: string;
}

/** The part of a token that clients see and the audit log keeps: never its digest. */
export type ShownScimToken = Pick<
  ScimToken,
  'id' | 'name' | 'prefix' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'createdBy'
>;

export function toScimToken(token: ShownScimToken): ScimTokenOut {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    created_by: token.createdBy,
  };
}
