import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { timeOf } from '../../database/id';
import type { EventRow } from '../../events/event.entity';
import { EventTypeField } from '../event-types/event-type.field';
import { EnumField, IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { eventBody } from '../event-types/event-body';
import { SEND_ERROR_CODES, type SendErrorCode } from '../sending/send-error';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery-status';
import type { WebhookAttempt } from './webhook-attempt.entity';
import type { WebhookDelivery } from './webhook-delivery.entity';

/** The hundreds of a status, by their place; the first one stands for no answer. */
export const RESPONSE_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

const ATTEMPT_STATUSES = ['SUCCEEDED', 'FAILED'] as const;

const STATUS = {
  description:
    '`PENDING`: queued, waiting for another attempt, or under way. `FAILED`: no further attempt will be made. `CANCELLED`: the endpoint was disabled before it arrived.',
};

const RESPONSE_STATUS = {
  type: 'integer' as const,
  nullable: true,
  example: 503,
};

const ERROR = {
  type: 'string' as const,
  enum: [...SEND_ERROR_CODES, null],
  nullable: true,
};

export class WebhookDeliveryQuery extends PageQuery {
  @EnumField(DELIVERY_STATUSES, { ...STATUS, required: false })
  status?: DeliveryStatus;

  @EventTypeField()
  event_type?: string;

  @EnumField(RESPONSE_CLASSES, {
    required: false,
    description: 'The class of the status of the latest attempt; `none`: no answer, or no attempt yet.',
  })
  response_class?: ResponseClass;

  @InstantField({ required: false, description: 'Made at this instant or later.' })
  from?: string;

  @InstantField({ required: false, description: 'Made before this instant.' })
  to?: string;
}

export class WebhookDeliveryOut {
  @IdField()
  id: string;

  @IdField({ description: 'The `webhook-id` of every attempt, however often it is sent.' })
  event_id: string;

  @ApiProperty({ type: 'string', example: 'bundle.created' })
  event_type: string;

  @EnumField(DELIVERY_STATUSES, STATUS)
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of the latest attempt whose result is known.' })
  attempt_count: number;

  @InstantField({
    nullable: true,
    description:
      'When the next attempt is due while it is `PENDING`; in the past: it waits for its turn. Null while an attempt is in flight, and when there will be no further attempt.',
  })
  next_attempt_at: string | null;

  @ApiProperty({ ...RESPONSE_STATUS, description: 'Of the latest attempt; null: no answer came, or nothing was sent.' })
  response_status: number | null;

  @ApiProperty({ ...ERROR, description: 'What went wrong with the latest attempt; null: nothing.' })
  error: SendErrorCode | null;

  @InstantField({ description: 'When it was made for this endpoint; what `from` and `to` compare with.' })
  created_at: string;

  @InstantField({ nullable: true, description: 'When the latest attempt began; null: nothing was sent yet.' })
  last_attempt_at: string | null;
}

export class WebhookAttemptOut {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'From 1. A missing number was interrupted with its process; its result is not known.',
  })
  number: number;

  @InstantField()
  started_at: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'From the DNS query to the last byte.' })
  duration_ms: number;

  @ApiProperty({ type: 'string', enum: ATTEMPT_STATUSES })
  status: (typeof ATTEMPT_STATUSES)[number];

  @ApiProperty({ ...RESPONSE_STATUS, description: 'Null: no answer came.' })
  response_status: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The first 16 KiB of what was answered, decompressed; null: no answer came.',
  })
  response_body: string | null;

  @ApiProperty({ ...ERROR, description: 'What went wrong, for a program; null when it succeeded.' })
  error: SendErrorCode | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The same for a person.' })
  error_message: string | null;
}

export class WebhookPayloadOut {
  @ApiProperty({ type: 'string', example: 'bundle.created' })
  type: string;

  @InstantField({ description: 'When it happened.' })
  timestamp: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'See `GET /v1/webhooks/event-types/{event_type}`.',
  })
  data: object;
}

/** A delivery with all that is known of it. */
export class WebhookDeliveryDetailOut extends WebhookDeliveryOut {
  @ApiProperty({
    type: WebhookPayloadOut,
    nullable: true,
    description: 'The body of every attempt; null if it was just removed by retention.',
  })
  payload: WebhookPayloadOut | null;

  @ApiProperty({ type: [WebhookAttemptOut], description: 'In order; only the latest 100.' })
  attempts: WebhookAttemptOut[];
}

/** A row as the service selects it. */
export type DeliveryRow = Pick<
  Columns<WebhookDelivery>,
  'id' | 'event_id' | 'event_type' | 'status' | 'attempt_count' | 'response_status' | 'error' | 'last_attempt_at'
> & {
  next_attempt_at: Date | null;
};

export type AttemptRow = Pick<
  Columns<WebhookAttempt>,
  'number' | 'started_at' | 'duration_ms' | 'response_status' | 'response_body' | 'error' | 'error_message'
>;

/** The event of a delivery. */
export type PayloadRow = Pick<Columns<EventRow>, 'type' | 'created_at'> & {
  /** JSON. */
  data: string;
};

export function toDelivery(row: DeliveryRow): WebhookDeliveryOut {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    response_status: row.response_status,
    error: row.error,
    created_at: timeOf(row.id).toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
  };
}

export function toDeliveryDetail(
  row: DeliveryRow,
  event: PayloadRow | undefined,
  attempts: AttemptRow[],
): WebhookDeliveryDetailOut {
  return {
    ...toDelivery(row),
    payload: event ? (JSON.parse(eventBody(event.type, event.created_at, event.data)) as WebhookPayloadOut) : null,
    attempts: attempts.map(toAttempt),
  };
}

function toAttempt(row: AttemptRow): WebhookAttemptOut {
  return {
    number: row.number,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    status: row.error === null ? 'SUCCEEDED' : 'FAILED',
    response_status: row.response_status,
    response_body: row.response_body,
    error: row.error,
    error_message: row.error_message,
  };
}
