import type { EndpointEntry, EndpointProblem, EndpointProblemCode } from '../../../api/schema';

/** `bad`: something cannot be used. `warn`: someone should look at it. `info`: it works, a little differently. */
export type Severity = 'bad' | 'warn' | 'info';

/** Where the page mends a problem; undefined: it cannot. */
export type Mend = 'accounts' | 'editor' | 'tool' | 'changed' | 'new' | 'tools' | 'refresh' | undefined;

/** How bad each problem is, and where it is mended. */
export const PROBLEMS: Record<EndpointProblemCode, readonly [Severity, Mend]> = {
  unavailable: ['bad', 'editor'],
  no_remote: ['bad', 'editor'],
  unsupported_transport: ['bad', 'editor'],
  missing_values: ['bad', 'editor'],
  credential_missing: ['bad', 'accounts'],
  credential_reconnect: ['bad', 'accounts'],
  credential_origin_changed: ['bad', 'accounts'],
  invalid_server: ['bad', 'editor'],
  list_failed: ['bad', 'refresh'],
  definition_changed: ['bad', 'changed'],
  left_out: ['bad', undefined],
  list_cut: ['bad', 'refresh'],
  too_many_tools: ['bad', 'tools'],
  not_listed: ['warn', 'refresh'],
  not_approved: ['warn', 'new'],
  name_not_possible: ['warn', 'tool'],
  fixed_argument_gone: ['warn', 'tool'],
  invisible_characters: ['warn', 'tool'],
  names_other_tools: ['warn', 'tool'],
  nothing_listed: ['warn', 'refresh'],
  uri_taken: ['warn', 'editor'],
  endpoint_url_kept: ['info', 'editor'],
  oversized_description: ['info', 'tool'],
  definition_mended: ['info', 'tool'],
  name_clash: ['info', 'tool'],
  name_reserved: ['info', 'tool'],
  other_era_only: ['info', undefined],
  legacy_only: ['info', undefined],
};

const SEVERITIES: readonly Severity[] = ['bad', 'warn', 'info'];

/** A code of a later release has no words here yet: its `detail` says what is wrong. */
export const severityOf = (code: EndpointProblemCode): Severity => PROBLEMS[code]?.[0] ?? 'warn';
export const mendOf = (code: EndpointProblemCode): Mend => PROBLEMS[code]?.[1];

/** @returns the problems, the worst first, else in the order of the report */
export function worstFirst(problems: readonly EndpointProblem[]): EndpointProblem[] {
  const rank = ({ code }: EndpointProblem) => SEVERITIES.indexOf(severityOf(code));
  return [...problems].sort((one, other) => rank(one) - rank(other));
}

/**
 * @returns whether a server is being asked at this moment, so that its state will change by itself; one that waits for an
 *   account is not asked
 */
export function isUnderWay(entries: readonly Pick<EndpointEntry, 'state' | 'credential_state'>[]): boolean {
  return entries.some(
    ({ state, credential_state }) =>
      state === 'WAITING' && (credential_state === null || credential_state === 'CONNECTED'),
  );
}
