import { ApiProperty } from '@nestjs/swagger';
import { timeOf } from '../../database/id';
import { BooleanField, IdField, InstantField } from '../../http/requests/fields';
import { RECOVERY_STATUSES, type WebhookRecovery } from './webhook-recovery.entity';

export class WebhookRecoveryCreate {
  @InstantField({
    description:
      'What happened at this instant or later. It may be earlier than the retention of this installation; removed events cannot be recovered.',
  })
  since: string;

  @InstantField({
    required: false,
    nullable: true,
    description: 'What happened before this instant. Absent, null, or in the future: now.',
  })
  until?: string | null;

  @BooleanField({
    required: false,
    nullable: true,
    description:
      'Also events of the types that the endpoint subscribes to now that were never queued for it: it was disabled, not subscribed, or did not exist. Absent or null: false.',
  })
  include_missing?: boolean | null;
}

export class WebhookRecoveryOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    enum: RECOVERY_STATUSES,
    description: '`CANCELLED`: by you, or because the endpoint was disabled.',
  })
  status: (typeof RECOVERY_STATUSES)[number];

  @InstantField({ description: 'Inclusive.' })
  since: string;

  @InstantField({ description: 'Exclusive.' })
  until: string;

  @ApiProperty()
  include_missing: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Events of that time that were looked at so far.' })
  scanned: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Deliveries that were queued so far.' })
  queued: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    example: 0.25,
    description: 'The share of the period from `since` to `until` that was processed.',
  })
  progress: number;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'Null: it is running.' })
  finished_at: string | null;
}

/** What a client sees of a recovery. */
export type ShownRecovery = Pick<
  WebhookRecovery,
  | 'id'
  | 'status'
  | 'since'
  | 'until'
  | 'includeMissing'
  | 'position'
  | 'scanned'
  | 'queued'
  | 'createdAt'
  | 'finishedAt'
>;

export function toRecovery(recovery: ShownRecovery): WebhookRecoveryOut {
  return {
    id: recovery.id,
    status: recovery.status,
    since: recovery.since.toISOString(),
    until: recovery.until.toISOString(),
    include_missing: recovery.includeMissing,
    scanned: recovery.scanned,
    queued: recovery.queued,
    progress: progressOf(recovery),
    created_at: recovery.createdAt.toISOString(),
    finished_at: recovery.finishedAt?.toISOString() ?? null,
  };
}

/** The place in its span of time that a recovery has come to; events lie in time as unevenly as they like. */
function progressOf({ status, since, until, position }: ShownRecovery): number {
  if (status === 'COMPLETED') return 1;
  if (position === null) return 0;
  const share = (timeOf(position).getTime() - since.getTime()) / (until.getTime() - since.getTime());
  return Math.round(Math.min(Math.max(share, 0), 1) * 1_000) / 1_000;
}
