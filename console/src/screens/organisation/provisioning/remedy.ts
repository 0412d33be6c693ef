import type { ScimLogEntry } from '../../../api/schema';

/** What of a call says what is wrong with it. */
export type FailedCall = Pick<ScimLogEntry, 'method' | 'path' | 'status' | 'scim_type' | 'error'>;

interface Cause {
  status?: number;
  type?: string;
  /** In the error that the identity provider got. */
  error?: RegExp;
  /** In the path of the call. */
  path?: RegExp;
  method?: string;
}

/**
 * What goes wrong, most special first: the first that fits is told. What to mend is in
 * `messages/en/organisation-remedies.ts`, for each provider; the rules are those of docs/scim/providers.md.
 */
const CAUSES = {
  token_revoked: { status: 401, error: /revoked\.$/ },
  token_expired: { status: 401, error: /expired/ },
  token_wrong: { status: 401 },
  external_id_taken: { type: 'uniqueness', error: /user .*externalId/ },
  group_id_taken: { type: 'uniqueness', error: /group .*externalId/ },
  user_name_taken: { type: 'uniqueness' },
  last_owner: { status: 409 },
  user_name_missing: { error: /userName is required/ },
  user_name_invalid: { error: /userName (?!eq)/, type: 'invalidValue' },
  member_unknown: { error: /No user of this organisation has the id/ },
  nested_group: { error: /groups inside groups/ },
  group_name_missing: { error: /displayName (is required|cannot be removed)/ },
  not_boolean: { error: /must be true or false/ },
  two_primary: { error: /more than one primary value/ },
  too_long: { error: /is longer than|has more than/ },
  unknown_attribute: { type: 'invalidPath', error: /^(?:Operations\[\d+\]: )?No attribute has the path/ },
  path: { type: 'invalidPath' },
  matching_attribute: { type: 'invalidFilter' },
  unchangeable: { type: 'mutability' },
  no_target: { type: 'noTarget' },
  too_many: { type: 'tooMany' },
  version_one: { error: /schemas|"?Operations"?/, type: 'invalidSyntax' },
  syntax: { type: 'invalidSyntax' },
  value: { type: 'invalidValue' },
  base_url: { status: 404, path: /^\/(Users|Groups)\/(Users|Groups|scim)\b/i },
  gone: { status: 404, path: /^\/(Users|Groups)\/[^/?]+/ },
  wrong_address: { status: 404 },
  wrong_method: { status: 405 },
  changed_meanwhile: { status: 412 },
  too_large: { status: 413 },
  media_type: { status: 415 },
  too_fast: { status: 429 },
  not_supported: { status: 501 },
  busy: { status: 503 },
} satisfies Record<string, Cause>;

export type Remedy = keyof typeof CAUSES | 'ours' | 'unknown';

export const REMEDIES = [...Object.keys(CAUSES), 'ours', 'unknown'] as Remedy[];

/** @returns what to mend; undefined for a call that did not fail */
export function remedyOf(call: FailedCall): Remedy | undefined {
  if (call.status < 400) return undefined;
  const found = entriesOf(CAUSES).find(([, cause]) => fits(cause, call));
  return found?.[0] ?? (call.status >= 500 ? 'ours' : 'unknown');
}

const entriesOf = (causes: typeof CAUSES) => Object.entries(causes) as [keyof typeof CAUSES, Cause][];

function fits({ status, type, error, path, method }: Cause, call: FailedCall): boolean {
  return (
    (status === undefined || status === call.status) &&
    (type === undefined || type === call.scim_type) &&
    (method === undefined || method === call.method) &&
    (error === undefined || error.test(call.error ?? '')) &&
    (path === undefined || path.test(call.path))
  );
}

/** @returns what the error quotes, such as the path that no attribute has; undefined without quotation marks */
export function quotedIn(error: string | null): string | undefined {
  return /"([^"]{1,200})"/.exec(error ?? '')?.[1];
}
