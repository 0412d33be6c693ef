/** What can be said of a rule that is about nothing, or about no one. */
export const POLICY_FINDINGS = ['NO_MATCH', 'NO_SUBJECT', 'NO_ENTRY'] as const;
export type PolicyFindingCode = (typeof POLICY_FINDINGS)[number];
