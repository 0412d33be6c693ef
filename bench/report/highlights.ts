import type { Result } from './results';

/** A figure that users feel, for the table of `docs/performance.md`. */
interface Highlight {
  case: string;
  name: string;
  /** Where a case compares the figure with several references. */
  to?: string;
  /** What it is, in the words of a user. */
  says: string;
  /** The reference in such words, where the case has more to say of it. */
  against?: string;
}

const HIGHLIGHTS: readonly Highlight[] = [
  {
    case: 'categories',
    name: 'categories',
    to: 'bare Express, no authentication',
    says: '`GET /v1/mcp/categories` with an access token',
  },
  {
    case: 'limits',
    name: 'categories, with limits and metrics',
    says: 'the same, with request limits and metrics',
    against: 'without both',
  },
  {
    case: 'registry-requests',
    name: 'one server, versions/latest, 2628 versions, from memory',
    says: 'registry: the latest version of a server',
    against: 'bare Express with the same bytes',
  },
  {
    case: 'catalogue',
    name: 'a page of 100 at depth 40,000, in SQL',
    says: 'a page of 100 among 78,840 versions, at depth 40,000',
  },
  {
    case: 'catalogue',
    name: 'listing search',
    says: 'search among 31,000 listings',
    against: 'bare Express with the one query',
  },
  { case: 'webhook-latency', name: '2/s: answered p50', says: 'creating a bundle, 2 a second, p50' },
  {
    case: 'bundle-deletion',
    name: 'bundle deletion, beside 1,200,000 rows',
    says: 'deleting a bundle with 10,000 of each child, beside 1,200,000 rows',
    against: 'the same alone in the tables',
  },
  {
    case: 'gateway-calls',
    name: 'added by the endpoint, p50',
    says: 'what the endpoint of a bundle adds to a tool call, p50',
  },
  {
    case: 'gateway-calls',
    name: 'calls through the endpoint, 20 clients',
    says: 'tool calls through it, 20 clients',
    against: 'calling the server directly',
  },
  {
    case: 'gateway-calls',
    name: 'with one more server that never answers, p50',
    says: 'connecting while one of its servers never answers',
  },
  {
    case: 'webhook-latency',
    name: '200/s: arrived p95',
    says: 'event to arrival at 200 a second, p95, on one core with the database',
  },
  {
    case: 'webhook-throughput',
    name: 'one process',
    says: 'deliveries to a receiver that answers after 50 ms',
    against: 'a loop of signed POSTs, no database',
  },
  { case: 'webhook-throughput', name: 'two processes', says: 'the same, by two processes' },
  {
    case: 'webhook-fairness',
    name: 'event to arrival, p95, beside 20000 hanging',
    says: 'event to arrival, p95, beside 20,000 deliveries that hang',
  },
  {
    case: 'webhook-deliveries',
    name: 'deliveries of 10000000 attempts: no filter',
    says: 'listing deliveries of an endpoint with 10 million attempts',
    against: '10,000 attempts',
  },
  { case: 'scim-requests', name: 'SCIM: create a user, CPU', says: 'SCIM: creating a user, CPU with the database' },
  {
    case: 'scim-groups',
    name: 'add one member, group of 100,000, p95',
    says: 'SCIM: one more member of a group of 100,000, p95',
    against: 'a group of 100 (medians)',
  },
  { case: 'scim-sync', name: 'sync of 100000, everybody changing', says: 'role sync of 100,000 people, all changing' },
  {
    case: 'hostile-requests',
    name: '/healthz p99, beside 4 hostile callers',
    says: '`/healthz` beside four hostile callers, p99',
  },
];

/** A row of the table. */
export interface HighlightRow {
  says: string;
  /** The reference of the ratio. */
  against?: string;
  result: Result;
}

/** @returns the highlights that were measured, and the names of those that were not */
export function highlightsOf(results: readonly Result[]): { found: HighlightRow[]; missing: string[] } {
  const found: HighlightRow[] = [];
  const missing: string[] = [];
  for (const { case: caseName, name, to, says, against } of HIGHLIGHTS) {
    const result = results.find(
      (one) => one.case === caseName && one.name === name && (to === undefined || one.ratio?.to === to),
    );
    if (result) found.push({ says, against: result.ratio && (against ?? result.ratio.to), result });
    else missing.push(`${caseName}: ${name}`);
  }
  return { found, missing };
}
