import { isAtLeast, type Role } from '../../organisations/members/role';
import type { Reason, Resolution } from './role-resolution';

/** Why somebody has the role in force: what role resolution says, or that a person gave it. */
export type RoleReason = Reason | 'manual';

export const ROLE_REASONS: readonly RoleReason[] = [
  'manual',
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

/** What each reason means, for the OpenAPI document. */
export const ROLE_REASON_TEXT =
  '`manual`: given by a person, and higher than what the directory gives; `mapping`: the highest role among the mapped groups; `default_role`, `no_default_role`: in no mapped group that counts; `deactivated`, `deleted`, `not_in_directory`: what the directory says; `pending`: the person has an account of their own and has not accepted the membership yet; `opted_out`: the person left or declined, and can come back by accepting; `last_owner`: would no longer be OWNER, but no one else is.';

/**
 * The role in force is the higher one of the manual and the SCIM role (contract, section 7), and so is its reason: of
 * two equal ones the directory is named, since it gives the role whatever people do.
 *
 * @param resolution what role resolution says of the person
 * @param retained whether the person is kept as the last OWNER
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
