import type { Request } from 'express';
import { isObject } from '../../http/requests/json-object';

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
const MAX_ROWS = 100;
/** A search reads and ranks more rows than it returns. */
const SEARCH_TIMES = 2;
/** This route has its pages without a search ready in memory: those who copy the registry read all of them. */
const READY = '/v0.1/servers';

const SCIM = '/v1/organisations/{org_id}/scim/v2/';
/** So many rows of SCIM count as one request: they are read by key, and 100 users cost about 4 ms. */
const SCIM_ROWS_OF_ONE = 200;
const MAX_SCIM_ROWS = 1_000;
/** Operations of a bulk request: so many count as one, because they share transactions. */
const OPERATIONS_OF_ONE = 4;
const MAX_OPERATIONS = 500;

/**
 * @param request its resource is known already
 * @returns as how many requests it counts in a bucket
 */
export function costOf(request: Pick<Request, 'method' | 'url' | 'resource' | 'query'>): number {
  const { method, url, resource } = request;
  if (resource === undefined) return 1;
  const verb = method === 'HEAD' ? 'GET' : method;
  const cost = COSTS[`${verb} ${resource.template}`] ?? 1;
  // As the handler reads it: names and values can be written in many ways.
  return verb === 'GET' && url.includes('?') ? Math.max(cost, costOfPage(request.query, resource.template)) : cost;
}

/**
 * @param request its body was read
 * @returns as how many more requests it counts because of what its body asks for; 0 for almost all
 */
export function costOfBody({ resource, body }: Pick<Request, 'resource' | 'body'>): number {
  if (!resource?.template.startsWith(SCIM)) return 0;
  const { template } = resource;
  if (template.endsWith('/.search')) return costOfScimPage(body) - 1;
  const operations = template === `${SCIM}Bulk` ? fieldOf(body, 'operations') : undefined;
  return Array.isArray(operations) ? pagesOf(operations.length, OPERATIONS_OF_ONE, MAX_OPERATIONS) - 1 : 0;
}

function costOfPage(query: Request['query'], template: string): number {
  if (template.startsWith(SCIM)) return costOfScimPage(query);
  const isSearch = Boolean(query.search?.length) || Boolean(query.query?.length);
  if (!isSearch && template === READY) return 1;
  return pagesOf(query.limit, ROWS_OF_ONE, MAX_ROWS) * (isSearch ? SEARCH_TIMES : 1);
}

function costOfScimPage(asked: unknown): number {
  return pagesOf(fieldOf(asked, 'count'), SCIM_ROWS_OF_ONE, MAX_SCIM_ROWS);
}

/** @param rows as sent; what is not a number is a page as it is without a limit, or refused */
function pagesOf(rows: unknown, each: number, most: number): number {
  const wanted = typeof rows === 'string' || typeof rows === 'number' ? Number(rows) : NaN;
  return Math.ceil(Math.min(Math.max(wanted || 1, 1), most) / each);
}

/** SCIM reads names in any case. @param name in lower case */
function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1] : undefined;
}
