import type { CallName } from '../../../api/client';

/** What is out of date after the endpoint was changed. */
export const ENDPOINT_CHANGES: readonly CallName[] = [
  'GET /v1/bundles/{bundle_id}/endpoint',
  'GET /v1/bundles/{bundle_id}/endpoint/status',
  'POST /v1/bundles/{bundle_id}/compile',
  'GET /v1/bundles/{bundle_id}/connect',
  'GET /v1/bundles/{bundle_id}/policies',
  'GET /v1/bundles/{bundle_id}/versions',
  'GET /v1/bundles/{bundle_id}',
];
