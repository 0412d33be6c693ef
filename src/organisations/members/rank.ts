import { InsufficientRoleError } from '../organisation.errors';
import type { ActingMember } from './memberships.service';
import type { Role } from './role';

/**
 * ADMINs can neither assign OWNER nor change an OWNER (contract, section 4).
 *
 * @param roles that the change assigns or removes
 * @throws InsufficientRoleError
 */
export function requireRank({ role }: Pick<ActingMember, 'role'>, ...roles: (Role | null)[]): void {
  if (roles.includes('OWNER') && role !== 'OWNER') throw new InsufficientRoleError('OWNER', role);
}
