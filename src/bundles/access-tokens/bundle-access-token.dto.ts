import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField, NameField } from '../../http/requests/fields';
import type { BundleAccessToken } from './bundle-access-token.entity';

export class BundleAccessTokenCreate {
  @NameField({ example: 'CI' })
  name: string;

  @InstantField({
    required: false,
    nullable: true,
    description: 'From when on it is refused, in the future. Never when it is left out.',
  })
  expires_at?: string | null;
}

export class BundleAccessTokenOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'CI' })
  name: string;

  @ApiProperty({ example: 'tyb_pX3vK9', description: 'Its first characters, by which you tell tokens apart.' })
  prefix: string;

  @IdField({ description: 'Who made it. While they have no access to the bundle, the token opens nothing.' })
  created_by: string;

  @ApiProperty({ description: 'Whether it opens the bundle now: not expired, and its maker still has access.' })
  is_usable: boolean;

  @InstantField({ nullable: true, description: 'Null: never.' })
  expires_at: string | null;

  @InstantField({ nullable: true, description: 'Noted at most once a minute. Null: never.' })
  last_used_at: string | null;

  @InstantField()
  created_at: string;
}

/** A new token, with what is never shown again. */
export class BundleAccessTokenCreatedOut extends BundleAccessTokenOut {
  @ApiProperty({
    example: 'tyb_pX3vK9wq0m2t7r1yZ8c4bN6aLd5eFgHjS-uVxQ_oWiE',
    description: 'Shown this once. Only a digest of it is stored.',
  })
  token: string;
}

/** A row as the service selects it. */
export type BundleAccessTokenRow = Pick<
  Columns<BundleAccessToken>,
  'id' | 'name' | 'prefix' | 'created_by' | 'expires_at' | 'last_used_at' | 'created_at'
> &
  Pick<BundleAccessTokenOut, 'is_usable'>;

export function toBundleAccessToken(row: BundleAccessTokenRow): BundleAccessTokenOut {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    created_by: row.created_by,
    is_usable: row.is_usable,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
