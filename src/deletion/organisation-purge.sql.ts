/**
 * $1 accounts whose entries went: those that wait for an address, or never had one. Their addresses are held, so that
 * nobody is linked to one of them until the end of the transaction, and their rows, so that nothing refers to one. An
 * account whose address or row somebody else holds at this moment is left out, and stays.
 */
export const HOLD_WAITING_ACCOUNTS = `
  SELECT id FROM users
  WHERE id = ANY ($1::uuid[]) AND claimed_at IS NULL AND closed_at IS NULL
    AND (email IS NULL OR pg_try_advisory_xact_lock(hashtextextended('address ' || address_key(email), 0)))
  FOR UPDATE SKIP LOCKED`;

/**
 * $1 accounts that are held. Only those that nobody else knows, by every column whose row would go with the account. In a
 * statement of its own: the one that waits for a lock, or gets it late, sees the tables as they were before.
 */
export const REMOVE_UNKNOWN_ACCOUNTS = `
  DELETE FROM users
  WHERE id = ANY ($1::uuid[])
    AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM scim_users WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM invitations WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM namespaces WHERE user_id = users.id)
    AND NOT EXISTS (SELECT FROM bundle_editors WHERE user_id = users.id)`;
