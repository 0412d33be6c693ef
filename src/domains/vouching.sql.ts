/**
 * Whether an organisation may add users with this e-mail address without asking them: it proved the domain of the
 * address, or a platform administrator vouched for it (contract, section 12.1). Null if it does not have the domain. A
 * scalar subquery, so that it uses the index and is evaluated for few users, whatever the plan.
 *
 * @param orgId the organisation
 * @param email the verified address of an account, or null
 */
export function isVouchedFor(orgId: string, email: string): string {
  return `(
    SELECT proved_at IS NOT NULL OR vouched_at IS NOT NULL FROM organisation_domains
    WHERE org_id = ${orgId} AND domain = split_part(address_key(${email}), '@', -1))`;
}
