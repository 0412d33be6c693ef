/**
 * Roles in an organisation, from the lowest to the highest (contract, section 4). The database enum has the same order.
 */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;

export type Role = (typeof ROLES)[number];

/** @returns whether `role` is `required` or higher */
export function isAtLeast(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** @returns the highest of the roles, or null if there is none */
export function highest(...roles: (Role | null)[]): Role | null {
  return roles.reduce((best, role) => (role !== null && (best === null || isAtLeast(role, best)) ? role : best), null);
}
