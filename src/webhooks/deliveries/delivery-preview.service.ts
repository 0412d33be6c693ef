import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import type { Columns } from '../../database/columns';
import { maybe } from '../../database/statements';
import { requireFound } from '../../errors/errors';
import type { EventRow } from '../../events/event.entity';
import { EndpointCredentials, type SealedCredentials, sealedCredentials } from '../endpoints/endpoint-credentials';
import { WebhookEndpointFinder } from '../endpoints/webhook-endpoint-finder';
import { eventBody } from '../event-types/event-body';
import { WebhookSender } from '../sending/webhook-sender';
import { parseUrl } from '../../config/parse-url';
import { ErrorCode } from '../webhook.errors';
import type { WebhookPreviewOut } from './delivery-preview.dto';

/** $1 endpoint, $2 delivery, $3 now. No row if retention has just removed the event. */
const SENDABLE = `
  SELECT events.id AS event_id, events.type, events.created_at, events.data::text AS data,
         ${sealedCredentials('endpoints', '$3')}
  FROM webhook_deliveries AS deliveries
  JOIN events ON events.id = deliveries.event_id
  JOIN webhook_endpoints AS endpoints ON endpoints.id = deliveries.endpoint_id
  WHERE deliveries.endpoint_id = $1 AND deliveries.id = $2`;

type SendableRow = SealedCredentials &
  Pick<Columns<EventRow>, 'type' | 'created_at'> & {
    event_id: string;
    /** JSON. */
    data: string;
  };

/** Headers whose values the sender sets, and that contain nothing secret. */
const SHOWN = new Set([
  'host',
  'content-length',
  'content-type',
  'user-agent',
  'accept-encoding',
  'webhook-id',
  'webhook-timestamp',
]);

/** Shows what would be sent, without sending it. */
@Injectable()
export class DeliveryPreviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly credentials: EndpointCredentials,
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
  ) {}

  /**
   * The request as it would go now, with the present address and headers of the endpoint. Shows no secret: neither the
   * values of custom headers nor signatures, which would be valid.
   *
   * @throws NotFoundError, also for a delivery of another endpoint, and if its event was removed; InsufficientRoleError
   */
  async preview(caller: Caller, endpointId: string, id: string): Promise<WebhookPreviewOut> {
    const { manager } = this.dataSource;
    await this.finder.manageableUnlocked(manager, caller, endpointId);
    const found = await maybe<SendableRow>(manager, SENDABLE, [endpointId, id, this.clock.now()]);
    const row = requireFound(found, ErrorCode.WebhookDeliveryNotFound, id);
    const { targetUrl, secrets, headers: custom } = this.credentials.open(row);
    const body = eventBody(row.type, row.created_at, row.data);
    const request = this.sender.prepare({ id: row.event_id, body, targetUrl, secrets, headers: custom });
    const sent = [
      'host',
      parseUrl(targetUrl)?.host ?? '',
      ...request.headers,
      'content-length',
      String(request.body.length),
    ];
    return {
      method: 'POST',
      url: targetUrl,
      at: new Date(request.timestamp * 1_000).toISOString(),
      headers: pairs(sent).map(([name, value]) => ({ name, value: SHOWN.has(name) ? value : null })),
      signature_count: secrets.length,
      signed_content: `${row.event_id}.${request.timestamp}.${body}`,
      body,
      refusal: request.refusal,
    };
  }
}

/** @param flat name, value, name, value … */
function pairs(flat: readonly string[]): [name: string, value: string][] {
  return flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1] ?? ''] as [string, string]] : []));
}
