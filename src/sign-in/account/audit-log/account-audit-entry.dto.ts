import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../../database/columns';
import { timeOf } from '../../../database/id';
import { IdField, InstantField } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import {
  ACCOUNT_ACTIONS,
  ACCOUNT_ACTORS,
  ACCOUNT_SUBJECTS,
  type AccountAction,
  type AccountActorType,
  type AccountSubject,
} from '../../../users/account-log/account-actions';
import type { AccountAuditEntry } from '../../../users/account-log/account-audit-entry.entity';

/** For a person's own entries. */
export class OwnAuditLogQuery extends PageQuery {
  @InstantField({ required: false, description: 'Only entries at or after this time.' })
  from?: string;

  @InstantField({ required: false, description: 'Only entries before this time.' })
  to?: string;
}

/** For all of them. */
export class AccountAuditLogQuery extends OwnAuditLogQuery {
  @IdField({ required: false, description: 'Only entries about this account.' })
  user_id?: string;

  @IdField({ required: false, description: 'Only entries about this object, such as an OAuth client.' })
  subject_id?: string;
}

/** An account in an entry. */
export class AuditedAccountOut {
  @IdField({ nullable: true, description: 'Null if no account did it, or if another person did.' })
  id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Ada Lovelace',
    description: 'The current name; "a deleted account" if the account was deleted.',
  })
  name: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'ada@example.com' })
  email: string | null;
}

/** Who did something. */
export class AccountActorOut extends AuditedAccountOut {
  @ApiProperty({
    enum: ACCOUNT_ACTORS,
    description:
      '`anonymous`: nobody was signed in. `system`: it followed from something else that the same request did.',
  })
  type: AccountActorType;
}

/** Something that happened to an account or to an OAuth client. */
export class AccountAuditEntryOut {
  @IdField()
  id: string;

  @InstantField()
  created_at: string;

  @ApiProperty({ enum: ACCOUNT_ACTIONS })
  action: AccountAction;

  @ApiProperty({ type: AccountActorOut })
  actor: AccountActorOut;

  @ApiProperty({ type: AuditedAccountOut, description: 'The account that it happened to.' })
  user: AuditedAccountOut;

  @ApiProperty({ enum: ACCOUNT_SUBJECTS })
  subject_type: AccountSubject;

  @IdField({ nullable: true, description: 'Null for sessions.' })
  subject_id: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { methods: ['pwd'], issuer: null },
    description: 'As in the data of the event; of a failed sign-in, how it was tried.',
  })
  details: Record<string, unknown>;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: '203.0.113.7',
    description:
      'The network address of a sign-in to this account, failed ones included. Null for everything else, for accounts that do not exist, and once the account was deleted.',
  })
  address: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The `X-Request-Id` of the request that did it.' })
  request_id: string | null;
}

/** A row as selected by the service. */
export type AccountAuditRow = Columns<AccountAuditEntry> & {
  user_name: string | null;
  user_email: string | null;
  actor_name: string | null;
  actor_email: string | null;
};

/** @returns an entry as platform administrators see it */
export function toAccountAuditEntry(row: AccountAuditRow): AccountAuditEntryOut {
  return {
    id: row.id,
    created_at: timeOf(row.id).toISOString(),
    action: row.action,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name, email: row.actor_email },
    user: { id: row.user_id, name: row.user_name, email: row.user_email },
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    details: row.details,
    address: row.address,
    request_id: row.request_id,
  };
}

/** @returns an entry as its person sees it: which administrator it was is not shown */
export function toOwnAuditEntry(row: AccountAuditRow): AccountAuditEntryOut {
  const entry = toAccountAuditEntry(row);
  const isOther = row.actor_id !== null && row.actor_id !== row.user_id;
  if (!isOther) return entry;
  return { ...entry, actor: { type: row.actor_type, id: null, name: null, email: null } };
}
