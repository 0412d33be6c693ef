/**
 * What happens when the server of an entry changes the definition of a tool. `OFF`: nothing. `WARN`: the new one is served, and an
 * event says so. `APPROVE`: only definitions that an editor has approved are served.
 */
export const PINNINGS = ['OFF', 'WARN', 'APPROVE'] as const;
export type Pinning = (typeof PINNINGS)[number];

/** Entries and versions that are older than pinning have this mode. */
export const FORMER_PINNING: Pinning = 'WARN';
