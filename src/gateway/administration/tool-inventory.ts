import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ownerOf } from '../../bundles/bundle-owner';
import type { Pinning } from '../../bundles/entries/pinning';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { type AnyDomainEvent, recordAll } from '../../events/outbox';
import { CLAIM_TOOLS, CLAIM_TOOLS_OF, FORGET_GONE, HOLD_BUNDLE, NOTICE } from '../rules/tool-inventory.sql';
import { TOOL_KINDS, type ToolKind } from '../rules/tool-kinds';
import { MAX_NAMED_IN_EVENT } from './tool.events';

/** Entries in one transaction. */
export const MAX_NOTICED = 20;

interface DueRow {
  bundle_id: string;
  entry_id: string;
  upstream_id: string;
  has_tools: boolean;
  pinning: Pinning;
  name: string;
  org_id: string | null;
  owner_id: string;
}

type News = 'added' | 'changed' | 'removed';

interface NewsRow {
  id: string;
  kind: ToolKind;
  name: string;
  news: News;
}

/**
 * Notices which tools the servers of bundles list, so that each has an id, and owners are told what has changed: each change
 * once, by who comes first, in the transaction that notes it. What is there the first time is no change.
 */
@Injectable()
export class ToolInventory {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns how many entries were looked at; fewer than `MAX_NOTICED`: there are no more */
  notice(): Promise<number> {
    return inTransaction(this.dataSource, async (manager) =>
      noticeAll(manager, await many<DueRow>(manager, CLAIM_TOOLS, [MAX_NOTICED])),
    );
  }

  /** The same in a transaction that has locked a bundle, of whatever is due there. */
  async noticeWithin(manager: EntityManager, bundleId: string): Promise<void> {
    while ((await this.noticeSome(manager, bundleId)) === MAX_NOTICED);
  }

  /** The same for one bundle, as far as its entries are due: waits for a worker that is at it. */
  async noticeOf(bundleId: string): Promise<void> {
    let count: number;
    do {
      count = await inTransaction(this.dataSource, async (manager) => {
        await execute(manager, HOLD_BUNDLE, [bundleId]);
        return this.noticeSome(manager, bundleId);
      });
    } while (count === MAX_NOTICED);
  }

  private async noticeSome(manager: EntityManager, bundleId: string): Promise<number> {
    return noticeAll(manager, await many<DueRow>(manager, CLAIM_TOOLS_OF, [MAX_NOTICED, bundleId]));
  }
}

async function noticeAll(manager: EntityManager, due: readonly DueRow[]): Promise<number> {
  for (const row of due) {
    const news = await many<NewsRow>(manager, NOTICE, [row.bundle_id, row.entry_id, row.upstream_id]);
    if (news.some((one) => one.news === 'removed')) await execute(manager, FORGET_GONE, [row.bundle_id, row.entry_id]);
    if (row.has_tools && row.pinning !== 'OFF') await recordAll(manager, eventsOf(row, news));
  }
  return due.length;
}

/** One for each kind and each sort of news, however many tools it is about. */
function eventsOf(row: DueRow, news: readonly NewsRow[]): AnyDomainEvent[] {
  return TOOL_KINDS.flatMap((kind) =>
    (['added', 'changed', 'removed'] as const).flatMap((sort): AnyDomainEvent[] => {
      const tools = news.filter((one) => one.kind === kind && one.news === sort);
      if (tools.length === 0) return [];
      const named = tools.slice(0, MAX_NAMED_IN_EVENT);
      const data = {
        bundle_id: row.bundle_id,
        name: row.name,
        entry_id: row.entry_id,
        kind,
        tool_ids: named.map(({ id }) => id),
        tool_names: named.map(({ name }) => name),
        tool_count: tools.length,
        pinning: row.pinning,
        org_id: row.org_id,
      };
      const owner = ownerOf(row);
      if (sort === 'added') return [{ type: 'tool.added', ...owner, data }];
      if (sort === 'removed') return [{ type: 'tool.removed', ...owner, data }];
      return [{ type: 'tool.definition_changed', ...owner, data }];
    }),
  );
}
