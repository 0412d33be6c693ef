import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, ListField, NameField } from '../../http/requests/fields';
import { oneOf } from '../../http/requests/kinds';
import { isApiScope, type ApiScope, SCOPE_NAMES } from '../scopes';
import type { PersonalAccessToken } from './personal-access-token.entity';
import { DEFAULT_LIFE_DAYS, MAX_LIFE_DAYS } from './personal-token-expiry';

export class PersonalAccessTokenCreate {
  @NameField({ example: 'Laptop', description: 'What it is used for.' })
  name: string;

  @ListField(oneOf(SCOPE_NAMES), {
    max: SCOPE_NAMES.length,
    example: ['catalog:read'],
    description: 'What it is limited to: at least one scope, and only scopes that your own token has.',
  })
  scopes: ApiScope[];

  @InstantField({
    required: false,
    // Any instant of a document is soon in the past, or still too far ahead.
    example: undefined,
    description: `When it expires: in the future, and at most ${MAX_LIFE_DAYS} days from now. Default: ${DEFAULT_LIFE_DAYS} days from now.`,
  })
  expires_at?: string;
}

export class PersonalAccessTokenOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Laptop' })
  name: string;

  @ApiProperty({ example: 'typ_pX3vK9', description: 'Its first characters, to distinguish tokens.' })
  prefix: string;

  @ApiProperty({ enum: SCOPE_NAMES, enumName: 'Scope', isArray: true })
  scopes: ApiScope[];

  @InstantField()
  expires_at: string;

  @InstantField({ nullable: true, description: 'Updated at most once a minute. Null: never used.' })
  last_used_at: string | null;

  @InstantField()
  created_at: string;
}

/** A new token, with the secret that is never shown again. */
export class PersonalAccessTokenCreatedOut extends PersonalAccessTokenOut {
  @ApiProperty({
    example: 'typ_pX3vK9wq0m2t7r1yZ8c4bN6aLd5eFgHjS-uVxQ_oWiE',
    description: 'Shown only this once. Only a digest is stored.',
  })
  token: string;
}

/** What clients see of a token: never its digest. */
export type ShownPersonalToken = Pick<
  PersonalAccessToken,
  'id' | 'name' | 'prefix' | 'scopes' | 'expiresAt' | 'lastUsedAt' | 'createdAt'
>;

export function toPersonalAccessToken(token: ShownPersonalToken): PersonalAccessTokenOut {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes.filter(isApiScope),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    created_at: token.createdAt.toISOString(),
  };
}
