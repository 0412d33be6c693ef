/**
 * Where a deployment runs. `EXTERNAL`: wherever its operator runs it and reports. `ENDPOINT`: here, as an MCP endpoint
 * that serves one version of the bundle. A closed set; the database checks it too.
 */
export const DEPLOYMENT_KINDS = ['EXTERNAL', 'ENDPOINT'] as const;
export type DeploymentKind = (typeof DEPLOYMENT_KINDS)[number];
