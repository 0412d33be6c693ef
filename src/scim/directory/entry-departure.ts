import { type EntityManager, IsNull, Not } from 'typeorm';
import { many } from '../../database/statements';
import { consentTo } from './directory-consent';
import { ScimUser } from './scim-user.entity';

/** An entry of a directory, and the account without an address that it has now. */
export interface DetachedEntry {
  org_id: string;
  account_id: string;
}

/**
 * Each organisation gets an account of its own: nobody can tell by it that they had the same person. What the person said,
 * or had not said yet, goes along: an entry to which they did not agree must make no member of anyone.
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
 * Takes an account that is being deleted out of the directories. Their entries belong to the organisations, whose identity
 * providers pushed them, and stay: each with an account that nobody can claim, as one without an address has it, until the
 * provider changes the entry (ADR 9). Deleted entries go: what they kept away has gone.
 *
 * @param manager of the transaction, which has locked the organisations
 * @returns the entries, for role resolution
 */
export async function detachEntries(manager: EntityManager, userId: string): Promise<DetachedEntry[]> {
  await manager.delete(ScimUser, { userId, deletedAt: Not(IsNull()) });
  return many<DetachedEntry>(manager, DETACH, [userId]);
}
