import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { many } from '../../database/statements';
import { Memberships } from '../../organisations/members/memberships.service';
import { DayRow, lastDay, toDay, WebhookOverviewOut } from './overview.dto';

/**
 * $1 organisation, $2 from (inclusive), $3 to (exclusive). Of each endpoint at most 25 hours, by their primary key, however
 * many deliveries there are: 80 ms for 500 endpoints with a month of hours each. Compared as a row, for which the index of
 * hours alone does not qualify: with old statistics the planner would read the hours of all endpoints for each, in 14 s.
 */
const DAYS = `
  SELECT endpoints.id, endpoints.disabled_reason, endpoints.disabled_at,
         (SELECT failing_since FROM webhook_lanes AS lanes WHERE lanes.endpoint_id = endpoints.id) AS failing_since,
         day.places, day.succeeded, day.failed
  FROM webhook_endpoints AS endpoints CROSS JOIN LATERAL (
    SELECT COALESCE(array_agg((extract(epoch FROM hours.hour - $2::timestamptz) / 3600)::int), '{}') AS places,
           COALESCE(array_agg(hours.succeeded), '{}') AS succeeded, COALESCE(array_agg(hours.failed), '{}') AS failed
    FROM webhook_hours AS hours
    WHERE hours.endpoint_id = endpoints.id
      AND (hours.endpoint_id, hours.hour) >= (endpoints.id, $2) AND (hours.endpoint_id, hours.hour) < (endpoints.id, $3)) AS day
  WHERE endpoints.org_id = $1
  ORDER BY endpoints.created_at DESC, endpoints.id DESC`;

/** The last day of the endpoints of an organisation. */
@Injectable()
export class WebhookOverviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError; InsufficientRoleError for a MEMBER */
  async get(caller: Caller, orgId: string): Promise<WebhookOverviewOut> {
    const standing = await this.memberships.require(caller, orgId, 'ADMIN');
    const { from, to } = lastDay(this.clock.now());
    const rows = await many<DayRow>(this.dataSource, DAYS, [standing.orgId, from, to]);
    return { from: from.toISOString(), to: to.toISOString(), endpoints: rows.map(toDay) };
  }
}
