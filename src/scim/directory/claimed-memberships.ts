import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowLongDatabaseWork } from '../../database/deadline';
import { execute, many } from '../../database/statements';
import type { Cause } from '../../organisations/audit/audit-trail';
import type { ClaimFollower } from '../../users/account-claims';
import { RoleSync } from '../roles/sync/role-sync';

/** $1 address: locks the organisations whose directories have made its account, in the order of ids. */
const LOCK_THOSE_OF_ADDRESS = `
  SELECT FROM organisations
  WHERE id IN (
    SELECT scim_users.org_id FROM users JOIN scim_users ON scim_users.user_id = users.id
    WHERE address_key(users.email) = address_key($1) AND users.claimed_at IS NULL AND users.closed_at IS NULL
  )
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1 account. What nobody could object to is decided again now that somebody can: `settleConsent` takes an entry without
 * the account it was settled for as a new one.
 */
const ASK_AGAIN = `
  UPDATE scim_users SET consent_user_id = NULL
  WHERE user_id = $1 AND consent_user_id = user_id AND consent = 'NOT_NEEDED' AND deleted_at IS NULL`;

/** $1 account. Also entries whose consent was never settled. */
const LOCK_THOSE_OF_ACCOUNT = `
  SELECT id FROM organisations
  WHERE id IN (SELECT org_id FROM scim_users WHERE user_id = $1 AND deleted_at IS NULL) AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** More organisations than this take longer than a request may. */
const MANY = 20;

/** The organisation must not learn from its log who the person is, or that they asked for anything. */
const CAUSE: Cause = { actorType: 'system', actorId: null, requestId: null };

/**
 * Memberships that directories gave to an account before a person claimed it (contract, section 13.3): where the
 * organisation is not vouched for they become offers, which the person accepts or declines. Until then they give no
 * rights, and the organisation sees only what it pushed. The last OWNER stays.
 */
@Injectable()
export class ClaimedMemberships implements ClaimFollower {
  constructor(private readonly roleSync: RoleSync) {}

  async prepare(manager: EntityManager, email: string): Promise<void> {
    await execute(manager, LOCK_THOSE_OF_ADDRESS, [email]);
  }

  async settle(manager: EntityManager, userId: string): Promise<void> {
    const organisations = await many<{ id: string }>(manager, LOCK_THOSE_OF_ACCOUNT, [userId]);
    if (organisations.length === 0) return;
    if (organisations.length > MANY) allowLongDatabaseWork();
    await execute(manager, ASK_AGAIN, [userId]);
    for (const { id } of organisations) await this.roleSync.applyClaim(manager, id, userId, CAUSE);
  }
}
