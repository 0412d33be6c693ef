import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Environment } from '../../config/environment';
import { CategoryCounts } from './category-counts.service';

const MINUTE_MS = 60_000;

/** Refreshes the counts in every process that runs `worker`; immediately at startup if there are no counts yet. */
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
      if (await this.counts.refreshIfDue()) this.logger.log('Category counts refreshed.');
    } catch (error) {
      // Retried in a minute; until then the old counts remain.
      this.logger.warn(`Category counts could not be refreshed: ${(error as Error).message}`);
    }
  }
}
