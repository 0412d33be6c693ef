/** @returns whether a rule of the bundle forbids it to the person; a service of an earlier release does not say */
export const isForbidden = ({ may_use: mayUse = true }: { may_use?: boolean }): boolean => !mayUse;
