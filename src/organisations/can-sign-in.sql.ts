/**
 * Whether a user can sign in: an account that is claimed, or that can be claimed by a person who proves its address.
 * Accounts without an address, as directories have them, and closed accounts do not count. An OWNER that cannot sign in
 * is not an active OWNER (contract, section 4). A scalar subquery, so that it uses the index and is evaluated for few
 * users, whatever the plan.
 *
 * @param userId the column with the account id
 */
export function canSignIn(userId: string): string {
  return `(SELECT account.closed_at IS NULL AND (account.claimed_at IS NOT NULL OR account.email IS NOT NULL)
           FROM users AS account WHERE account.id = ${userId})`;
}
