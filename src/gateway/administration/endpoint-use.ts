import type { EntityManager } from 'typeorm';
import type { EndpointUse } from '../../bundles/deployments/endpoint-switch';
import { one } from '../../database/statements';

/**
 * $1 bundle. Sessions by the index of their servers: the endpoint has noted those of its entries that are everybody's, and
 * those of people with accounts of their own, or of the bundle's, are known by their credentials.
 */
const USE = `
  SELECT coalesce((SELECT is_enabled FROM bundle_endpoints WHERE bundle_id = $1), false) AS is_enabled,
         (SELECT count(*)::int FROM credentials WHERE credentials.bundle_id = $1) AS credential_count,
         (SELECT count(DISTINCT sessions.principal)::int
          FROM (SELECT upstream_id, entry_id FROM endpoint_upstreams WHERE bundle_id = $1
                UNION
                SELECT upstreams.id, credentials.entry_id
                FROM credentials JOIN upstreams ON upstreams.credential_id = credentials.id
                WHERE credentials.bundle_id = $1) AS noted
          JOIN upstream_sessions AS sessions
            ON sessions.upstream_id = noted.upstream_id AND sessions.entry_id = noted.entry_id
          WHERE sessions.revision <> '' AND sessions.used_at > now() - interval '30 minutes'
         ) AS user_count`;

/** @returns what ends when the bundle is deleted */
export function endpointUse(manager: EntityManager, bundleId: string): Promise<EndpointUse> {
  return one<EndpointUse>(manager, USE, [bundleId]);
}
