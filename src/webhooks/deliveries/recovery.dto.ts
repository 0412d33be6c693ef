import { ApiProperty } from '@nestjs/swagger';
import { timeOf } from '../../database/id';
import { BooleanField, IdField, InstantField } from '../../http/requests/fields';
import { RECOVERY_STATUSES, type WebhookRecovery } from './webhook-recovery.entity';

export class WebhookRecoveryCreate {
  @InstantField({
    description:
      'Only events at or after this time. It can be before the retention period of this installation, but removed events cannot be recovered.',
  })
  since: string;

  @InstantField({
    required: false,
    nullable: true,
    description: 'Only events before this time. Absent, null or in the future: now.',
  })
  until?: string | null;

  @BooleanField({
    required: false,
    nullable: true,
    description:
      'Include events that were never queued for the endpoint because it was disabled, not subscribed or did not exist yet, if it subscribes to their types now. Absent or null: false.',
  })
  include_missing?: boolean | null;

  @BooleanField({
    required: false,
    nullable: true,
    description: 'Only count what would be sent, by the same rule. Absent or null: false.',
  })
  dry_run?: boolean | null;
}

/** The most events that a dry run looks at. */
export const MAX_COUNTED = 100_000;

/** What a recovery would send. */
export class WebhookRecoveryPreviewOut {
  @InstantField({ description: 'Inclusive.' })
  since: string;

  @InstantField({ description: 'Exclusive.' })
  until: string;

  @ApiProperty()
  include_missing: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of events in the period.' })
  scanned: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many of them have a delivery that failed or was cancelled; each is sent again.',
  })
  lost: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many of them were never queued for the endpoint; sent only with `include_missing`.',
  })
  missing: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of deliveries that the recovery would queue.' })
  queued: number;

  @ApiProperty({
    description: `False if there are more than ${MAX_COUNTED.toLocaleString('en')} events: the oldest ones were counted, and there is more.`,
  })
  is_exact: boolean;
}

export class WebhookRecoveryOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    enum: RECOVERY_STATUSES,
    description: '`CANCELLED`: cancelled by a user, or because the endpoint was disabled.',
  })
  status: (typeof RECOVERY_STATUSES)[number];

  @InstantField({ description: 'Inclusive.' })
  since: string;

  @InstantField({ description: 'Exclusive.' })
  until: string;

  @ApiProperty()
  include_missing: boolean;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of events in the period processed so far.' })
  scanned: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of deliveries queued so far.' })
  queued: number;

  @ApiProperty({
    type: 'number',
    minimum: 0,
    maximum: 1,
    example: 0.25,
    description: 'The fraction of the period from `since` to `until` that has been processed.',
  })
  progress: number;

  @InstantField()
  created_at: string;

  @InstantField({ nullable: true, description: 'Null while it is running.' })
  finished_at: string | null;
}

/** The columns of a recovery that clients see. */
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

/** The fraction of the period that a recovery has passed. Measured in time, not in events. */
function progressOf({ status, since, until, position }: ShownRecovery): number {
  if (status === 'COMPLETED') return 1;
  if (position === null) return 0;
  const share = (timeOf(position).getTime() - since.getTime()) / (until.getTime() - since.getTime());
  return Math.round(Math.min(Math.max(share, 0), 1) * 1_000) / 1_000;
}
