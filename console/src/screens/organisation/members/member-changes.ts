import type { ListedMember, Role } from '../../../api/schema';

/** From the lowest to the highest. */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const satisfies readonly Role[];

const rankOf = (role: Role | null): number => (role === null ? -1 : ROLES.indexOf(role));

export const higher = (one: Role | null, other: Role | null): Role | null =>
  rankOf(one) >= rankOf(other) ? one : other;

type Roles = Pick<ListedMember, 'role' | 'manual_role' | 'scim_role' | 'retained_last_owner'>;

/** @returns whether the directory has taken all access away; the manual role is kept meanwhile */
export const isSuspended = ({ role }: Roles): boolean => role === null;

/** @returns the role in force if this one is given by hand */
export function roleAfterChange(member: Roles, manual: Role): Role | null {
  if (member.retained_last_owner) return 'OWNER';
  return isSuspended(member) ? null : higher(manual, member.scim_role);
}

/** @returns the role in force if the manual one is taken away; null: the membership ends, or stays suspended */
export const roleAfterRemoval = (member: Roles): Role | null => (isSuspended(member) ? null : member.scim_role);

/** @returns whether this person may change or remove that one: owners are for owners alone */
export function mayChange(own: Role | null, member: Roles): boolean {
  if (own === 'OWNER') return true;
  return own === 'ADMIN' && member.role !== 'OWNER' && member.manual_role !== 'OWNER';
}

/** @returns the roles that a person with this role may give */
export const rolesToGive = (own: Role | null): Role[] => ROLES.filter((role) => role !== 'OWNER' || own === 'OWNER');
