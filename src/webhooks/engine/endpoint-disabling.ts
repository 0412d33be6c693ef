import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { execute, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { maskedTarget } from '../endpoints/stored-target';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import type { AttemptResult } from './attempt-result';
import { DeliveryQueue } from '../queue/delivery-queue';

/** An endpoint that has failed this long without one success is disabled (contract, section 8). */
export const MAX_FAILURE_MS = 5 * 24 * 3_600_000;

/** Why the service disabled an endpoint: it responded with 410 (Gone), or it failed for too long. */
export type DisabledReason = 'gone' | 'failing';

interface DisabledRow extends Pick<Columns<WebhookEndpoint>, 'org_id' | 'owner_id' | 'target_url'> {
  disabled_at: Date;
  failing_since: Date | null;
}

/**
 * $1 endpoint, $2 now, $3 reason, $4 the latest time at which the failures must have started, or null; $5 and $7 the
 * target of the attempt as stored, $6 the generation of the lane then: neither may have changed.
 */
const DISABLE = `
  UPDATE webhook_endpoints AS endpoints
  SET is_active = false, disabled_reason = $3, disabled_at = $2,
      updated_at = GREATEST(now(), updated_at + interval '1 millisecond')
  FROM webhook_lanes AS lanes
  WHERE endpoints.id = $1 AND lanes.endpoint_id = endpoints.id AND endpoints.is_active
    AND endpoints.target_url = $5 AND endpoints.encrypted_query IS NOT DISTINCT FROM decode($7, 'hex')
    AND lanes.generation = $6
    AND ($4::timestamptz IS NULL OR lanes.failing_since <= $4)
  RETURNING endpoints.org_id, endpoints.owner_id, endpoints.target_url, endpoints.disabled_at, lanes.failing_since`;

/** Disables endpoints that are gone or keep failing, and notifies the other endpoints of their owner. */
@Injectable()
export class EndpointDisabling {
  private readonly logger = new Logger(EndpointDisabling.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: DeliveryQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Does nothing if the endpoint was disabled, enabled again or changed, or has succeeded in the meantime.
   *
   * @param last the attempt after which it is disabled
   */
  async disable(reason: DisabledReason, last: AttemptResult): Promise<void> {
    const now = this.clock.now();
    const failingUntil = reason === 'failing' ? new Date(now.getTime() - MAX_FAILURE_MS) : null;
    const disabled = await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, `SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [last.endpoint_id]);
      const row = await maybe<DisabledRow>(manager, DISABLE, [
        last.endpoint_id,
        now,
        reason,
        failingUntil,
        last.target_url,
        last.generation,
        last.encrypted_query,
      ]);
      if (!row) return false;
      await this.queue.drainSoon(manager, last.endpoint_id);
      await record(manager, {
        type: 'webhook.endpoint_disabled',
        orgId: row.org_id,
        ownerId: row.owner_id,
        data: {
          endpoint_id: last.endpoint_id,
          target_url: maskedTarget(row),
          reason,
          failing_since: row.failing_since?.toISOString() ?? null,
          last_event_type: last.event_type,
          last_response_status: last.response_status,
          last_error: last.error,
          org_id: row.org_id,
          owner_id: row.owner_id,
          disabled_at: row.disabled_at.toISOString(),
        },
      });
      return true;
    });
    if (disabled) this.logger.warn(`Endpoint ${last.endpoint_id} was disabled: ${reason}.`);
  }
}
