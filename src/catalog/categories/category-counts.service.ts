import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { maybe } from '../../database/statements';

/**
 * Counts every category anew, if the last refresh is old enough. One statement: the update of the one row in
 * category_count_refresh both asks and claims, so that of several replicas exactly one counts; the others wait for
 * its row lock and then find the refresh done.
 */
const REFRESH_IF_DUE = `
  WITH due AS (
    UPDATE category_count_refresh SET refreshed_at = $1
    WHERE refreshed_at IS NULL OR refreshed_at <= $1::timestamptz - interval '8 hours'
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

/** The numbers behind `mcp_count`, at most 8 hours old (specification, Limits). */
@Injectable()
export class CategoryCounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @returns whether this call was the one that refreshed */
  async refreshIfDue(): Promise<boolean> {
    const row = await maybe<{ refreshed: boolean }>(this.dataSource, REFRESH_IF_DUE, [this.clock.now()]);
    return row?.refreshed ?? false;
  }
}
