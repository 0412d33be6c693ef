import { ApiProperty } from '@nestjs/swagger';
import { SEND_ERROR_CODES, type SendErrorCode } from '../sending/send-error';
import type { SendResult } from '../sending/webhook-sender';

const PING_STATUSES = ['SUCCEEDED', 'FAILED'] as const;

/** The result of a ping. */
export class WebhookPingOut {
  @ApiProperty({
    example: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
    description: 'The `webhook-id` that was sent, to look up in the logs of the receiver.',
  })
  webhook_id: string;

  @ApiProperty({
    type: 'string',
    enum: PING_STATUSES,
    description: '`SUCCEEDED`: the receiver responded with 2xx in time.',
  })
  status: (typeof PING_STATUSES)[number];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 204,
    description: 'The response status; null if there was no response.',
  })
  response_status: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'From the DNS query to the last byte.' })
  duration_ms: number;

  @ApiProperty({
    type: 'string',
    enum: [...SEND_ERROR_CODES, null],
    nullable: true,
    description: 'A machine-readable error code; null if the ping succeeded.',
  })
  error: SendErrorCode | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'A human-readable description of the error.' })
  error_message: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The first 16 KiB of the decompressed response body; null if there was no response.',
  })
  response_body: string | null;
}

export function toWebhookPing(webhookId: string, result: SendResult): WebhookPingOut {
  return {
    webhook_id: webhookId,
    status: result.error === null ? 'SUCCEEDED' : 'FAILED',
    response_status: result.responseStatus,
    duration_ms: result.durationMs,
    error: result.error?.code ?? null,
    error_message: result.error?.message ?? null,
    response_body: result.responseBody,
  };
}
