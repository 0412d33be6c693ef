import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowLongDatabaseWork } from '../../database/deadline';
import { execute, many, maybe } from '../../database/statements';
import type { Cause } from '../../organisations/audit/audit-trail';
import { lockOrganisationsOf } from '../../organisations/members/membership-departure';
import type { ClaimFollower } from '../../users/account-claims';
import { RoleSync } from '../roles/sync/role-sync';

/** $1 address: the account that waits for it. */
const WAITING = `
  SELECT id FROM users
  WHERE address_key(email) = address_key($1) AND claimed_at IS NULL AND closed_at IS NULL AND NOT is_twin`;

/**
 * $1 account. What nobody could object to is decided again now that somebody can: `settleConsent` takes an entry without
 * the account it was settled for as a new one.
 */
const ASK_AGAIN = `
  UPDATE scim_users SET consent_user_id = NULL
  WHERE user_id = $1 AND consent_user_id = user_id AND consent = 'NOT_NEEDED' AND deleted_at IS NULL`;

/** $1 account. Also those whose consent was never settled. */
const ITS_DIRECTORIES = `
  SELECT org_id FROM scim_users WHERE user_id = $1 AND deleted_at IS NULL ORDER BY org_id`;

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
    const waiting = await maybe<{ id: string }>(manager, WAITING, [email]);
    if (waiting) await lockOrganisationsOf(manager, waiting.id);
  }

  async settle(manager: EntityManager, userId: string): Promise<void> {
    // Held already, unless a directory has pushed the person since.
    await lockOrganisationsOf(manager, userId);
    await execute(manager, ASK_AGAIN, [userId]);
    const directories = await many<{ org_id: string }>(manager, ITS_DIRECTORIES, [userId]);
    if (directories.length > MANY) allowLongDatabaseWork();
    for (const { org_id: orgId } of directories) await this.roleSync.applyClaim(manager, orgId, userId, CAUSE);
  }
}
