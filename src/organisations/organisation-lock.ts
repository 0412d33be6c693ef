import type { EntityManager } from 'typeorm';

/**
 * Takes the organisation's lock until the end of the transaction: whatever changes who has which role runs one after
 * the other. Of the strength of a plain UPDATE, so that rows which refer to the organisation can be written meanwhile.
 */
export async function lockOrganisation(manager: EntityManager, orgId: string): Promise<void> {
  await manager.query(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [orgId]);
}
