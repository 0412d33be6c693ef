import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { EnumField, IdField, InstantField } from '../../http/requests/fields';
import type { User } from '../../users/user.entity';
import type { Membership } from './membership.entity';
import { type Role, ROLES } from './role';

export class MemberChange {
  @EnumField(ROLES, {
    description: 'The manual role. The effective role is the higher of the manual role and the SCIM role.',
  })
  role: Role;
}

export class MemberOut {
  @IdField()
  user_id: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'bob@example.com' })
  email: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: "The account's own name; if there is none, the name in this organisation's directory.",
  })
  name: string | null;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description:
      'The effective role: the higher of `manual_role` and `scim_role`. Null while the user is deactivated in the directory.',
  })
  role: Role | null;

  @ApiProperty({ enum: [...ROLES, null], type: 'string', nullable: true, description: 'The role assigned manually.' })
  manual_role: Role | null;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'The role assigned by the role mapping.',
  })
  scim_role: Role | null;

  @ApiProperty({ description: 'Whether the user stays OWNER only because there is no other active OWNER.' })
  retained_last_owner: boolean;

  @InstantField()
  created_at: string;
}

/** A row as selected by the service. */
export type MemberRow = Pick<
  Columns<Membership>,
  'user_id' | 'role' | 'manual_role' | 'scim_role' | 'suspended' | 'retained_last_owner' | 'created_at'
> &
  Pick<Columns<User>, 'email' | 'name'>;

export function toMember(row: MemberRow): MemberOut {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    manual_role: row.manual_role,
    scim_role: row.scim_role,
    retained_last_owner: row.retained_last_owner,
    created_at: row.created_at.toISOString(),
  };
}
