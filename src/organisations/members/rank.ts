import { InsufficientRoleError } from '../organisation.errors';
import type { ActingMember } from './memberships.service';
import type { Role } from './role';

/**
 * An ADMIN acts up to ADMIN: may neither give OWNER nor touch what has it (contract, section 4).
 *
 * @param roles that the change gives or takes away
 * @throws InsufficientRoleError
 */
export function requireRank({ role }: Pick<ActingMember, 'role'>, ...roles: (Role | null)[]): void {
  if (roles.includes('OWNER') && role !== 'OWNER') throw new InsufficientRoleError('OWNER', role);
}
