import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../../../http/requests/fields';
import { type Role, ROLES } from '../../../organisations/members/role';
import { ACCOUNT_STATES, accountDetail, type AccountState } from '../resolution/account-state';
import type { MappedGroup, RoleExplanation } from './role-explanation';
import { ROLE_REASON_TEXT, ROLE_REASONS, type RoleReason } from '../resolution/role-reason';

const ROLE = { enum: ROLES, enumName: 'Role' } as const;
const ROLE_OR_NULL = { enum: [...ROLES, null], type: 'string', nullable: true } as const;
const REASON = { enum: ROLE_REASONS, enumName: 'RoleReason', description: ROLE_REASON_TEXT } as const;

export class ExplainedEntryOut {
  @IdField({ description: 'The `id` of the SCIM resource.' })
  id: string;

  @ApiProperty({ example: 'ada@acme.example' })
  user_name: string;

  @ApiProperty({ description: 'False: no access, whatever the roles.' })
  active: boolean;

  @InstantField({ nullable: true, description: 'Null: not deleted.' })
  deleted_at: string | null;
}

export class DecidingMappingOut {
  @IdField()
  id: string;

  @IdField()
  group_id: string;

  @ApiProperty({ example: 'Platform engineers' })
  group_name: string;

  @ApiProperty(ROLE)
  role: Role;

  @InstantField({ description: 'When the mapping was last changed.' })
  since: string;

  @InstantField({ description: 'When the person joined the group.' })
  member_since: string;
}

export class ExplainedGroupOut {
  @IdField()
  group_id: string;

  @ApiProperty({ example: 'Platform engineers' })
  group_name: string;

  @IdField()
  mapping_id: string;

  @ApiProperty({ ...ROLE, description: 'The role that the mapping gives.' })
  role: Role;

  @ApiProperty({
    description:
      'Whether it is taken into account: not if the person is deactivated, deleted, pending or opted out, nor for OWNER without `allow_owner_mapping`.',
  })
  counts: boolean;

  @InstantField({ description: 'When the person joined the group.' })
  member_since: string;
}

export class WithoutMappingOut {
  @ApiProperty({ ...ROLE_OR_NULL, description: 'The effective role in that case; null: none.' })
  role: Role | null;

  @ApiProperty(REASON)
  reason: RoleReason;

  @IdField({ nullable: true, description: 'The mapping that would give it.' })
  mapping_id: string | null;
}

export class RoleExplanationOut {
  @IdField({
    nullable: true,
    description: 'Null for a person with an account of their own who has not agreed to the membership.',
  })
  user_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'ada@acme.example',
    description: 'For a member, the address of the account; for anyone else, the address in the directory.',
  })
  email: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Ada Lovelace',
    description: 'For a member, the name of the account; for anyone else, the `displayName` in the directory.',
  })
  name: string | null;

  @ApiProperty({
    enum: ACCOUNT_STATES,
    enumName: 'AccountState',
    description:
      'Whether someone signs in with this account: `CLAIMED`: yes; `WAITING`: it waits for the first person with its address; `NO_ADDRESS`: nobody can; `CLOSED`: it was closed or deleted.',
  })
  account_state: AccountState;

  @ApiProperty({ description: 'The same in a sentence for people, with what to do; the wording may change.' })
  account_detail: string;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'The effective role; null: no access.' })
  role: Role | null;

  @InstantField({
    nullable: true,
    description: 'Since when it has been effective. Null: there never was a role, or it is older than the audit log.',
  })
  role_since: string | null;

  @ApiProperty(REASON)
  reason: RoleReason;

  @ApiProperty({
    description: 'The same in a sentence for people; the wording may change.',
    example:
      'ADMIN: the person has been in the group "Platform engineers" since 2026-11-20, and the group has been mapped to ADMIN since 2026-11-02.',
  })
  summary: string;

  @ApiProperty({ description: 'False: something was changed outside this service; `POST …/scim/sync` corrects it.' })
  is_up_to_date: boolean;

  @ApiProperty({ description: 'Whether a membership exists.' })
  is_member: boolean;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'Assigned manually.' })
  manual_role: Role | null;

  @ApiProperty({ ...ROLE_OR_NULL, description: 'Assigned by the directory.' })
  scim_role: Role | null;

  @ApiProperty({
    description:
      'Whether both roles are suspended, because the person was deactivated in or deleted from the directory.',
  })
  suspended: boolean;

  @ApiProperty({ description: 'Stays OWNER only because there is no other; ends when another active OWNER exists.' })
  retained_last_owner: boolean;

  @ApiProperty({
    type: ExplainedEntryOut,
    nullable: true,
    description: 'The directory user; null: the person is not in the directory.',
  })
  directory_user: ExplainedEntryOut | null;

  @ApiProperty({
    type: DecidingMappingOut,
    nullable: true,
    description: 'The mapping that gives the effective role; null unless the reason is `mapping`.',
  })
  mapping: DecidingMappingOut | null;

  @ApiProperty({
    type: [ExplainedGroupOut],
    description: 'All mapped groups of the person, the highest role first.',
  })
  mapped_groups: ExplainedGroupOut[];

  @ApiProperty({
    type: WithoutMappingOut,
    nullable: true,
    description: 'The effective role if `mapping` were deleted; null unless the reason is `mapping`.',
  })
  without_mapping: WithoutMappingOut | null;
}

/** One person as the statement selects them, besides what is explained. */
export interface ExplainedPerson {
  userId: string | null;
  email: string | null;
  name: string | null;
  account: AccountState;
  roleSince: Date | null;
  isMember: boolean;
  manualRole: Role | null;
  scimRole: Role | null;
  suspended: boolean;
  retainedLastOwner: boolean;
  entry: { id: string; userName: string; active: boolean; deletedAt: Date | null } | null;
}

export function toExplanation(person: ExplainedPerson, explanation: RoleExplanation): RoleExplanationOut {
  const { entry } = person;
  const { role, reason, summary, isUpToDate, decides, groups, without } = explanation;
  return {
    user_id: person.userId,
    email: person.email,
    name: person.name,
    account_state: person.account,
    account_detail: accountDetail(person.account),
    role,
    role_since: person.roleSince?.toISOString() ?? null,
    reason,
    summary,
    is_up_to_date: isUpToDate,
    is_member: person.isMember,
    manual_role: person.manualRole,
    scim_role: person.scimRole,
    suspended: person.suspended,
    retained_last_owner: person.retainedLastOwner,
    directory_user: entry && {
      id: entry.id,
      user_name: entry.userName,
      active: entry.active,
      deleted_at: entry.deletedAt?.toISOString() ?? null,
    },
    mapping: decides && toDecidingMapping(decides),
    mapped_groups: groups.map(toExplainedGroup),
    without_mapping: without && { role: without.role, reason: without.reason, mapping_id: without.mappingId },
  };
}

function toDecidingMapping(group: MappedGroup): DecidingMappingOut {
  return {
    id: group.mappingId,
    group_id: group.groupId,
    group_name: group.groupName,
    role: group.role,
    since: group.mappedSince.toISOString(),
    member_since: group.memberSince.toISOString(),
  };
}

function toExplainedGroup(group: RoleExplanation['groups'][number]): ExplainedGroupOut {
  return {
    group_id: group.groupId,
    group_name: group.groupName,
    mapping_id: group.mappingId,
    role: group.role,
    counts: group.counts,
    member_since: group.memberSince.toISOString(),
  };
}
