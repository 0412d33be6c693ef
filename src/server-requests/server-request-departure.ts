import type { EntityManager } from 'typeorm';
import { ServerRequest } from './server-request.entity';

/** For how long a request can be read after it was made, unless it is open. */
export const KEPT_DAYS = 365;

/** For the retention of rows: $1 the first id to keep, $2 batch size. An open one waits for an answer, however long. */
export const REMOVE_OLD_REQUESTS = `
  DELETE FROM server_requests WHERE id IN (
    SELECT id FROM server_requests WHERE id < $1 AND status <> 'OPEN' ORDER BY id LIMIT $2)`;

/** $1 deleted organisation, $2 batch size. */
export const REMOVE_REQUESTS = `
  DELETE FROM server_requests WHERE id IN (SELECT id FROM server_requests WHERE org_id = $1 LIMIT $2) RETURNING 1`;

/**
 * Removes what a person asked for, in their words. What they decided stays, without them.
 *
 * @param manager of the transaction that deletes the account
 */
export async function removeRequests(manager: EntityManager, userId: string): Promise<void> {
  await manager.getRepository(ServerRequest).delete({ requestedBy: userId });
  await manager.getRepository(ServerRequest).update({ decidedBy: userId }, { decidedBy: null });
}
