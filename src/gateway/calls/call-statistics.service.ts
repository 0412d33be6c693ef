import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { Clock } from '../../config/clock';
import { allowLongDatabaseWork } from '../../database/deadline';
import { firstIdAt, timeOf } from '../../database/id';
import { many } from '../../database/statements';
import { ValidationError } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';
import { chosen, normalized } from './call-choice';
import { callStatistics, MOST_COUNTED } from './call-list.sql';
import {
  type CallFiguresRow,
  type CallStatisticsOut,
  type CallStatisticsQuery,
  MOST_GROUPS,
  toFigures,
  toGroup,
} from './call-statistics.dto';

const DAY_MS = 24 * 3_600_000;
const MOST_MS = 31 * DAY_MS;

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
    const { from, to } = spanOf(query, this.clock.now());
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    // Half a million rows of a busy database are not read within the time of a request.
    allowLongDatabaseWork();
    const { filters, values } = chosen(normalized(query));
    const rows = await many<CallFiguresRow>(this.dataSource, callStatistics(query.by, filters), [
      ...[bundle.id, firstIdAt(from), firstIdAt(to), MOST_GROUPS],
      ...values,
    ]);
    const [total, ...groups] = rows;
    if (!total) throw new Error('The total is always there.');
    const isComplete = total.calls <= MOST_COUNTED;
    return {
      from: (isComplete || total.first_id === null ? from : timeOf(total.first_id)).toISOString(),
      to: to.toISOString(),
      is_complete: isComplete,
      total: toFigures(total),
      groups: groups.map((row) => toGroup(query.by, row)),
      group_count: groups[0]?.number ?? 0,
    };
  }
}

/** @returns whole milliseconds, as in ids */
function spanOf(query: CallStatisticsQuery, now: Date): { from: Date; to: Date } {
  const wanted = (query.to === undefined ? undefined : parseInstant(query.to)) ?? now;
  const to = wanted < now ? wanted : new Date(now.getTime() + 1);
  const from = (query.from === undefined ? undefined : parseInstant(query.from)) ?? new Date(to.getTime() - DAY_MS);
  if (from >= to) throw fault('Must be in the past and earlier than to.');
  if (to.getTime() - from.getTime() > MOST_MS + 1) throw fault('Must be at most 31 days before to.');
  return { from, to };
}

function fault(msg: string): ValidationError {
  return new ValidationError([{ loc: ['query', 'from'], msg, type: 'value_error' }]);
}
