import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, TextField } from '../../../http/requests/fields';
import { PageQuery } from '../../../http/requests/page';
import { MemberOut, type MemberRow, toMember } from '../../../organisations/members/member.dto';
import { type Role, ROLES } from '../../../organisations/members/role';
import { HAS_WORD } from '../../../users/prefix-query';
import { ACCOUNT_STATES, accountState, type AccountState } from '../resolution/account-state';
import { reasonInForce, ROLE_REASON_TEXT, ROLE_REASONS, type RoleReason } from '../resolution/role-reason';
import type { Reason } from '../resolution/role-resolution';

/** The reasons that a membership can have: for the others there is none. */
export const MEMBER_REASONS = ['manual', 'mapping', 'default_role', 'deactivated', 'deleted', 'last_owner'] as const;

export type MemberReason = (typeof MEMBER_REASONS)[number];

export class ListedMemberQuery extends PageQuery {
  @EnumField(ROLES, { required: false, description: 'Only members with this effective role.' })
  role?: Role;

  @EnumField(MEMBER_REASONS, { required: false, description: 'Only members whose role has this reason.' })
  reason?: MemberReason;

  @TextField({
    required: false,
    max: 200,
    pattern: HAS_WORD,
    example: 'ada lov',
    description:
      'Only members with a word that begins with each of these words, ignoring case: in the address or name of the account, or in the `userName` or name in the directory.',
  })
  search?: string;
}

/** A member in a list, with what explains the role in one sentence. */
export class ListedMemberOut extends MemberOut {
  @ApiProperty({
    enum: ROLE_REASONS,
    enumName: 'RoleReason',
    description: `${ROLE_REASON_TEXT} \`GET …/members/{user_id}/role-explanation\` tells more.`,
  })
  reason: RoleReason;

  @IdField({
    nullable: true,
    description: 'The mapping that gives the role, if the reason is `mapping` and the caller is ADMIN or OWNER.',
  })
  mapping_id: string | null;

  @IdField({ nullable: true, description: 'The group of that mapping.' })
  group_id: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Platform engineers',
    description: 'The name of that group.',
  })
  group_name: string | null;

  @ApiProperty({
    enum: [...ACCOUNT_STATES, null],
    type: 'string',
    nullable: true,
    description:
      'Whether someone signs in with this account: `CLAIMED`: yes; `WAITING`: it waits for the first person with its address; `NO_ADDRESS`: nobody can; `CLOSED`: it was closed. Null for callers who are MEMBER.',
  })
  account_state: AccountState | null;
}

/** A row as the statement selects it. */
export type ListedMemberRow = MemberRow & {
  is_claimed: boolean;
  is_closed: boolean;
  /** The result of role resolution; null for people whom the directory never knew. */
  resolved_role: Role | null;
  resolved_suspended: boolean | null;
  reason: Reason | null;
  mapping_id: string | null;
  group_id: string | null;
  group_name: string | null;
};

/** @param forAdministrator whether the reader may know groups and accounts */
export function toListedMember(row: ListedMemberRow, forAdministrator: boolean): ListedMemberOut {
  const resolution = {
    scimRole: row.resolved_role,
    suspended: row.resolved_suspended ?? false,
    reason: row.reason ?? 'not_in_directory',
  };
  const reason = reasonInForce(resolution, row.manual_role, row.retained_last_owner);
  const isMapped = reason === 'mapping' && forAdministrator;
  return {
    ...toMember(row),
    reason,
    mapping_id: isMapped ? row.mapping_id : null,
    group_id: isMapped ? row.group_id : null,
    group_name: isMapped ? row.group_name : null,
    account_state: forAdministrator
      ? accountState({ email: row.email, isClaimed: row.is_claimed, isClosed: row.is_closed })
      : null,
  };
}
