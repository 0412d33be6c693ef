import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { timeOf } from '../../database/id';
import { BooleanField, IdField, InstantField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { ScimLogEntry } from './scim-log-entry.entity';

export class ScimLogQuery extends PageQuery {
  @BooleanField({
    required: false,
    description: '`true`: only requests answered with a status of 400 or more; `false`: only the others.',
  })
  failed?: boolean;

  @TextField({ required: false, max: 200, description: 'The id of a SCIM user or group.' })
  resource_id?: string;

  @IdField({ required: false, description: 'The entry of a bulk request: only its operations.' })
  bulk_entry_id?: string;

  @IdField({ required: false, description: 'The SCIM token; revoked ones are allowed.' })
  token_id?: string;

  @InstantField({ required: false, description: 'Answered at this instant or later.' })
  from?: string;

  @InstantField({ required: false, description: 'Answered before this instant.' })
  to?: string;
}

/** A request of an identity provider, or one operation of a bulk request. */
export class ScimLogEntryOut {
  @IdField()
  id: string;

  @InstantField({ description: 'When it was answered.' })
  created_at: string;

  @ApiProperty({ example: 'PATCH', description: 'For an operation: as sent; empty if it had none.' })
  method: string;

  @ApiProperty({
    example: '/Users/019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
    description: 'Relative to `/scim/v2`, with the query; without secrets, and shortened if it is very long.',
  })
  path: string;

  @ApiProperty({ type: 'integer', example: 200 })
  status: number;

  @ApiProperty({ type: 'integer', minimum: 0 })
  duration_ms: number;

  @IdField({ description: 'The SCIM token.' })
  token_id: string;

  @ApiProperty({ description: 'The `X-Request-Id` of the response.' })
  request_id: string;

  @ApiProperty({ type: 'string', enum: ['User', 'Group', null], nullable: true })
  resource_type: 'User' | 'Group' | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'From the path, or of the created resource.' })
  resource_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'uniqueness',
    description: 'The kind of error that was reported.',
  })
  scim_type: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The error that was reported to the identity provider.' })
  error: string | null;

  @ApiProperty({
    type: [String],
    description:
      'Attributes that were sent but not stored, because no schema has them. Ends with `…` if there were more.',
  })
  ignored: string[];

  @ApiProperty({
    type: [String],
    description:
      'What may differ from the expectations of the identity provider, such as the account that a user is linked to.',
  })
  notes: string[];

  @IdField({
    nullable: true,
    description: 'For an operation: the entry of the bulk request. Its `request_id` is the same.',
  })
  bulk_entry_id: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: 'For an operation: its index in the bulk request, from 0.',
  })
  bulk_index: number | null;

  @ApiProperty({
    type: 'string',
    enum: ['pending', 'opted_out', null],
    nullable: true,
    description:
      'For a user, at the time of reading: `pending` until the person accepts the membership, `opted_out` after they left or declined. Null: neither, or not a user.',
  })
  consent: 'pending' | 'opted_out' | null;
}

export class ScimLogEntryDetailOut extends ScimLogEntryOut {
  @ApiProperty({
    nullable: true,
    description:
      'The request body: `***` for secrets, and shortened to 16 KiB with marks that begin with `…`. Null: none, or unreadable.',
  })
  body: unknown;
}

/** A row as the statement selects it. */
export type ScimLogRow = Pick<
  Columns<ScimLogEntry>,
  | 'id'
  | 'method'
  | 'path'
  | 'status'
  | 'duration_ms'
  | 'token_id'
  | 'request_id'
  | 'resource_type'
  | 'resource_id'
  | 'scim_type'
  | 'error'
  | 'ignored'
  | 'notes'
  | 'bulk_entry_id'
  | 'bulk_index'
> &
  Pick<ScimLogEntryOut, 'consent'>;

export function toScimLogEntry(row: ScimLogRow): ScimLogEntryOut {
  return {
    id: row.id,
    created_at: timeOf(row.id).toISOString(),
    method: row.method,
    path: row.path,
    status: row.status,
    duration_ms: row.duration_ms,
    token_id: row.token_id,
    request_id: row.request_id,
    resource_type: row.resource_type,
    resource_id: row.resource_id,
    scim_type: row.scim_type,
    error: row.error,
    ignored: row.ignored,
    notes: row.notes,
    bulk_entry_id: row.bulk_entry_id,
    bulk_index: row.bulk_index,
    consent: row.consent,
  };
}

export function toScimLogEntryDetail(row: ScimLogRow & { body: unknown }): ScimLogEntryDetailOut {
  return { ...toScimLogEntry(row), body: row.body };
}
