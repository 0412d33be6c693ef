import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { requireFound } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';
import { inUtc } from '../../http/requests/instant';
import { Page, Pages } from '../../http/requests/page';
import { DeliveryQueue } from '../queue/delivery-queue';
import { WebhookEndpointFinder } from '../endpoints/webhook-endpoint-finder';
import {
  AttemptRow,
  DeliveryRow,
  PayloadRow,
  toDelivery,
  toDeliveryDetail,
  WebhookDeliveryDetailOut,
  WebhookDeliveryOut,
  WebhookDeliveryQuery,
} from './delivery.dto';
import { requireEnabled } from './enabled-endpoint';
import { type DeliveryFilter, FIND, listDeliveries } from './delivery-list.sql';

/** $1 event. */
const PAYLOAD = `SELECT type, created_at, data::text AS data FROM events WHERE id = $1`;

/** $1 delivery. Limited, because redelivery can add any number of attempts. */
const ATTEMPTS = `
  SELECT * FROM (
    SELECT number, started_at, duration_ms, response_status, response_body, error, error_message
    FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number DESC LIMIT 100) AS latest
  ORDER BY number`;

/** A cursor is valid only for its own endpoint. */
const listOf = (endpointId: string) => `webhook deliveries of ${endpointId}`;

/** Reads the deliveries of an endpoint and queues them again. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly queue: DeliveryQueue,
    private readonly pages: Pages,
  ) {}

  /**
   * Newest first. The cost of a page does not depend on the number of deliveries or the filter.
   *
   * @throws NotFoundError; InsufficientRoleError; ValidationError for the cursor
   */
  async list(caller: Caller, endpointId: string, query: WebhookDeliveryQuery): Promise<Page<WebhookDeliveryOut>> {
    const { status, event_type, response_class, from, to } = query;
    const filter: DeliveryFilter = { status, event_type, response_class, from: inUtc(from), to: inUtc(to) };
    const page = this.pages.open(listOf(endpointId), query, filter);
    await this.finder.manageableUnlocked(this.dataSource.manager, caller, endpointId);
    const rows = await many<DeliveryRow>(this.dataSource, ...listDeliveries(endpointId, page));
    return page.close(rows, toDelivery);
  }

  /**
   * A delivery with its body and its attempts.
   *
   * @throws NotFoundError, also for a delivery of another endpoint; InsufficientRoleError
   */
  async get(caller: Caller, endpointId: string, id: string): Promise<WebhookDeliveryDetailOut> {
    const { manager } = this.dataSource;
    await this.finder.manageableUnlocked(manager, caller, endpointId);
    const row = await this.find(manager, endpointId, id);
    const event = await maybe<PayloadRow>(manager, PAYLOAD, [row.event_id]);
    return toDeliveryDetail(row, event, await many<AttemptRow>(manager, ATTEMPTS, [id]));
  }

  /**
   * Queues a delivery again, whatever its status, from the start of the retry schedule.
   *
   * @throws NotFoundError; InsufficientRoleError; ConflictError if the endpoint is disabled
   */
  async redeliver(caller: Caller, endpointId: string, id: string): Promise<WebhookDeliveryOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const endpoint = await this.finder.manageable(manager, caller, endpointId);
      await this.find(manager, endpointId, id);
      requireEnabled(endpoint);
      await this.queue.again(manager, endpointId, [id]);
      return toDelivery(await this.find(manager, endpointId, id));
    });
  }

  private async find(manager: EntityManager, endpointId: string, id: string): Promise<DeliveryRow> {
    const row = await maybe<DeliveryRow>(manager, FIND, [endpointId, id]);
    return requireFound(row, ErrorCode.WebhookDeliveryNotFound, id);
  }
}
