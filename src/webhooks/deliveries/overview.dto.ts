import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField } from '../../http/requests/fields';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import type { WebhookLane } from '../queue/webhook-lane.entity';

/** The hours that are shown: the current one and the 24 before it, which the last 24 hours touch. */
export const SHOWN_HOURS = 25;

const HOUR_MS = 3_600_000;

const COUNTS = {
  type: 'array' as const,
  items: { type: 'integer' as const, minimum: 0 },
  minItems: SHOWN_HOURS,
  maxItems: SHOWN_HOURS,
};

export class WebhookOverviewQuery {
  @IdField({ description: 'The organisation.' })
  org_id: string;
}

/** The last day of an endpoint. */
export class WebhookEndpointDayOut {
  @IdField()
  endpoint_id: string;

  @ApiProperty({ ...COUNTS, description: 'The number of successful attempts in each hour.' })
  succeeded: number[];

  @ApiProperty({ ...COUNTS, description: 'The number of failed attempts in each hour.' })
  failed: number[];

  @InstantField({
    nullable: true,
    description: 'The start of the current run of failures; null if the latest attempt succeeded.',
  })
  failing_since: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the service disabled it; null if it did not.' })
  disabled_reason: string | null;

  @InstantField({ nullable: true, description: 'When the service disabled it; null if it did not.' })
  disabled_at: string | null;
}

export class WebhookOverviewOut {
  @InstantField({ example: '2026-11-19T08:00:00.000Z', description: 'The start of the first hour.' })
  from: string;

  @InstantField({ example: '2026-11-20T09:00:00.000Z', description: 'The end of the last hour, which is not over.' })
  to: string;

  @ApiProperty({ type: [WebhookEndpointDayOut], description: 'Every endpoint of the organisation, newest first.' })
  endpoints: WebhookEndpointDayOut[];
}

/** An endpoint as selected by the service, with its hours that have attempts. */
export type DayRow = Pick<Columns<WebhookEndpoint>, 'id' | 'disabled_reason' | 'disabled_at'> &
  Pick<Columns<WebhookLane>, 'failing_since'> & {
    /** The places of the hours, from 0. */
    places: number[];
    succeeded: number[];
    failed: number[];
  };

/** @returns the start of the first hour and the end of the last */
export function lastDay(now: Date): { from: Date; to: Date } {
  const to = (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS;
  return { from: new Date(to - SHOWN_HOURS * HOUR_MS), to: new Date(to) };
}

export function toDay(row: DayRow): WebhookEndpointDayOut {
  const ofEachHour = (counts: number[]) => {
    const hours = Array<number>(SHOWN_HOURS).fill(0);
    row.places.forEach((place, index) => (hours[place] = counts[index] ?? 0));
    return hours;
  };
  return {
    endpoint_id: row.id,
    succeeded: ofEachHour(row.succeeded),
    failed: ofEachHour(row.failed),
    failing_since: row.failing_since?.toISOString() ?? null,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? null,
  };
}
