import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { Clock } from '../../config/clock';
import { idsWithin } from '../../database/keyset';
import { many } from '../../database/statements';
import { inUtc } from '../../http/requests/instant';
import { type Page, Pages } from '../../http/requests/page';
import { type CallListRow, type CallOut, type CallsQuery, toCall } from './call.dto';
import { chosen, normalized } from './call-choice';
import { listCalls } from './call-list.sql';
import { MAX_DAYS, spanOf } from './call-span';

/** A cursor is valid only for its own bundle. */
const listOf = (bundleId: string) => `calls of ${bundleId}`;

/** Reads the record of calls. */
@Injectable()
export class CallsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /**
   * Newest first. The cost of a page does not depend on the length of the record.
   *
   * @throws NotFoundError; ForbiddenError; ValidationError for a cursor of another list, or too long a time
   */
  async list(caller: Caller, bundleId: string, query: CallsQuery): Promise<Page<CallOut>> {
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    // Later pages are of the same time, which their cursor has.
    const { from: first } = query.cursor ? { from: undefined } : spanOf(query, this.clock.now(), MAX_DAYS);
    const times = { from: first?.toISOString() ?? inUtc(query.from), to: inUtc(query.to) };
    const page = this.pages.open(listOf(bundle.id), query, { ...normalized(query), ...times });
    const { from, to, ...choice } = page.filter;
    const { filters, values } = chosen(choice);
    const rows = await many<CallListRow>(this.dataSource, listCalls(filters), [
      ...[bundle.id, ...idsWithin({ from, to }, page.after), page.take],
      ...values,
    ]);
    return page.close(rows, toCall);
  }
}
