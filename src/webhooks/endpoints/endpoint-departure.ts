import { type EntityManager, IsNull } from 'typeorm';
import { execute } from '../../database/statements';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** Longer than the retry schedule with its jitter, which takes 3.8 days. */
const LONGEST_GOODBYE = '5 days';

/**
 * Deletes the personal endpoints of a person who goes; what was still to be sent to them is not sent any more.
 *
 * @param manager of the transaction in which they go
 */
export async function removePersonalEndpoints(manager: EntityManager, userId: string): Promise<void> {
  await manager.delete(WebhookEndpoint, { orgId: IsNull(), ownerId: userId });
}

/**
 * Deletes those endpoints of an organisation that went to which everything has been sent, or will never be: first of all
 * that the organisation was deleted, of which nobody else could be asked afterwards.
 *
 * @returns how many are left, which still wait for an answer
 */
export async function removeNotifiedEndpoints(manager: EntityManager, orgId: string, deletedAt: Date): Promise<number> {
  await execute(
    manager,
    `DELETE FROM webhook_endpoints AS endpoints
     WHERE org_id = $1
       AND (($2::timestamptz < now() - interval '${LONGEST_GOODBYE}')
         OR (NOT EXISTS (SELECT FROM webhook_new_events JOIN events ON events.id = event_id WHERE events.org_id = $1)
           AND NOT EXISTS (SELECT FROM webhook_queue WHERE endpoint_id = endpoints.id)))`,
    [orgId, deletedAt],
  );
  return manager.countBy(WebhookEndpoint, { orgId });
}
