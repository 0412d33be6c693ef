import { type EntityManager, IsNull, Not } from 'typeorm';
import { many } from '../../database/statements';
import { consentTo } from './directory-consent';
import { ScimUser } from './scim-user.entity';

/** An entry of a directory, and the account without an address that it is linked to now. */
export interface DetachedEntry {
  org_id: string;
  account_id: string;
}

/**
 * Each organisation gets a separate account, so that none can tell that they had the same person. The consent, given or
 * pending, is kept: an entry to which the person did not agree must not create a membership.
 */
const DETACH = `
  WITH entry AS MATERIALIZED (
    SELECT id, uuid_v7() AS account_id FROM scim_users WHERE user_id = $1
  ),
  made AS (
    INSERT INTO users (id) SELECT account_id FROM entry
  ),
  detached AS (
    UPDATE scim_users
    SET user_id = entry.account_id, consent_user_id = entry.account_id, consent = ${consentTo('scim_users')}
    FROM entry WHERE scim_users.id = entry.id
    RETURNING scim_users.org_id, entry.account_id
  )
  SELECT org_id, account_id FROM detached ORDER BY org_id`;

/**
 * Unlinks an account that is being deleted from the directories. Their entries belong to the organisations, whose
 * identity providers pushed them, and stay: each with an account that cannot be claimed, like an entry without an
 * address, until the provider changes the entry (ADR 9). Deleted entries are removed: the access they blocked no longer
 * exists.
 *
 * @param manager of the transaction, which has locked the organisations
 * @returns the entries, for role resolution
 */
export async function detachEntries(manager: EntityManager, userId: string): Promise<DetachedEntry[]> {
  await manager.delete(ScimUser, { userId, deletedAt: Not(IsNull()) });
  return many<DetachedEntry>(manager, DETACH, [userId]);
}
