import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/**
 * Forgets the processes that served the original: for a minute, they would keep processes with another `SECRETS_KEY` from
 * starting.
 *
 * @param manager of a transaction, while no process serves this database
 */
export async function forgetKeyHolders(manager: EntityManager): Promise<void> {
  await execute(manager, `DELETE FROM secrets_key_holders`);
}
