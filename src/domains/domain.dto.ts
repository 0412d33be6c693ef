import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, TextField } from '../http/requests/fields';
import type { OrganisationDomain } from './organisation-domain.entity';

/** Below the domain, so that its own TXT records are not affected (RFC 8552). */
const RECORD_LABEL = '_toolyard';
const VALUE_PREFIX = 'toolyard-verification=';

export class DomainCreate {
  @TextField({ min: 3, max: 253, example: 'acme.example' })
  domain: string;
}

/** The DNS record that proves a domain. */
export class DomainRecordOut {
  @ApiProperty({ enum: ['TXT'] })
  type: 'TXT';

  @ApiProperty({ example: '_toolyard.acme.example' })
  name: string;

  @ApiProperty({ example: 'toolyard-verification=qXm3…' })
  value: string;
}

export class DomainOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'acme.example', description: 'In lower case and ASCII form.' })
  domain: string;

  @ApiProperty({ type: DomainRecordOut, description: 'The record to publish in the DNS; the value is unique.' })
  record: DomainRecordOut;

  @InstantField({ nullable: true, description: 'When the record was last found; null if the domain is not proved.' })
  proved_at: string | null;

  @InstantField({
    nullable: true,
    description: 'When a platform administrator vouched for the organisation; null if none did.',
  })
  vouched_at: string | null;

  @InstantField({ nullable: true, description: 'When the record was last looked up.' })
  checked_at: string | null;

  @InstantField()
  created_at: string;
}

/** @returns the DNS record that proves the domain */
export function recordOf({ domain, token }: Pick<OrganisationDomain, 'domain' | 'token'>): DomainRecordOut {
  return { type: 'TXT', name: `${RECORD_LABEL}.${domain}`, value: `${VALUE_PREFIX}${token}` };
}

export function toDomain(row: OrganisationDomain): DomainOut {
  return {
    id: row.id,
    domain: row.domain,
    record: recordOf(row),
    proved_at: row.provedAt?.toISOString() ?? null,
    vouched_at: row.vouchedAt?.toISOString() ?? null,
    checked_at: row.checkedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
