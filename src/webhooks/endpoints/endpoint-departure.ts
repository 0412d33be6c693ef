import { type EntityManager, IsNull } from 'typeorm';
import { execute } from '../../database/statements';
import { WebhookEndpoint } from './webhook-endpoint.entity';

/** Longer than the retry schedule with jitter, which takes 3.8 days. */
const MAX_NOTIFICATION_TIME = '5 days';

/** Endpoints with their lanes, in the order of ids, as recording results locks them (ADR 7). */
const LOCK_PERSONAL = `
  SELECT FROM webhook_endpoints AS endpoints JOIN webhook_lanes ON endpoint_id = endpoints.id
  WHERE org_id IS NULL AND owner_id = $1 ORDER BY endpoints.id FOR UPDATE`;

/** The same of an organisation. */
const LOCK_OF_ORGANISATION = `
  SELECT FROM webhook_endpoints AS endpoints JOIN webhook_lanes ON endpoint_id = endpoints.id
  WHERE org_id = $1 ORDER BY endpoints.id FOR UPDATE`;

/**
 * Deletes the personal endpoints of a user whose account is deleted. Pending deliveries to them are dropped.
 *
 * @param manager of the transaction that deletes the account
 */
export async function removePersonalEndpoints(manager: EntityManager, userId: string): Promise<void> {
  await execute(manager, LOCK_PERSONAL, [userId]);
  await manager.delete(WebhookEndpoint, { orgId: IsNull(), ownerId: userId });
}

/**
 * Deletes those endpoints of a deleted organisation that have no deliveries left, or whose time is up. Above all, they
 * must still receive `organisation.deleted`, because later there is no other way to learn of it.
 *
 * @returns the number of endpoints left, which still have pending deliveries
 */
export async function removeNotifiedEndpoints(manager: EntityManager, orgId: string, deletedAt: Date): Promise<number> {
  await execute(manager, LOCK_OF_ORGANISATION, [orgId]);
  await execute(
    manager,
    `DELETE FROM webhook_endpoints AS endpoints
     WHERE org_id = $1
       AND (($2::timestamptz < now() - interval '${MAX_NOTIFICATION_TIME}')
         OR (NOT EXISTS (SELECT FROM webhook_new_events JOIN events ON events.id = event_id WHERE events.org_id = $1)
           AND NOT EXISTS (SELECT FROM webhook_queue WHERE endpoint_id = endpoints.id)))`,
    [orgId, deletedAt],
  );
  return manager.countBy(WebhookEndpoint, { orgId });
}
