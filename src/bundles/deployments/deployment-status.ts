/** How a deployment is, in the words of whoever runs it. A closed set; the database has the same. */
export const DEPLOYMENT_STATUSES = ['PENDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'STOPPED'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];
