import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { BooleanField, IdField, InstantField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import type { Membership } from '../../organisations/members/membership.entity';
import { type Role, ROLES } from '../../organisations/members/role';
import { VALUE_LIMITS } from '../protocol/values/value-limits';
import { ACCOUNT_NOTES, type AccountNote } from './account-note';
import { reasonInForce, ROLE_REASON_TEXT, ROLE_REASONS, type RoleReason } from '../roles/resolution/role-reason';
import type { Reason } from '../roles/resolution/role-resolution';
import type { ScimGroup } from './scim-group.entity';
import type { ScimUser } from './scim-user.entity';

const ROLE_OR_NULL = { enum: [...ROLES, null], type: 'string', nullable: true } as const;

export class DirectoryUserQuery extends PageQuery {
  @BooleanField({ required: false, description: 'Only users that are active in the directory, or only inactive ones.' })
  active?: boolean;

  @TextField({
    required: false,
    min: 1,
    max: VALUE_LIMITS.indexedLength,
    example: 'ada@',
    description: 'Only users whose `userName` begins with this, ignoring case.',
  })
  user_name?: string;

  @TextField({
    required: false,
    min: 1,
    max: VALUE_LIMITS.indexedLength,
    example: 'ada@acme.example',
    description: 'Only users with this address in the directory, ignoring case.',
  })
  email?: string;

  @TextField({
    required: false,
    min: 1,
    max: VALUE_LIMITS.indexedLength,
    description: 'Only the user with this `externalId`.',
  })
  external_id?: string;
}

export class DirectoryUserOut {
  @IdField({ description: 'The `id` of the SCIM resource.' })
  id: string;

  @IdField({
    nullable: true,
    description:
      'The account linked to it. Null with the reasons `pending` and `opted_out`, and whenever the person has an account of their own and has not agreed to the membership.',
  })
  user_id: string | null;

  @ApiProperty({
    enum: [...ACCOUNT_NOTES, null],
    type: 'string',
    nullable: true,
    description:
      'Why the account is not the one of the address: another entry of this organisation has the address. `linked_by_user_name`: it is the account of the `userName`; `address_taken`: an account that cannot be claimed. Null: it is the one of the address, or there is no address.',
  })
  account_note: AccountNote | null;

  @ApiProperty({ example: 'ada@acme.example', description: 'The `userName`.' })
  user_name: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'Ada Lovelace' })
  display_name: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: "The identity provider's own id." })
  external_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'ada@acme.example',
    description: 'The primary address of the SCIM resource, or its first one. It may differ from that of the account.',
  })
  email: string | null;

  @ApiProperty({ description: 'False: no access, whatever the roles.' })
  active: boolean;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'The effective role; null: no access.' })
  role: Role | null;

  @ApiProperty({ enum: ROLE_REASONS, enumName: 'RoleReason', description: ROLE_REASON_TEXT })
  reason: RoleReason;

  @IdField({ nullable: true, description: 'The mapping that gives the role, if the reason is `mapping`.' })
  mapping_id: string | null;

  @IdField({ nullable: true, description: 'The group of that mapping.' })
  group_id: string | null;

  @ApiProperty({ description: 'Stays OWNER only because there is no other; ends when another active OWNER exists.' })
  retained_last_owner: boolean;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

export class DirectoryUserGroupOut {
  @IdField({ description: 'The `id` of the SCIM resource.' })
  id: string;

  @ApiProperty({ example: 'Platform engineers' })
  display_name: string;

  @InstantField({ description: 'When the user joined it.' })
  since: string;

  @IdField({ nullable: true, description: 'The mapping of the group; null: it is not mapped and gives no role.' })
  mapping_id: string | null;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'The role that the mapping gives.' })
  role: Role | null;
}

export class DirectoryUserDetailOut extends DirectoryUserOut {
  @ApiProperty({ type: [DirectoryUserGroupOut], description: 'All groups of the user, ordered by name.' })
  groups: DirectoryUserGroupOut[];
}

/** A row of the directory as the statement selects it. */
export type DirectoryUserRow = Pick<
  Columns<ScimUser>,
  | 'id'
  | 'user_id'
  | 'account_note'
  | 'user_name'
  | 'display_name'
  | 'external_id'
  | 'active'
  | 'created_at'
  | 'updated_at'
> & {
  email: string | null;
  /** Whether the organisation may know the account. */
  is_agreed_to: boolean;
  /** The sort key. */
  position: string;
};

/** The result of role resolution for one account, with the stored role. */
export type DirectoryRoleRow = Pick<
  Columns<Membership>,
  'role' | 'manual_role' | 'scim_role' | 'suspended' | 'retained_last_owner'
> & {
  account_id: string;
  reason: Reason;
  mapping_id: string | null;
  group_id: string | null;
};

export type ResolvedUserRow = DirectoryUserRow & DirectoryRoleRow;

export type DirectoryUserGroupRow = Pick<Columns<ScimGroup>, 'id' | 'display_name'> & {
  since: Date;
  mapping_id: string | null;
  role: Role | null;
};

export function toDirectoryUser(row: ResolvedUserRow): DirectoryUserOut {
  const resolution = { scimRole: row.scim_role, suspended: row.suspended, reason: row.reason };
  const reason = reasonInForce(resolution, row.manual_role, row.retained_last_owner);
  return {
    id: row.id,
    user_id: row.is_agreed_to ? row.user_id : null,
    account_note: row.account_note,
    user_name: row.user_name,
    display_name: row.display_name,
    external_id: row.external_id,
    email: row.email,
    active: row.active,
    role: row.role,
    reason,
    mapping_id: reason === 'mapping' ? row.mapping_id : null,
    group_id: reason === 'mapping' ? row.group_id : null,
    retained_last_owner: row.retained_last_owner,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function toUserGroup(row: DirectoryUserGroupRow): DirectoryUserGroupOut {
  return {
    id: row.id,
    display_name: row.display_name,
    since: row.since.toISOString(),
    mapping_id: row.mapping_id,
    role: row.role,
  };
}
