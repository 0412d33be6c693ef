import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { many } from '../../database/statements';
import { type Page, type PageQuery, Pages } from '../../http/requests/page';
import { feedId, type FeedItemOut, type FeedNames, type FeedRow, toFeedItem } from './feed.dto';
import { FEED, NAMES } from './feed.sql';

const LIST = 'feed';

type NamesRow = Pick<FeedRow, 'bundle_id' | 'number'> & { kind: keyof FeedNames; names: string[] };

/** What changed in the bundles that a person follows. */
@Injectable()
export class FeedService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** Newest first; two statements, however many bundles there are. */
  async list(caller: Caller, query: PageQuery): Promise<Page<FeedItemOut>> {
    const page = this.pages.open(LIST, query, { user: caller.userId });
    const [time, bundleId, number] = page.position<[string, string, number]>() ?? [];
    const rows = await many<FeedRow>(this.dataSource, FEED, [
      ...[caller.userId, time ?? null, bundleId ?? null, number ?? null],
      page.take,
    ]);
    const names = await this.namesOf(caller, rows.slice(0, page.take - 1));
    const map = (row: FeedRow) => toFeedItem(row, names.get(feedId(row)) ?? {});
    return page.close(rows, map, (row) => [row.created_at.toISOString(), row.bundle_id, row.number]);
  }

  private async namesOf({ userId }: Caller, rows: readonly FeedRow[]): Promise<ReadonlyMap<string, FeedNames>> {
    const asked = rows.filter(({ changes }) => Object.values(changes).some((count) => count > 0));
    const found = await many<NamesRow>(this.dataSource, NAMES, [
      ...[userId, asked.map(({ bundle_id }) => bundle_id), asked.map(({ number }) => number)],
    ]);
    const names = new Map<string, FeedNames>();
    for (const row of found) names.set(feedId(row), { ...names.get(feedId(row)), [row.kind]: row.names });
    return names;
  }
}
