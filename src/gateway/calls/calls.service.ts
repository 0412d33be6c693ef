import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { firstIdAt, GREATEST_ID, LEAST_ID } from '../../database/id';
import { many } from '../../database/statements';
import { parseInstant } from '../../http/requests/instant';
import { type Page, Pages } from '../../http/requests/page';
import { type CallListRow, type CallOut, type CallsQuery, toCall } from './call.dto';
import { chosen, type CallChoice, normalized } from './call-choice';
import { listCalls } from './call-list.sql';

/** A cursor is valid only for its own bundle. */
const listOf = (bundleId: string) => `calls of ${bundleId}`;

/** Reads the record of calls. */
@Injectable()
export class CallsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
  ) {}

  /**
   * Newest first. The cost of a page does not depend on the length of the record.
   *
   * @throws NotFoundError; ForbiddenError; ValidationError for a cursor of another list
   */
  async list(caller: Caller, bundleId: string, query: CallsQuery): Promise<Page<CallOut>> {
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    const times = { from: inUtc(query.from), to: inUtc(query.to) };
    const request = this.pages.open(listOf(bundle.id), query, { ...normalized(query), ...times });
    const { from, to, ...choice } = request.filter;
    const { after = GREATEST_ID } = request;
    const first = from === undefined ? LEAST_ID : firstIdAt(new Date(from));
    const end = to === undefined ? GREATEST_ID : firstIdAt(new Date(to));
    const { filters, values } = chosen(choice as CallChoice);
    const rows = await many<CallListRow>(this.dataSource, listCalls(filters), [
      ...[bundle.id, first, after < end ? after : end, request.take],
      ...values,
    ]);
    return this.pages.close(listOf(bundle.id), request, rows, toCall);
  }
}

function inUtc(instant: string | undefined): string | undefined {
  return instant === undefined ? undefined : parseInstant(instant)?.toISOString();
}
