import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';

/*
 * What organisations have of accounts and organisations that are deleted. `deletion/` registers it, since it imports this
 * room and not the other way round; every other room does so itself.
 */

/** Organisations that a deleted account created stay, and no longer say who created them. */
export async function forgetCreator(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, `UPDATE organisations SET created_by = NULL WHERE created_by = $1`, [userId]);
}

/** Ends the memberships of a deleted organisation. None of its members is notified of that: `organisation.deleted` is. */
export async function removeMembershipsOf(manager: EntityManager, orgId: string): Promise<void> {
  await execute(manager, `DELETE FROM memberships WHERE org_id = $1`, [orgId]);
}

/** $1 deleted organisation, $2 how many go at most. */
export const REMOVE_AUDIT_ENTRIES = `
  DELETE FROM audit_log WHERE org_id = $1
    AND id IN (SELECT id FROM audit_log WHERE org_id = $1 ORDER BY id LIMIT $2) RETURNING 1`;
