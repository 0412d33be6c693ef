import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isUnavailable } from '../../database/database-errors';
import { prepared } from '../../database/prepared';
import { inTransaction } from '../../database/transaction';
import { AttemptResult, countByHour, outcomeByEndpoint } from './attempt-result';
import { COUNT_HOURS, JUDGE_LANES, LOCK_LANES, RECORD } from './results.sql';

/** An endpoint whose latest attempt failed. */
export interface FailingEndpoint {
  endpoint_id: string;
  failing_since: Date;
}

/** Records the results of attempts in batches. */
@Injectable()
export class Results {
  private readonly logger = new Logger(Results.name);

  constructor(private readonly dataSource: DataSource) {}

  /**
   * @returns the endpoints among them that are failing
   * @throws if the database cannot be reached; then nothing is written and the call can be repeated
   */
  async record(results: readonly AttemptResult[]): Promise<FailingEndpoint[]> {
    try {
      return await this.write(results);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // One result that the database rejects must not block the others or its own delivery.
      this.logger.error(`Results could not be recorded together: ${(error as Error).message}`);
      const failing: FailingEndpoint[] = [];
      for (const result of results) failing.push(...(await this.writeOne(result)));
      return failing;
    }
  }

  private async writeOne(result: AttemptResult): Promise<FailingEndpoint[]> {
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

  private async write(results: readonly AttemptResult[]): Promise<FailingEndpoint[]> {
    // A process that was paused for longer than its lease may have sent the same delivery twice.
    const unique = [...new Map(results.map((result) => [result.delivery_id, result])).values()];
    if (unique.length < results.length) {
      const repeated = results.filter((result) => !unique.includes(result));
      return [...(await this.write(unique)), ...(await this.write(repeated))];
    }
    return inTransaction(this.dataSource, async (manager) => {
      const outcomes = outcomeByEndpoint(results);
      await prepared(manager, LOCK_LANES, [outcomes.map(({ endpoint_id }) => endpoint_id)]);
      await prepared(manager, RECORD, [JSON.stringify(results)]);
      await prepared(manager, COUNT_HOURS, [JSON.stringify(countByHour(results))]);
      const lanes = await prepared<FailingEndpoint>(manager, JUDGE_LANES, [JSON.stringify(outcomes)]);
      return lanes.filter(({ failing_since }) => failing_since !== null);
    });
  }
}
