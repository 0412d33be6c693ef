import { isInsider } from '../../bundles/bundle-insider.sql';
/** What a list can be narrowed to, as columns. */
export const CALL_FILTERS = ['entry_id', 'exposed_name', 'principal_id', 'outcome'] as const;
export type CallFilter = (typeof CALL_FILTERS)[number];

/**
 * One page, newest first. $1 bundle, $2 and $3 ids from (inclusive) and until (exclusive), $4 how many. Days outside of these
 * are not looked at, and each filter alone has an index in the order of the list.
 *
 * @param filters columns that equal $5 and the following, in the order of `CALL_FILTERS`
 */
export function listCalls(filters: readonly CallFilter[]): string {
  return `
  SELECT calls.*, ${entryKey('calls.entry_id')} AS entry_key,
         ${principalName('calls.principal_type', 'calls.principal_id')} AS principal_name
  FROM (
    SELECT id, deployment_id, bundle_version, entry_id, method, name, exposed_name, definition_digest, principal_type,
           principal_id, client_name, client_version, era, outcome, error_code, duration_us, upstream_us, bytes_in, bytes_out,
           request_id, trace_id, argument_keys, argument_digest
    FROM endpoint_calls
    WHERE bundle_id = $1 AND id >= $2 AND id < $3 ${conditions(filters, 5)}
    ORDER BY id DESC LIMIT $4
  ) AS calls
  ORDER BY calls.id DESC`;
}

/** How the bundle ($1) calls the server of an entry now; null: it has none with this id any more. */
const entryKey = (entryId: string): string =>
  `(SELECT entries.key FROM bundle_entries AS entries WHERE entries.id = ${entryId} AND entries.bundle_id = $1)`;

/**
 * How a caller is called. Editors of a bundle ($1) do not learn who a stranger is that calls what is public: only tokens of
 * theirs and people of the bundle and of its organisation have names.
 */
const principalName = (type: string, id: string): string =>
  `CASE ${type} WHEN 'token' THEN
    (SELECT tokens.name FROM bundle_access_tokens AS tokens WHERE tokens.id = ${id} AND tokens.bundle_id = $1)
  ELSE (SELECT users.name FROM users WHERE users.id = ${id} AND EXISTS (
    SELECT FROM bundles WHERE bundles.id = $1 AND ${isInsider('users.id')}))
  END`;

/** What statistics can be broken down by, and the column that each is; `time` is a part of the period. */
export const CALL_GROUPINGS = {
  tool: 'exposed_name',
  entry: 'entry_id',
  principal: 'principal_id',
  outcome: 'outcome',
  time: 'time',
} as const;
export type CallGrouping = keyof typeof CALL_GROUPINGS;

/** Calls that statistics count, the newest: more would take longer than a request may. */
export const MAX_COUNTED = 500_000;

/**
 * Statistics in one statement. $1 bundle, $2 and $3 ids from (inclusive) and until (exclusive), $4 how many groups, $5 the
 * seconds of a part of the period. Calls that have not ended have no duration. Percentiles are exact: durations that occurred.
 *
 * @param filters columns that equal $6 and the following, in the order of `CALL_FILTERS`
 */
export function callStatistics(grouping: CallGrouping, filters: readonly CallFilter[]): string {
  // The first 48 bits of an id are milliseconds (RFC 9562, section 5.7).
  const second = `(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000)`;
  const column = grouping === 'time' ? `(${second} / $5::bigint * $5::bigint)` : CALL_GROUPINGS[grouping];
  const order = grouping === 'time' ? 'key::bigint' : 'count(*) DESC, key';
  const type = grouping === 'principal' ? 'min(principal_type)' : 'NULL::text';
  const labels: Partial<Record<CallGrouping, string>> = {
    entry: entryKey('groups.key::uuid'),
    principal: principalName('groups.principal_type', 'groups.key::uuid'),
  };
  const label = labels[grouping] ?? 'NULL::text';
  return `
  WITH counted AS MATERIALIZED (
    SELECT id, ${column}::text AS key, principal_type, outcome, duration_us, bytes_in, bytes_out
    FROM endpoint_calls
    WHERE bundle_id = $1 AND id >= $2 AND id < $3 AND $5::bigint > 0 ${conditions(filters, 6)}
    ORDER BY id DESC LIMIT ${MAX_COUNTED + 1}
  ),
  groups AS (
    SELECT key, ${type} AS principal_type, ${FIGURES},
           row_number() OVER (ORDER BY ${order}) AS place, count(*) OVER () AS number
    FROM counted GROUP BY key
  )
  SELECT false AS is_total, key, principal_type, calls, errors, p50_us, p95_us, p99_us, bytes_in, bytes_out,
         number::int AS number, place::int AS place, NULL::text AS first_id, ${label} AS label
  FROM groups WHERE place <= $4
  UNION ALL
  SELECT true, NULL, NULL, ${FIGURES}, 0, 0, min(id::text), NULL
  FROM counted
  ORDER BY is_total DESC, place`;
}

const FIGURES = `count(*)::int AS calls,
           (count(*) FILTER (WHERE outcome NOT IN ('OK', 'STARTED')))::int AS errors,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_us) AS p50_us,
           percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_us) AS p95_us,
           percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_us) AS p99_us,
           coalesce(sum(bytes_in), 0)::float8 AS bytes_in, coalesce(sum(bytes_out), 0)::float8 AS bytes_out`;

function conditions(filters: readonly CallFilter[], first: number): string {
  return filters.map((column, index) => `AND ${column} = $${index + first}`).join(' ');
}
