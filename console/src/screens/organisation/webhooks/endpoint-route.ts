import { getRouteApi } from '@tanstack/react-router';

/** The address of the screen of an endpoint, for its parts. */
export const endpointRoute = getRouteApi('/organisations/$orgId/webhooks/$endpointId');

export const ENDPOINT_TABS = ['overview', 'deliveries', 'recover', 'receiver', 'settings'] as const;
export type EndpointTab = (typeof ENDPOINT_TABS)[number];

/** What changes with an endpoint. */
export const ENDPOINT_READS = [
  'GET /v1/webhooks',
  'GET /v1/webhooks/stats',
  'GET /v1/webhooks/{endpoint_id}',
  'GET /v1/webhooks/{endpoint_id}/stats',
] as const;

/** What changes when something is sent again. */
export const DELIVERY_READS = [
  'GET /v1/webhooks/{endpoint_id}/deliveries',
  'GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}',
] as const;
