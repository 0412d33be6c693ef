import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../../database/columns';
import { EnumField, IdField, InstantField, TextField } from '../../../http/requests/fields';
import { type Role, ROLES } from '../../../organisations/members/role';
import { VALUE_LIMITS } from '../../protocol/values/value-limits';
import type { ScimRoleMapping } from './scim-role-mapping.entity';
import type { ScimSettingsRow } from '../settings/scim-settings.entity';

const ROLE = { enum: ROLES, enumName: 'Role' } as const;
const OWNER_RULE = 'OWNER needs `allow_owner_mapping` in the settings, and an OWNER as the caller.';

/** A possible group name. Invisible white space at its ends would make a mapping wait permanently. */
export const GROUP_NAME = { min: 1, max: VALUE_LIMITS.indexedLength, pattern: '^\\S(?:[\\s\\S]*\\S)?$' };

export class RoleMappingCreate {
  @IdField({ required: false, nullable: true, description: 'Either this or `group_name`.' })
  group_id?: string | null;

  @TextField({
    required: false,
    nullable: true,
    ...GROUP_NAME,
    example: 'Platform engineers',
    description:
      'Either this or `group_id`: the `displayName` of a group, ignoring case, without white space at its ends. The mapping binds immediately to the group of that name; if none exists, it waits until the identity provider pushes one. From then on it follows the id.',
  })
  group_name?: string | null;

  @EnumField(ROLES, { description: `The role of everyone in the group. ${OWNER_RULE}` })
  role: Role;
}

export class RoleMappingChange {
  @EnumField(ROLES, { description: `The new role of everyone in the group. ${OWNER_RULE}` })
  role: Role;
}

export class RoleMappingOut {
  @IdField()
  id: string;

  @IdField({ nullable: true, description: 'Null while it is waiting.' })
  group_id: string | null;

  @ApiProperty({
    example: 'Platform engineers',
    description: "The group's current name, or the name that the mapping is waiting for.",
  })
  group_name: string;

  @ApiProperty({
    enum: ['bound', 'waiting'],
    description: '`waiting`: until a group of that name is pushed. Until then it gives no role.',
  })
  state: 'bound' | 'waiting';

  @ApiProperty(ROLE)
  role: Role;

  @ApiProperty({
    description: 'Whether it gives a role: not while it is waiting, nor for OWNER without `allow_owner_mapping`.',
  })
  has_effect: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The number of members; null while it is waiting.' })
  member_count: number | null;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as the statement selects it. */
export type RoleMappingRow = Pick<
  Columns<ScimRoleMapping>,
  'id' | 'group_id' | 'group_name' | 'role' | 'created_at' | 'updated_at'
> &
  Pick<Columns<ScimSettingsRow>, 'allow_owner_mapping'> & {
    member_count: number | null;
  };

export function toRoleMapping(row: RoleMappingRow): RoleMappingOut {
  const isBound = row.group_id !== null;
  return {
    id: row.id,
    group_id: row.group_id,
    group_name: row.group_name,
    state: isBound ? 'bound' : 'waiting',
    role: row.role,
    has_effect: isBound && (row.role !== 'OWNER' || row.allow_owner_mapping),
    member_count: row.member_count,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
