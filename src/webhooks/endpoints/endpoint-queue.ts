import type { EntityManager } from 'typeorm';

/**
 * The queue of an endpoint, as far as changes of the endpoint matter to it. `queue/` implements it, which this folder does
 * not import. All methods run in the transaction that holds the lock of the endpoint.
 */
export abstract class EndpointQueue {
  /** Must be called when an endpoint is disabled, after a trigger has voided its queue. None of that is sent. */
  abstract drainSoon(manager: EntityManager, endpointId: string): Promise<void>;

  /** After a change of the address: earlier successes no longer prove that the endpoint works. */
  abstract markUnproven(manager: EntityManager, endpointId: string): Promise<void>;
}
