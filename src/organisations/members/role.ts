/** Roles in an organisation, from the lowest to the highest (contract, section 4). The order is that of the database. */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;

export type Role = (typeof ROLES)[number];

/** @returns whether `role` allows all that `needed` allows */
export function isAtLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** @returns the highest of the roles, null when there is none */
export function highest(...roles: (Role | null)[]): Role | null {
  return roles.reduce((best, role) => (role !== null && (best === null || isAtLeast(role, best)) ? role : best), null);
}
