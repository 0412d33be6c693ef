import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { EnumField, FormatField, IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { domainOf } from './namespace-name';
import { type Namespace, NAMESPACE_METHODS, type NamespaceMethod } from './namespace.entity';

/** The `format` of a namespace in the OpenAPI document. */
export const NAMESPACE_FORMAT = 'namespace';

const NAMESPACE = { min: 1, max: 253, example: 'com.example' };

export class NamespaceCreate {
  @FormatField(NAMESPACE_FORMAT, {
    ...NAMESPACE,
    description:
      'A reversed domain, case-insensitive: `com.example` for `example.com`. Internationalised domains in their ASCII form: `com.xn--bcher-kva`.',
  })
  namespace: string;

  @EnumField(NAMESPACE_METHODS, {
    required: false,
    description:
      '`dns` (default): you prove it with a TXT record. `grant`: a platform administrator grants it to an organisation or a user. Accounts at a host, such as `io.github.alice`, can only be granted.',
  })
  method?: NamespaceMethod;

  @IdField({
    required: false,
    nullable: true,
    description: 'The organisation that will hold it. Null or absent: yourself, or the user in `user_id`.',
  })
  org_id?: string | null;

  @IdField({
    required: false,
    nullable: true,
    // Beside the default of `method`, an id would be refused.
    example: null,
    description: 'The user who receives it. Only with `grant`.',
  })
  user_id?: string | null;
}

export const NAMESPACE_SCOPES = ['mine', 'all'] as const;

export class NamespaceQuery extends PageQuery {
  @IdField({ required: false, nullable: true, description: 'Namespaces of this organisation. You must be a member.' })
  org_id?: string;

  @EnumField(NAMESPACE_SCOPES, {
    required: false,
    description:
      '`mine` (default): namespaces that you hold yourself. `all`: all namespaces, for platform administrators. Cannot be combined with `org_id`.',
  })
  scope?: (typeof NAMESPACE_SCOPES)[number];

  @FormatField(NAMESPACE_FORMAT, {
    ...NAMESPACE,
    required: false,
    description: 'Only this namespace, for all holders in the scope.',
  })
  namespace?: string;
}

export class NamespaceRecordOut {
  @ApiProperty({ enum: ['TXT'] })
  type: 'TXT';

  @ApiProperty({ example: 'example.com', description: 'The domain itself, without a prefix.' })
  name: string;

  @ApiProperty({ example: 'toolyard-namespace=mUo5vS3WJ0mT2cQ8rN1xLg' })
  value: string;
}

export class NamespaceOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'com.example' })
  namespace: string;

  @ApiProperty({ enum: NAMESPACE_METHODS })
  method: NamespaceMethod;

  @ApiProperty({
    enum: ['PENDING', 'VERIFIED'],
    description: '`VERIFIED`: public listings may be published under it and below it.',
  })
  status: 'PENDING' | 'VERIFIED';

  @IdField({ nullable: true })
  org_id: string | null;

  @IdField({ nullable: true })
  user_id: string | null;

  @ApiProperty({
    type: NamespaceRecordOut,
    nullable: true,
    description: "The TXT record to add to the domain's other records as proof; null for a grant.",
  })
  record: NamespaceRecordOut | null;

  @InstantField({ nullable: true, description: 'When the record was first seen, or the namespace was granted.' })
  verified_at: string | null;

  @InstantField({ nullable: true, description: 'When the DNS was last queried.' })
  checked_at: string | null;

  @InstantField()
  created_at: string;
}

/** A row as selected by the service. */
export type NamespaceRow = Omit<Columns<Namespace>, 'organisation' | 'user'>;

/** The value of the TXT record for a challenge. */
export function recordValue(challenge: string): string {
  return `toolyard-namespace=${challenge}`;
}

export function toNamespace(row: NamespaceRow): NamespaceOut {
  return {
    id: row.id,
    namespace: row.namespace,
    method: row.method,
    status: row.verified_at ? 'VERIFIED' : 'PENDING',
    org_id: row.org_id,
    user_id: row.user_id,
    record:
      row.challenge === null ? null : { type: 'TXT', name: domainOf(row.namespace), value: recordValue(row.challenge) },
    verified_at: row.verified_at?.toISOString() ?? null,
    checked_at: row.checked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
