import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../database/columns';
import { IdField, InstantField } from '../http/requests/fields';
import { type Role, ROLES } from '../organisations/members/role';
import type { Organisation } from '../organisations/organisation.entity';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation-status.sql';
import type { Invitation } from './invitation.entity';

export const INVITATION_KINDS = ['INVITATION', 'DIRECTORY'] as const;

/** An invitation as the invited person sees it, or a membership provisioned by a directory that they can accept. */
export class MyInvitationOut {
  @IdField()
  id: string;

  @ApiProperty({
    enum: INVITATION_KINDS,
    enumName: 'InvitationKind',
    description: '`INVITATION`: sent by a member. `DIRECTORY`: provisioned by the directory of the organisation.',
  })
  kind: (typeof INVITATION_KINDS)[number];

  @IdField({ description: 'The organisation.' })
  org_id: string;

  @ApiProperty({ example: 'Acme', description: 'The name of the organisation.' })
  name: string;

  @ApiProperty({ example: 'acme', description: 'The slug of the organisation.' })
  slug: string;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'The role that you get by accepting; null if the directory determines it.',
  })
  role: Role | null;

  @ApiProperty({
    enum: INVITATION_STATUSES,
    enumName: 'InvitationStatus',
    description:
      'A `DECLINED` invitation of kind `DIRECTORY` can still be accepted; this is how you rejoin after leaving.',
  })
  status: InvitationStatus;

  @InstantField({
    nullable: true,
    description: 'When it expires; null if it can be accepted as long as you are in the directory.',
  })
  expires_at: string | null;

  @InstantField()
  created_at: string;
}

/** A row as selected by the service. */
export type MyInvitationRow = Pick<MyInvitationOut, 'kind' | 'role'> &
  Pick<Columns<Invitation>, 'id' | 'org_id' | 'status' | 'created_at'> &
  Pick<Columns<Organisation>, 'name' | 'slug'> & { expires_at: Date | null };

/** A row selected by id. */
export type FoundInvitationRow = MyInvitationRow & {
  /** False if the directory has deactivated the user; lists omit such rows. */
  is_active: boolean;
};

export function toMyInvitation(row: MyInvitationRow): MyInvitationOut {
  return {
    id: row.id,
    kind: row.kind,
    org_id: row.org_id,
    name: row.name,
    slug: row.slug,
    role: row.role,
    status: row.status,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
