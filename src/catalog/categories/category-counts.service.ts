import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { maybe } from '../../database/statements';
import { HealthSources } from '../../metrics/health-sources';
import { Metrics } from '../../metrics/metrics';

/** Between two counts: 8 hours (specification, Limits). */
export const COUNTED_EVERY_MS = 28_800_000;

/**
 * Recounts every category if the last refresh is old enough. It is a single statement: the update of the one row in
 * category_count_refresh both checks and claims the refresh, so exactly one of several replicas counts. The others wait
 * for its row lock and then see that the refresh is done.
 */
const REFRESH_IF_DUE = `
  WITH due AS (
    UPDATE category_count_refresh SET refreshed_at = $1
    WHERE refreshed_at IS NULL OR refreshed_at <= $1::timestamptz - interval '${COUNTED_EVERY_MS} milliseconds'
    RETURNING true
  ),
  counted AS (
    INSERT INTO category_counts (category_id, mcp_count)
    SELECT categories.id, count(listings.id)
    FROM due CROSS JOIN categories
    LEFT JOIN listings ON listings.category_id = categories.id
      AND listings.status = 'PUBLISHED' AND listings.visibility = 'PUBLIC'
    GROUP BY categories.id
    ON CONFLICT (category_id) DO UPDATE SET mcp_count = excluded.mcp_count
  )
  SELECT EXISTS (SELECT 1 FROM due) AS refreshed`;

/** The values of `mcp_count`, at most 8 hours old (specification, Limits). */
@Injectable()
export class CategoryCounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    metrics: Metrics,
    health: HealthSources,
  ) {
    health.register({ categoryCounts: () => this.refreshedAt() });
    const help = 'Since the counts of the categories were refreshed, which happens every 8 hours.';
    metrics.databaseGauges({ toolyard_category_counts_age_seconds: help }, async () => ({
      toolyard_category_counts_age_seconds: await this.age(),
    }));
  }

  /** @returns whether this call refreshed the counts */
  async refreshIfDue(): Promise<boolean> {
    const row = await maybe<{ refreshed: boolean }>(this.dataSource, REFRESH_IF_DUE, [this.clock.now()]);
    return row?.refreshed ?? false;
  }

  /** @returns when they were counted; null before the first time */
  async countedAt(): Promise<Date | null> {
    const row = await maybe<{ refreshed_at: Date | null }>(
      this.dataSource,
      `SELECT refreshed_at FROM category_count_refresh`,
    );
    return row?.refreshed_at ?? null;
  }

  /** @returns seconds; undefined before the first refresh */
  private async age(): Promise<number | undefined> {
    const refreshedAt = await this.refreshedAt();
    return refreshedAt ? (this.clock.now().getTime() - refreshedAt.getTime()) / 1_000 : undefined;
  }

  /** @returns null before the first refresh */
  private async refreshedAt(): Promise<Date | null> {
    const row = await maybe<{ refreshed_at: Date | null }>(
      this.dataSource,
      `SELECT refreshed_at FROM category_count_refresh`,
    );
    return row?.refreshed_at ?? null;
  }
}
