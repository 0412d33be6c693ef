import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField, ListField, NameField } from '../../http/requests/fields';
import { oneOf } from '../../http/requests/kinds';
import type { BundleAccessToken } from './bundle-access-token.entity';
import { BUNDLE_TOKEN_SCOPES, type BundleTokenScope } from './token-scope';

export class BundleAccessTokenCreate {
  @NameField({ example: 'CI' })
  name: string;

  @ListField(oneOf(BUNDLE_TOKEN_SCOPES), {
    max: BUNDLE_TOKEN_SCOPES.length,
    required: false,
    nullable: true,
    example: ['read', 'call'],
    description:
      'What it can do: `read` the bundle, by this API and by its MCP endpoint; `call` the tools of the endpoint. At least one. Default: `read`.',
  })
  scopes?: BundleTokenScope[] | null;

  @InstantField({
    required: false,
    nullable: true,
    description: 'When it expires; must be in the future. Default: never.',
  })
  expires_at?: string | null;
}

export class BundleAccessTokenOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'CI' })
  name: string;

  @ApiProperty({ example: 'tyb_pX3vK9', description: 'Its first characters, to distinguish tokens.' })
  prefix: string;

  @ApiProperty({ enum: BUNDLE_TOKEN_SCOPES, enumName: 'BundleTokenScope', isArray: true })
  scopes: BundleTokenScope[];

  @IdField({ description: 'Who created it. While they have no access to the bundle, the token does not work.' })
  created_by: string;

  @ApiProperty({ description: 'Whether it works now: it has not expired, and its creator still has access.' })
  is_usable: boolean;

  @InstantField({ nullable: true, description: 'Null: never.' })
  expires_at: string | null;

  @InstantField({ nullable: true, description: 'Updated at most once a minute. Null: never used.' })
  last_used_at: string | null;

  @InstantField()
  created_at: string;
}

/** A new token, with the secret that is never shown again. */
export class BundleAccessTokenCreatedOut extends BundleAccessTokenOut {
  @ApiProperty({
    example: 'tyb_pX3vK9wq0m2t7r1yZ8c4bN6aLd5eFgHjS-uVxQ_oWiE',
    description: 'Shown only this once. Only a digest is stored.',
  })
  token: string;
}

/** A row as the service selects it. */
export type BundleAccessTokenRow = Pick<
  Columns<BundleAccessToken>,
  'id' | 'name' | 'prefix' | 'scopes' | 'created_by' | 'expires_at' | 'last_used_at' | 'created_at'
> &
  Pick<BundleAccessTokenOut, 'is_usable'>;

export function toBundleAccessToken(row: BundleAccessTokenRow): BundleAccessTokenOut {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    created_by: row.created_by,
    is_usable: row.is_usable,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
