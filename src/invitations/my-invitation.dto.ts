import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../database/columns';
import { IdField, InstantField } from '../http/requests/fields';
import { type Role, ROLES } from '../organisations/members/role';
import type { Organisation } from '../organisations/organisation.entity';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation-status.sql';
import type { Invitation } from './invitation.entity';

const KINDS = ['INVITATION', 'DIRECTORY'] as const;

/** An invitation as the invited person sees it, or a membership that a directory gives and that they can accept. */
export class MyInvitationOut {
  @IdField()
  id: string;

  @ApiProperty({
    enum: KINDS,
    enumName: 'InvitationKind',
    description: '`INVITATION`: sent by a member; `DIRECTORY`: the directory of the organisation names you.',
  })
  kind: (typeof KINDS)[number];

  @IdField({ description: 'The organisation.' })
  org_id: string;

  @ApiProperty({ example: 'Acme', description: 'Its name.' })
  name: string;

  @ApiProperty({ example: 'acme', description: 'Its slug.' })
  slug: string;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'The role that you get by accepting; null: the directory decides.',
  })
  role: Role | null;

  @ApiProperty({
    enum: INVITATION_STATUSES,
    enumName: 'InvitationStatus',
    description: 'A `DECLINED` one of the kind `DIRECTORY` can still be accepted: so you come back after you left.',
  })
  status: InvitationStatus;

  @InstantField({
    nullable: true,
    description: 'Until when it can be accepted; null: as long as the directory names you.',
  })
  expires_at: string | null;

  @InstantField()
  created_at: string;
}

/** A row as the service selects it. */
export type MyInvitationRow = Pick<MyInvitationOut, 'kind' | 'role'> &
  Pick<Columns<Invitation>, 'id' | 'org_id' | 'status' | 'created_at'> &
  Pick<Columns<Organisation>, 'name' | 'slug'> & { expires_at: Date | null };

/** The row of one, by its id. */
export type FoundInvitationRow = MyInvitationRow & {
  /** False where the directory has the person deactivated; lists do not show those. */
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
