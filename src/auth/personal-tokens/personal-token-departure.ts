import type { EntityManager } from 'typeorm';
import { PersonalAccessToken } from './personal-access-token.entity';

/**
 * Revokes all personal access tokens of an account: when it is deleted, and whenever the person signs out everywhere.
 * When it is closed, a trigger does the same. Every replica is notified when the transaction ends.
 *
 * @param manager of the transaction
 */
export async function removePersonalTokens(manager: EntityManager, userId: string): Promise<void> {
  await manager.getRepository(PersonalAccessToken).delete({ userId });
}
