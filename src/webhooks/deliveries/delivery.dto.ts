import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { timeOf } from '../../database/id';
import type { EventRow } from '../../events/event.entity';
import { EventTypeField } from '../event-types/event-type.field';
import { EnumField, IdField, InstantField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { eventBody } from '../event-types/event-body';
import { SEND_ERROR_CODES, type SendErrorCode } from '../sending/send-error';
import { DELIVERY_ERRORS, DELIVERY_STATUSES, type DeliveryError, type DeliveryStatus } from './delivery-status';
import type { WebhookAttempt } from './webhook-attempt.entity';
import type { WebhookDelivery } from './webhook-delivery.entity';

/** Classes of response statuses, indexed by the first digit; the first one means no response. */
export const RESPONSE_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;

export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

const ATTEMPT_STATUSES = ['SUCCEEDED', 'FAILED'] as const;

const STATUS = {
  description:
    '`PENDING`: queued, waiting for a retry, or in flight. `FAILED`: no further attempt will be made. `CANCELLED`: the endpoint was disabled before the delivery succeeded.',
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
    description: 'The class of the response status of the latest attempt; `none`: no response, or no attempt yet.',
  })
  response_class?: ResponseClass;

  @InstantField({ required: false, description: 'Only deliveries created at or after this time.' })
  from?: string;

  @InstantField({ required: false, description: 'Only deliveries created before this time.' })
  to?: string;
}

export class WebhookDeliveryOut {
  @IdField()
  id: string;

  @IdField({ description: 'The `webhook-id`, the same in every attempt.' })
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
      'When the next attempt of a `PENDING` delivery is due; if in the past, it is waiting for its turn. Null while an attempt is in flight and if there will be no further attempt.',
  })
  next_attempt_at: string | null;

  @ApiProperty({
    ...RESPONSE_STATUS,
    description: 'The response status of the latest attempt; null if there was no response or no attempt.',
  })
  response_status: number | null;

  @ApiProperty({
    ...ERROR,
    enum: [...DELIVERY_ERRORS, null],
    description:
      'The error of the latest attempt; null if it succeeded. `restored`: it was pending in a backup that was restored, and is not sent unless you redeliver it.',
  })
  error: DeliveryError | null;

  @InstantField({ description: 'When the delivery was created; `from` and `to` compare with this time.' })
  created_at: string;

  @InstantField({ nullable: true, description: 'When the latest attempt started; null if there was none.' })
  last_attempt_at: string | null;
}

export class WebhookAttemptOut {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Starts at 1. A missing number is an attempt whose process was interrupted; its result is unknown.',
  })
  number: number;

  @InstantField()
  started_at: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'From the DNS query to the last byte.' })
  duration_ms: number;

  @ApiProperty({ type: 'string', enum: ATTEMPT_STATUSES })
  status: (typeof ATTEMPT_STATUSES)[number];

  @ApiProperty({ ...RESPONSE_STATUS, description: 'The response status; null if there was no response.' })
  response_status: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The first 16 KiB of the decompressed response body; null if there was no response.',
  })
  response_body: string | null;

  @ApiProperty({ ...ERROR, description: 'A machine-readable error code; null if the attempt succeeded.' })
  error: SendErrorCode | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'A human-readable description of the error.' })
  error_message: string | null;
}

export class WebhookPayloadOut {
  @ApiProperty({ type: 'string', example: 'bundle.created' })
  type: string;

  @InstantField({ description: 'When the event occurred.' })
  timestamp: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'See `GET /v1/webhooks/event-types/{event_type}`.',
  })
  data: object;
}

/** A delivery with its body and attempts. */
export class WebhookDeliveryDetailOut extends WebhookDeliveryOut {
  @ApiProperty({
    type: WebhookPayloadOut,
    nullable: true,
    description: 'The body sent in every attempt; null if retention has just removed it.',
  })
  payload: WebhookPayloadOut | null;

  @ApiProperty({ type: [WebhookAttemptOut], description: 'The latest 100 attempts, oldest first.' })
  attempts: WebhookAttemptOut[];
}

/** A row as selected by the service. */
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
