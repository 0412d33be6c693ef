import type { CallName } from '../../../api/client';

/** What is out of date once a server was archived or restored: every list of servers, the server, and bundles with it. */
export const LISTING_CHANGES = [
  'GET /v1/mcp/listings',
  'GET /v1/mcp/listings/facets',
  'GET /v1/mcp/listings/highlights',
  'GET /v1/mcp/listings/{listing_id}',
  'GET /v1/bundles/{bundle_id}/entries',
] as const satisfies CallName[];
