/**
 * Whether an organisation is vouched for people with an e-mail address: it proved the domain of the address, or a
 * platform administrator vouched for it (contract, section 12.1). Null where it has not named the domain. A scalar
 * subquery, so that it is asked by index and of few people, whatever the plan.
 *
 * @param orgId the organisation
 * @param email the verified address of an account; null: it has none
 */
export function isVouchedFor(orgId: string, email: string): string {
  return `(
    SELECT proved_at IS NOT NULL OR vouched_at IS NOT NULL FROM organisation_domains
    WHERE org_id = ${orgId} AND domain = split_part(address_key(${email}), '@', -1))`;
}
