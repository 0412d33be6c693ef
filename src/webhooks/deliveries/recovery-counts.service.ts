import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { maybe, one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { WebhookEndpointFinder } from '../endpoints/webhook-endpoint-finder';
import type { WebhookLane } from '../queue/webhook-lane.entity';
import { ErrorCode } from '../webhook.errors';
import { requireEnabled } from './enabled-endpoint';
import { MAX_COUNTED, WebhookRecoveryCreate, WebhookRecoveryPreviewOut } from './recovery.dto';
import { countEvents } from './recovery.sql';
import { eventsOf, oldestRecoverable } from './recovery-events';
import { spanOf } from './recovery-span';

/** How many events a statement counts, so that none takes long. */
const BATCH_SIZE = 2_000;

/** $1 endpoint. */
const LANE = `
  SELECT lanes.generation,
         EXISTS (SELECT FROM webhook_recoveries AS recoveries
                 WHERE recoveries.endpoint_id = lanes.endpoint_id AND recoveries.status = 'RUNNING') AS is_running
  FROM webhook_lanes AS lanes WHERE lanes.endpoint_id = $1`;

type LaneRow = Pick<Columns<WebhookLane>, 'generation'> & { is_running: boolean };

interface CountRow {
  looked: number;
  scanned: number;
  lost: number;
  missing: number;
  /** Null if there was none. */
  last: string | null;
}

/** Counts what a recovery would do, by the statement of its run. */
@Injectable()
export class RecoveryCounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses what the recovery itself would be refused for. Changes and locks nothing, so what fails or succeeds meanwhile
   * is not counted.
   *
   * @throws ValidationError if the period is empty; NotFoundError; InsufficientRoleError; ConflictError if the endpoint
   *   is disabled or one of its recoveries is running
   */
  async count(caller: Caller, endpointId: string, input: WebhookRecoveryCreate): Promise<WebhookRecoveryPreviewOut> {
    const now = this.clock.now();
    const { since, until } = spanOf(input, now);
    const endpoint = await this.finder.manageableUnlocked(this.dataSource.manager, caller, endpointId);
    requireEnabled(endpoint);
    const lane = await maybe<LaneRow>(this.dataSource, LANE, [endpointId]);
    if (lane?.is_running) {
      throw new ConflictError(
        ErrorCode.WebhookRecoveryConflict,
        'A recovery of this webhook endpoint is already running.',
      );
    }
    const oldest = oldestRecoverable(now, this.environment.webhooksRetentionDays);
    const period = { since, until, generation: lane?.generation ?? 0 };
    const sum = { looked: 0, scanned: 0, lost: 0, missing: 0 };
    let position: string | null = null;
    let hasMore = true;
    while (hasMore && sum.looked < MAX_COUNTED) {
      const next = { position, most: BATCH_SIZE, oldest };
      const counted: CountRow = await one<CountRow>(
        this.dataSource,
        countEvents(endpoint.org_id === null ? 'owner_id' : 'org_id'),
        eventsOf(endpointId, endpoint, period, next),
      );
      sum.looked += counted.looked;
      sum.scanned += counted.scanned;
      sum.lost += counted.lost;
      sum.missing += counted.missing;
      position = counted.last;
      hasMore = counted.looked === BATCH_SIZE;
    }
    const { scanned, lost, missing } = sum;
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      include_missing: input.include_missing ?? false,
      scanned,
      lost,
      missing,
      queued: lost + (input.include_missing ? missing : 0),
      is_exact: !hasMore,
    };
  }
}
