import { isAtLeast, type Role } from '../../../organisations/members/role';
import type { Reason, Resolution } from './role-resolution';

/** Why someone has the effective role: the result of role resolution, or a manual role. */
export type RoleReason = Reason | 'manual';

/** The reasons of role resolution. */
export const DIRECTORY_REASONS: Reason[] = [
  'mapping',
  'default_role',
  'no_default_role',
  'deactivated',
  'deleted',
  'pending',
  'opted_out',
  'not_in_directory',
  'last_owner',
];

export const ROLE_REASONS: readonly RoleReason[] = ['manual', ...DIRECTORY_REASONS];

/** What each reason means, for the OpenAPI document. */
export const ROLE_REASON_TEXT =
  '`manual`: assigned manually, and higher than the role from the directory; `mapping`: the highest role among the mapped groups; `default_role`, `no_default_role`: in no mapped group that counts; `deactivated`, `deleted`, `not_in_directory`: the state in the directory; `pending`: the person has an account of their own and has not accepted the membership yet; `opted_out`: the person left or declined, and can come back by accepting; `last_owner`: stays OWNER only because there is no other.';

/**
 * The effective role is the higher one of the manual and the SCIM role (contract, section 7), and its reason is the
 * effective reason: if they are equal, the directory's, since it gives the role whatever is done manually.
 *
 * @param resolution the result of role resolution
 * @param retained whether the person is retained as the last OWNER
 */
export function reasonInForce(
  { scimRole, suspended, reason }: Pick<Resolution, 'scimRole' | 'suspended' | 'reason'>,
  manualRole: Role | null,
  retained: boolean,
): RoleReason {
  if (retained) return 'last_owner';
  if (suspended || manualRole === null) return reason;
  return scimRole !== null && isAtLeast(scimRole, manualRole) ? reason : 'manual';
}
