import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';

/**
 * Gives up the namespaces of a person who goes. What was published under them keeps its name.
 *
 * @param manager of the transaction in which they go
 */
export async function removeNamespaces(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, `DELETE FROM namespaces WHERE user_id = $1`, [userId]);
}
