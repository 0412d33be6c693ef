/**
 * Whether somebody can sign in as a person: an account has been claimed, or waits for whoever has its address; not one of
 * which no address is known, as directories have them, nor a closed one. An OWNER as whom nobody can sign in is no active
 * OWNER (contract, section 4). A scalar subquery, so that it is asked by index and of few people, whatever the plan.
 *
 * @param userId the column that names the account
 */
export function canSignIn(userId: string): string {
  return `(SELECT account.closed_at IS NULL AND (account.claimed_at IS NOT NULL OR account.email IS NOT NULL)
           FROM users AS account WHERE account.id = ${userId})`;
}
