/** What supervisors and load balancers ask. Never limited, and answered by every process. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
