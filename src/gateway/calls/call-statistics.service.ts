import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { Clock } from '../../config/clock';
import { allowLongDatabaseWork } from '../../database/deadline';
import { firstIdAt, timeOf } from '../../database/id';
import { many } from '../../database/statements';
import { chosen, normalized } from './call-choice';
import { spanOf } from './call-span';
import { callStatistics, MAX_COUNTED } from './call-list.sql';
import {
  type CallFiguresRow,
  type CallStatisticsOut,
  type CallStatisticsQuery,
  MAX_GROUPS,
  toFigures,
  toGroup,
} from './call-statistics.dto';

/** Counts the record of calls. */
@Injectable()
export class CallStatistics {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError; ForbiddenError; ValidationError if the period is empty or too long */
  async get(caller: Caller, bundleId: string, query: CallStatisticsQuery): Promise<CallStatisticsOut> {
    const { from, to } = spanOf(query, this.clock.now(), 1);
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    // Half a million rows of a busy database are not read within the time of a request.
    allowLongDatabaseWork();
    const { filters, values } = chosen(normalized(query));
    const partSeconds = partOf(to.getTime() - from.getTime());
    const rows = await many<CallFiguresRow>(this.dataSource, callStatistics(query.by, filters), [
      ...[bundle.id, firstIdAt(from), firstIdAt(to), MAX_GROUPS, partSeconds],
      ...values,
    ]);
    const [total, ...groups] = rows;
    if (!total) throw new Error('The total is always there.');
    const isComplete = total.calls <= MAX_COUNTED;
    return {
      from: (isComplete || total.first_id === null ? from : timeOf(total.first_id)).toISOString(),
      to: to.toISOString(),
      is_complete: isComplete,
      total: toFigures(total),
      groups: groups.map((row) => toGroup(query.by, row)),
      group_count: groups[0]?.number ?? 0,
      part_seconds: query.by === 'time' ? partSeconds : null,
    };
  }
}

/** In seconds: a minute, five, a quarter of an hour, an hour, six hours, a day. */
const PARTS = [60, 300, 900, 3_600, 21_600, 86_400];
const MAX_PARTS = 60;

/** @returns how long parts of a period are, in seconds: as short as possible, and not too many */
function partOf(ms: number): number {
  const seconds = ms / 1_000;
  return PARTS.find((part) => seconds / part <= MAX_PARTS - 1) ?? 86_400;
}
