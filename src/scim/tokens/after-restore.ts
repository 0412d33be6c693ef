import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/** The provisioning log goes on showing who calls with one. */
const REVOKE_ALL = `
  WITH revoked AS (
    DELETE FROM scim_tokens RETURNING id, org_id, digest
  )
  INSERT INTO revoked_scim_tokens (id, org_id, digest) SELECT id, org_id, digest FROM revoked`;

/**
 * @param manager of a transaction
 * @returns how many SCIM tokens were revoked, of all organisations
 */
export function revokeScimTokens(manager: EntityManager): Promise<number> {
  return execute(manager, REVOKE_ALL);
}
