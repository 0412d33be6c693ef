import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';
import {
  CANCEL_NEW_EVENTS,
  CANCEL_QUEUED,
  CANCEL_RECOVERIES,
  DISABLE_ENDPOINTS,
  LOCK_ALL_LANES,
} from './after-restore.sql';

/** What `cancelUnsent` did. */
export interface CancelledWebhooks {
  /** Deliveries that are now `CANCELLED`, with the error `restored`. */
  deliveries: number;
  recoveries: number;
}

/**
 * Cancels every delivery that was pending when the backup was made: the service that went on after the backup has sent
 * them, or will. They can still be sent on request, by redelivery or recovery. Events of later changes are delivered.
 *
 * @param manager of a transaction
 */
export async function cancelUnsent(manager: EntityManager): Promise<CancelledWebhooks> {
  await execute(manager, LOCK_ALL_LANES);
  const recoveries = await execute(manager, CANCEL_RECOVERIES);
  const queued = await execute(manager, CANCEL_QUEUED);
  const undelivered = await execute(manager, CANCEL_NEW_EVENTS);
  return { deliveries: queued + undelivered, recoveries };
}

/**
 * Disables every endpoint (`disabled_reason` is `restored`), so that a copy sends nothing to the receivers of the
 * original.
 *
 * @returns how many
 */
export function disableEndpoints(manager: EntityManager): Promise<number> {
  return execute(manager, DISABLE_ENDPOINTS);
}
