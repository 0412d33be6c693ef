import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { Identity } from '../../users/identity.entity';

export class IdentityQuery extends PageQuery {}

/** Who you are at an identity provider. */
export class IdentityOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'https://login.example.com', description: 'The identity provider.' })
  issuer: string;

  @ApiProperty({ example: '4f7c0a52', description: 'Your id there.' })
  subject: string;

  @InstantField({ description: 'Since when it opens your account.' })
  created_at: string;
}

/** A row as selected by the service. */
export type IdentityRow = Pick<Columns<Identity>, 'id' | 'issuer' | 'subject' | 'created_at'>;

export function toIdentity({ id, issuer, subject, created_at }: IdentityRow): IdentityOut {
  return { id, issuer, subject, created_at: created_at.toISOString() };
}
