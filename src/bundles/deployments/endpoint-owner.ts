import type { EntityManager } from 'typeorm';
import type { EndpointName } from '../../auth/resources';
import { maybe } from '../../database/statements';

/** $1 bundle or null, $2 deployment or null. */
const OWNER = `
  SELECT org_id FROM bundles
  WHERE id = COALESCE($1::uuid, (SELECT bundle_id FROM bundle_deployments WHERE id = $2::uuid))`;

/** @returns the organisation whose bundle an endpoint serves; undefined: a person's, or there is none */
export async function ownerOfEndpoint(manager: EntityManager, endpoint: EndpointName): Promise<string | undefined> {
  const ids = endpoint.kind === 'bundle' ? [endpoint.id, null] : [null, endpoint.id];
  return (await maybe<{ org_id: string | null }>(manager, OWNER, ids))?.org_id ?? undefined;
}
