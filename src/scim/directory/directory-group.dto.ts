import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { Membership } from '../../organisations/members/membership.entity';
import { type Role, ROLES } from '../../organisations/members/role';
import { VALUE_LIMITS } from '../protocol/values/value-limits';
import type { ScimGroup } from './scim-group.entity';
import type { ScimUser } from './scim-user.entity';

export class DirectoryGroupQuery extends PageQuery {
  @TextField({
    required: false,
    min: 1,
    max: VALUE_LIMITS.indexedLength,
    example: 'Platform',
    description: 'Only groups whose `displayName` begins with this, ignoring case.',
  })
  display_name?: string;
}

export class GroupMappingOut {
  @IdField()
  id: string;

  @ApiProperty({ enum: ROLES, enumName: 'Role' })
  role: Role;
}

export class DirectoryGroupOut {
  @IdField({ description: 'The `id` of the SCIM resource.' })
  id: string;

  @ApiProperty({ example: 'Platform engineers' })
  display_name: string;

  @ApiProperty({ type: 'string', nullable: true, description: "The identity provider's own id." })
  external_id: string | null;

  @ApiProperty({ type: 'integer', description: 'The number of members.' })
  member_count: number;

  @ApiProperty({
    type: GroupMappingOut,
    nullable: true,
    description: 'The role mapping of the group; null: it is not mapped and gives no role.',
  })
  mapping: GroupMappingOut | null;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

export class DirectoryGroupMemberOut {
  @IdField({ description: 'The `id` of the SCIM resource.' })
  id: string;

  @IdField({
    nullable: true,
    description:
      'The account linked to it. Null while the person has an account of their own and has not agreed to the membership.',
  })
  user_id: string | null;

  @ApiProperty({ example: 'ada@acme.example', description: 'The `userName`.' })
  user_name: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ada Lovelace' })
  display_name: string | null;

  @ApiProperty({ description: 'False: no access, whatever the roles.' })
  active: boolean;

  @ApiProperty({
    enum: [...ROLES, null],
    type: 'string',
    nullable: true,
    description: 'The effective role, from this group or elsewhere; null: no access.',
  })
  role: Role | null;

  @InstantField({ description: 'When the user joined the group.' })
  since: string;
}

/** A row as the statement selects it. */
export type DirectoryGroupRow = Pick<
  Columns<ScimGroup>,
  'id' | 'display_name' | 'external_id' | 'created_at' | 'updated_at'
> & {
  mapping_id: string | null;
  role: Role | null;
  member_count: number;
  /** The sort key, together with the id. */
  position: string;
};

export type DirectoryGroupMemberRow = Pick<
  Columns<ScimUser>,
  'id' | 'user_id' | 'user_name' | 'display_name' | 'active'
> &
  Pick<Columns<Membership>, 'role'> & {
    /** Whether the organisation may know the account. */
    is_agreed_to: boolean;
    since: Date;
  };

export function toDirectoryGroup(row: DirectoryGroupRow): DirectoryGroupOut {
  return {
    id: row.id,
    display_name: row.display_name,
    external_id: row.external_id,
    member_count: row.member_count,
    mapping: row.mapping_id !== null && row.role !== null ? { id: row.mapping_id, role: row.role } : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toGroupMember(row: DirectoryGroupMemberRow): DirectoryGroupMemberOut {
  return {
    id: row.id,
    user_id: row.is_agreed_to ? row.user_id : null,
    user_name: row.user_name,
    display_name: row.display_name,
    active: row.active,
    role: row.role,
    since: row.since.toISOString(),
  };
}
