import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isUnavailable } from '../../database/database-errors';
import { prepared } from '../../database/prepared';
import { commitTogether, inTransaction } from '../../database/transaction';
import type { Columns } from '../../database/columns';
import { AttemptResult, countByHour, latestOfEach, outcomeByEndpoint } from './attempt-result';
import { planByIndex } from './plan-by-index';
import { JUDGE_LANES, LOCK_ENDPOINTS, LOCK_LANES, RECORD } from './results.sql';
import type { WebhookLane } from '../queue/webhook-lane.entity';

/** The lane of an endpoint after results. */
export type JudgedLane = Pick<Columns<WebhookLane>, 'endpoint_id' | 'failing_since' | 'is_proven' | 'wake_at'>;

/** Records the results of attempts in batches. */
@Injectable()
export class Results {
  private readonly logger = new Logger(Results.name);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @returns the lanes of their endpoints
   * @throws if the database cannot be reached; then nothing is written and the call can be repeated
   */
  async record(results: readonly AttemptResult[]): Promise<JudgedLane[]> {
    try {
      return await this.write(results);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // One result that the database rejects must not block the others or its own delivery.
      this.logger.error(`Results could not be recorded together: ${(error as Error).message}`);
      const lanes: JudgedLane[] = [];
      for (const result of results) lanes.push(...(await this.writeOne(result)));
      return lanes;
    }
  }

  private async writeOne(result: AttemptResult): Promise<JudgedLane[]> {
    for (const attempt of [result, { ...result, response_body: null, error_message: null }]) {
      try {
        return await this.write([attempt]);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        this.logger.error(
          `Attempt ${result.number} of delivery ${result.delivery_id} could not be recorded: ${(error as Error).message}`,
        );
      }
    }
    return []; // The claim ends and the delivery is sent again.
  }

  private async write(results: readonly AttemptResult[]): Promise<JudgedLane[]> {
    const { latest, others } = latestOfEach(results);
    if (others.length > 0) return [...(await this.write(latest)), ...(await this.write(others))];
    return inTransaction(this.dataSource, async (manager) => {
      const [, lanes] = await Promise.all([
        planByIndex(manager),
        this.issue(manager, results),
        commitTogether(manager),
      ]);
      return lanes;
    });
  }

  /**
   * Issues what records results, at once, so that it goes with the first statements of a claim in the same transaction.
   *
   * @param results none of them of the same delivery as another
   * @returns the lanes of their endpoints
   */
  async issueBeforeClaim(manager: EntityManager, results: readonly AttemptResult[]): Promise<JudgedLane[]> {
    const [, lanes] = await Promise.all([
      prepared(manager, LOCK_ENDPOINTS, [results.map(({ endpoint_id }) => endpoint_id)]),
      this.issue(manager, results),
    ]);
    return lanes;
  }

  private async issue(manager: EntityManager, results: readonly AttemptResult[]): Promise<JudgedLane[]> {
    const outcomes = outcomeByEndpoint(results);
    const [, , lanes] = await Promise.all([
      prepared(manager, LOCK_LANES, [outcomes.map(({ endpoint_id }) => endpoint_id)]),
      prepared(manager, RECORD, [JSON.stringify(results), JSON.stringify(countByHour(results))]),
      prepared<JudgedLane>(manager, JUDGE_LANES, [JSON.stringify(outcomes)]),
    ]);
    return lanes;
  }
}
