import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { CategoryCounts } from './category-counts.service';

const MINUTE_MS = 60_000;

/** Keeps the counts fresh, in every process that runs `worker`. A start on an empty cache refreshes at once. */
@Injectable()
export class CategoryCountsScheduler implements OnApplicationBootstrap {
  private readonly logger = new Logger(CategoryCountsScheduler.name);

  constructor(
    private readonly counts: CategoryCounts,
    private readonly environment: Environment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  @Interval('category counts', MINUTE_MS)
  async refresh(): Promise<void> {
    if (!this.environment.run.has('worker')) return;
    try {
      if (await this.counts.refreshIfDue()) this.logger.log('The counts of the categories were refreshed.');
    } catch (error) {
      // The next minute tries again; until then the counts are what they were.
      this.logger.warn(`The counts of the categories could not be refreshed: ${(error as Error).message}`);
    }
  }
}
