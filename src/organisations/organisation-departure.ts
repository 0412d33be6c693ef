import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';

/*
 * Removes what organisations store about deleted accounts and organisations. `deletion/` registers these functions,
 * because it imports this module and not the other way round; other modules register their own.
 */

/** Organisations created by a deleted account stay, without a creator. */
export async function forgetCreator(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, `UPDATE organisations SET created_by = NULL WHERE created_by = $1`, [userId]);
}

/** Removes the memberships of a deleted organisation. `organisation.deleted` was emitted, so no `member.removed` is. */
export async function removeMembershipsOf(manager: EntityManager, orgId: string): Promise<void> {
  await execute(manager, `DELETE FROM memberships WHERE org_id = $1`, [orgId]);
}

/** $1 deleted organisation, $2 batch size. */
export const REMOVE_AUDIT_ENTRIES = `
  DELETE FROM audit_log WHERE org_id = $1
    AND id IN (SELECT id FROM audit_log WHERE org_id = $1 ORDER BY id LIMIT $2) RETURNING 1`;
