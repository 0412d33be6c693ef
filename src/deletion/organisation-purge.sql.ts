/**
 * $1 accounts whose entries were removed. Locks those that are unclaimed: the address, so that nobody is linked to the
 * account until the end of the transaction, and the row, so that nothing can refer to it. An account whose address or
 * row is locked by another transaction is skipped and kept.
 */
export const HOLD_WAITING_ACCOUNTS = `
  SELECT id FROM users
  WHERE id = ANY ($1::uuid[]) AND claimed_at IS NULL AND closed_at IS NULL
    AND (email IS NULL OR pg_try_advisory_xact_lock(hashtextextended('address ' || address_key(email), 0)))
  FOR UPDATE SKIP LOCKED`;

/**
 * $1 locked accounts. Removes those to which nothing else refers, checking every column whose row would be deleted with
 * the account. A separate statement, because the one that waits for locks sees other tables as they were before.
 */
export const REMOVE_UNKNOWN_ACCOUNTS = `
  DELETE FROM users
  WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM scim_users WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM invitations WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM namespaces WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM bundle_editors WHERE user_id = users.id)`;
