/** What a rule does to those who match it. */
export const POLICY_EFFECTS = ['ALLOW', 'DENY'] as const;
export type PolicyEffect = (typeof POLICY_EFFECTS)[number];

/** A rule is about a subject of one of these kinds. */
export const SUBJECT_KINDS = ['everyone', 'role', 'group', 'person', 'token'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/**
 * What someone is to a bundle. `BUNDLE_OWNER` and `BUNDLE_EDITOR`: the bundle names them. `ORG_…`: their role in its
 * organisation, exactly: an OWNER is no MEMBER here. `OUTSIDER`: they use it only because it is public.
 */
export const POLICY_ROLES = [
  'BUNDLE_OWNER',
  'BUNDLE_EDITOR',
  'ORG_OWNER',
  'ORG_ADMIN',
  'ORG_MEMBER',
  'OUTSIDER',
] as const;
export type PolicyRole = (typeof POLICY_ROLES)[number];

/** What a tool says of itself (MCP 2026-07-28, tools, annotations). */
export const POLICY_HINTS = ['read_only', 'destructive'] as const;
export type PolicyHint = (typeof POLICY_HINTS)[number];

/** How many rules a bundle has at most: each is looked at with every request. */
export const MAX_RULES = 200;
/** A pattern has at most so many characters. */
export const MAX_PATTERN_LENGTH = 128;

/** A rule is about such a subject. */
export type PolicySubject =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'role'; readonly role: PolicyRole }
  /** A SCIM group of the organisation, a person, or an access token of the bundle. */
  | { readonly kind: 'group' | 'person' | 'token'; readonly id: string };

/** A rule, as far as it depends on what is used. */
export interface RuleScope {
  /** Its place in the list of rules, from 0. */
  readonly place: number;
  readonly effect: PolicyEffect;
  /** A pattern of names as upstreams have them; for resources and templates, of their addresses. */
  readonly tools: string;
  /** Only what has this hint; null: everything. */
  readonly hint: PolicyHint | null;
  /** Only what this entry has; null: all entries. */
  readonly entryId: string | null;
}

/** A rule of a bundle. */
export interface PolicyRule extends RuleScope {
  readonly subject: PolicySubject;
}

/** What can be said of a rule that is about nothing, or about no one. */
export const POLICY_FINDINGS = ['NO_MATCH', 'NO_SUBJECT', 'NO_ENTRY'] as const;
export type PolicyFindingCode = (typeof POLICY_FINDINGS)[number];
