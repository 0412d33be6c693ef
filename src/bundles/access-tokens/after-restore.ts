import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/**
 * @param manager of a transaction
 * @returns how many access tokens of bundles were revoked
 */
export function revokeBundleTokens(manager: EntityManager): Promise<number> {
  return execute(manager, `DELETE FROM bundle_access_tokens`);
}
