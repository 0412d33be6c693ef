import { ConflictError, ValidationError } from '../../../errors/errors';
import type { Role } from '../../../organisations/members/role';
import { ErrorCode } from '../../scim.errors';

/*
 * The rules of role mappings (contract, section 7), for those who change them and for the preview of such changes.
 */

/** How a caller names a group. */
export type GroupReference = { id: string } | { name: string };

/** Ids that an error names at most. */
const MAX_NAMED = 10;

/**
 * @param loc where `group_id` is in the body
 * @throws ValidationError unless exactly one of the two names the group
 */
export function groupReference(
  { group_id, group_name }: { group_id?: string | null; group_name?: string | null },
  loc: string[],
): GroupReference {
  if (group_id && !group_name) return { id: group_id };
  if (group_name && !group_id) return { name: group_name };
  const type = group_id ? 'value_error' : 'missing';
  throw new ValidationError([{ loc, msg: 'Provide either group_id or group_name.', type }]);
}

/**
 * Anyone who holds a SCIM token can put people into a group, so an OWNER decides once whether groups may make OWNERs.
 *
 * @throws ConflictError
 */
export function requireOwnerAllowed(role: Role, allowOwnerMapping: boolean): void {
  if (role !== 'OWNER' || allowOwnerMapping) return;
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    'A mapping to OWNER needs allow_owner_mapping in the SCIM settings; an OWNER can turn it on.',
  );
}

/** @throws ConflictError for a name of several groups */
export function requireOneGroup(groups: readonly { id: string | null }[]): void {
  if (groups.length <= 1) return;
  const ids = groups.slice(0, MAX_NAMED).map(({ id }) => id);
  const end = groups.length > MAX_NAMED ? ', …' : '.';
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    `Several groups have this name; give the group_id of one: ${ids.join(', ')}${end}`,
  );
}

/** @param mapping what waits for the name, with its article where it has no id yet */
export function alreadyAwaited(mapping: string): ConflictError {
  return new ConflictError(
    ErrorCode.RoleMappingConflict,
    `${mapping} already waits for a group of this name; change that one.`,
  );
}

/** What the caller is told when the organisation has as many mappings as allowed. */
export function mappingsExhausted(most: number): string {
  return `The organisation has ${most} role mappings, which is the limit. Delete one first.`;
}
