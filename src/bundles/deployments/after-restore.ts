import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

const STOP_ENDPOINTS = `
  UPDATE bundle_deployments SET status = 'STOPPED', updated_at = now() WHERE kind = 'ENDPOINT' AND status <> 'STOPPED'`;

/**
 * Stops the deployments that are MCP endpoints, for a copy whose endpoints are disabled.
 *
 * @param manager of a transaction
 * @returns how many
 */
export function stopEndpointDeployments(manager: EntityManager): Promise<number> {
  return execute(manager, STOP_ENDPOINTS);
}
