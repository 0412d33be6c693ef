import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../database/columns';
import { EnumField, IdField, InstantField, TextField } from '../http/requests/fields';
import { PageQuery } from '../http/requests/page';
import { type Role, ROLES } from '../organisations/members/role';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation-status.sql';
import type { Invitation } from './invitation.entity';

const ROLE = { enum: ROLES, enumName: 'Role' } as const;
const STATUS = { enum: INVITATION_STATUSES, enumName: 'InvitationStatus' } as const;

export class InvitationCreate {
  @TextField({
    required: false,
    nullable: true,
    min: 3,
    max: 254,
    pattern: '^[^@\\s]+@[^@\\s]+$',
    example: 'bob@example.com',
    description: 'Either this or `user_id`. The user whose account has this verified address can accept.',
  })
  email?: string | null;

  @IdField({
    required: false,
    nullable: true,
    description: 'Either this or `email`. A user who is already in one of your organisations.',
  })
  user_id?: string | null;

  @EnumField(ROLES, { description: 'ADMINs can invite MEMBERs and ADMINs; OWNERs can invite to any role.' })
  role: Role;
}

export class InvitationQuery extends PageQuery {
  @EnumField(INVITATION_STATUSES, { required: false, description: 'Only invitations with this status.' })
  status?: InvitationStatus;
}

/** An invitation as the organisation sees it: contains only what the inviter entered. */
export class InvitationOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'bob@example.com',
    description: 'The address as entered; null if a user id was given.',
  })
  email: string | null;

  @IdField({ nullable: true, description: 'The user id as entered; null if an address was given.' })
  user_id: string | null;

  @ApiProperty(ROLE)
  role: Role;

  @ApiProperty({
    ...STATUS,
    description: 'Also `REVOKED` if the sender could no longer send it because they left or have a lower role now.',
  })
  status: InvitationStatus;

  @InstantField({ description: 'When it expires: 14 days after it was created.' })
  expires_at: string;

  @InstantField()
  created_at: string;
}

/** A row as selected by the service. */
export type InvitationRow = Pick<
  Columns<Invitation>,
  'id' | 'email' | 'user_id' | 'role' | 'status' | 'expires_at' | 'created_at'
>;

export function toInvitation(row: InvitationRow): InvitationOut {
  return {
    id: row.id,
    email: row.email,
    user_id: row.user_id,
    role: row.role,
    status: row.status,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}
