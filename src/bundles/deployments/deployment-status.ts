/**
 * The status of a deployment, as reported by its operator; an `ENDPOINT` is `RUNNING` or `STOPPED`. A closed set; the
 * database checks it too.
 */
export const DEPLOYMENT_STATUSES = ['PENDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'STOPPED'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];
