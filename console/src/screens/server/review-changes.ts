import type { CallName } from '../../api/client';

/** What is out of date once a review has changed: the lists, and the mean in the listing. */
export const REVIEW_CHANGES = [
  'GET /v1/mcp/listings/{listing_id}/reviews',
  'GET /v1/mcp/listings/{listing_id}',
  'GET /v1/platform/reviews',
] as const satisfies CallName[];
