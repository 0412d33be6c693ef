import type { Request } from 'express';

/**
 * As how many requests an operation counts that takes long however small its answer is: about one for each 8 ms of CPU time
 * of the service and the database, of a large bundle or organisation. Every other one counts as one.
 */
export const COSTS: Readonly<Record<string, number>> = {
  // All definitions of a bundle are read, and each text is checked.
  'POST /v1/bundles/{bundle_id}/compile': 75,
  'GET /v1/bundles/{bundle_id}/tools': 10,
  'POST /v1/bundles/{bundle_id}/endpoint/refresh': 20,
  'GET /v1/bundles/{bundle_id}/endpoint/preview': 20,
  'POST /v1/bundles/{bundle_id}/policies/preview': 20,
  'GET /v1/bundles/{bundle_id}/export': 10,
  'GET /v1/bundles/{bundle_id}/credential-needs': 5,
  'GET /v1/bundles/{bundle_id}/calls/statistics': 10,
  'GET /v1/bundles/{bundle_id}/deletion-preview': 5,
  'GET /v1/organisations/{org_id}/deletion-preview': 5,
  'GET /v1/organisations/{org_id}/managed-settings': 10,
  'GET /v1/organisations/{org_id}/managed-settings/report': 10,
  'POST /v1/organisations/{org_id}/scim/sync/preview': 20,
};

/** A page of so many rows, the default, counts as one request. */
const ROWS_OF_ONE = 30;
/** A search reads and ranks more rows than it returns. */
const SEARCH_TIMES = 2;
/** Whose pages without a search are ready in memory: those who copy the registry read all of them. */
const READY = '/v0.1/servers';

/** Also as clients write lists of values: `limit[]`. */
const LIMIT = /[?&]limit(?:(?:\[|%5b)0?(?:\]|%5d))?=0*(\d{1,3})(?=&|$)/i;
const SEARCH = /[?&](?:search|query)(?:(?:\[|%5b)0?(?:\]|%5d))?=[^&]/i;

/**
 * @param request its resource is known already
 * @returns as how many requests it counts in a bucket
 */
export function costOf({ method, url, resource }: Pick<Request, 'method' | 'url' | 'resource'>): number {
  if (resource === undefined) return 1;
  const verb = method === 'HEAD' ? 'GET' : method;
  const cost = COSTS[`${verb} ${resource.template}`] ?? 1;
  return verb === 'GET' && url.includes('?') ? Math.max(cost, costOfPage(url, resource.template)) : cost;
}

function costOfPage(url: string, template: string): number {
  const isSearch = SEARCH.test(url);
  if (!isSearch && template === READY) return 1;
  const rows = Number(LIMIT.exec(url)?.[1] ?? ROWS_OF_ONE);
  // More than 100 is refused, which costs nothing.
  const pages = Math.ceil(Math.min(Math.max(rows, 1), 100) / ROWS_OF_ONE);
  return pages * (isSearch ? SEARCH_TIMES : 1);
}
