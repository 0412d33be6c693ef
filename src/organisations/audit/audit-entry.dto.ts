import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { timeOf } from '../../database/id';
import { EnumField, IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { AuditEntry } from './audit-entry.entity';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS, type AuditAction, type AuditSubject, type Cause } from './audit-trail';

const ACTORS: Cause['actorType'][] = ['user', 'scim_token', 'system'];

const AUDIT_FORMATS = ['json', 'csv'] as const;

export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export class AuditLogQuery extends PageQuery {
  @IdField({ required: false, description: 'The subject of the change: the account of a member, or another object.' })
  subject_id?: string;

  @EnumField(AUDIT_ACTIONS, { required: false, description: 'The kind of change.' })
  action?: AuditAction;

  @IdField({ required: false, description: 'Who or what made the change: the account, or the SCIM token.' })
  actor_id?: string;

  @InstantField({ required: false, description: 'Only changes at or after this time.' })
  from?: string;

  @InstantField({ required: false, description: 'Only changes before this time.' })
  to?: string;

  @EnumField(AUDIT_FORMATS, {
    required: false,
    default: 'json',
    description:
      'The format of the response. `csv`: a file of up to 100,000 changes, for which `limit` does not count.',
  })
  format: AuditFormat;
}

/** Who or what made a change. */
export class AuditActorOut {
  @ApiProperty({ enum: ACTORS })
  type: Cause['actorType'];

  @IdField({ nullable: true, description: 'The account or the SCIM token; null for the service itself.' })
  id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description:
      'The current name of the user or token; "a deleted account" if the account was deleted; null if there is no name or the user is not a member now.',
  })
  name: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'bob@example.com',
    description: 'Only for a user who is a member now.',
  })
  email: string | null;
}

const IMAGE = {
  type: 'object',
  nullable: true,
  additionalProperties: true,
} as const;

/** A change, and who or what made it. */
export class AuditEntryOut {
  @IdField()
  id: string;

  @InstantField()
  created_at: string;

  @ApiProperty({ enum: AUDIT_ACTIONS })
  action: AuditAction;

  @ApiProperty({ type: AuditActorOut })
  actor: AuditActorOut;

  @ApiProperty({ enum: AUDIT_SUBJECTS })
  subject_type: AuditSubject;

  @IdField({
    nullable: true,
    description:
      'The account of a member (the directory user while the person has not accepted), the token or the mapping; null for settings.',
  })
  subject_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Ann Weaver',
    description:
      'For a member: the current name, or the address if there is none; "a deleted account" if the account was deleted. Null if the person is not a member now, and for other subjects.',
  })
  subject_name: string | null;

  @ApiProperty({
    ...IMAGE,
    example: { role: 'MEMBER', manual_role: null, scim_role: 'MEMBER', suspended: false, retained_last_owner: false },
    description: 'The state before the change; null if the subject did not exist. The fields depend on `subject_type`.',
  })
  before: Record<string, unknown> | null;

  @ApiProperty({
    ...IMAGE,
    example: { role: 'ADMIN', manual_role: null, scim_role: 'ADMIN', suspended: false, retained_last_owner: false },
    description: 'The state after the change; null if the subject no longer exists.',
  })
  after: Record<string, unknown> | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'mapping',
    description:
      'For memberships: `manual`, `created_organisation`, `accepted_invitation`, `opted_out`, `pending`, `released_last_owner`, `account_deleted`, or a reason of a sync run.',
  })
  reason: string | null;

  @ApiProperty({
    ...IMAGE,
    example: {
      change: 'promoted',
      mapping_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
      group_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a11',
      run_id: null,
    },
    description: 'What caused the change, such as the mapping, its group and the sync run.',
  })
  details: Record<string, unknown> | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The `X-Request-Id` of the request that made the change.',
  })
  request_id: string | null;
}

/** A row as selected by the service. */
export type AuditRow = Omit<Columns<AuditEntry>, 'org_id'> & {
  actor_name: string | null;
  actor_email: string | null;
  subject_name: string | null;
};

export function toAuditEntry(row: AuditRow): AuditEntryOut {
  return {
    id: row.id,
    created_at: timeOf(row.id).toISOString(),
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, email: row.actor_email },
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    subject_name: row.subject_name,
    before: row.before,
    after: row.after,
    reason: row.reason,
    details: row.details,
    request_id: row.request_id,
  };
}
