import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/**
 * Removes the namespaces of a user whose account is deleted. Listings published under them keep their names.
 *
 * @param manager of the transaction that deletes the account
 */
export async function removeNamespaces(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, `DELETE FROM namespaces WHERE user_id = $1`, [userId]);
}
