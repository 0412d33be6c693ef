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

/** An entry whose tools may have changed. */
interface DueEntryRow {
  bundle_id: string;
  entry_id: string;
  upstream_id: string;
  /** Whether tools of it are known, so that what differs from them is a change. */
  has_tools: boolean;
  pinning: Pinning;
  name: string;
  org_id: string | null;
  owner_id: string;
}

interface ChangedToolRow {
  id: string;
  kind: ToolKind;
  name: string;
  news: ToolChange;
}

type ToolChange = keyof typeof EVENT_TYPES;

const EVENT_TYPES = {
  added: 'tool.added',
  changed: 'tool.definition_changed',
  removed: 'tool.removed',
} as const;
const TOOL_CHANGES = Object.keys(EVENT_TYPES) as ToolChange[];

/**
 * Notices which tools the servers of bundles list, so that each has an id, and owners are notified of what has changed: each
 * change once, by who comes first, in the transaction that notes it. What is there the first time is no change.
 */
@Injectable()
export class ToolInventory {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns how many entries were looked at; fewer than `MAX_NOTICED`: there are no more */
  notice(): Promise<number> {
    return inTransaction(this.dataSource, async (manager) => {
      const due = await many<DueEntryRow>(manager, CLAIM_TOOLS, [MAX_NOTICED]);
      return noticeEntries(manager, due);
    });
  }

  /** Looks at all entries of one bundle that are due; waits for a worker that looks at them. */
  async noticeOf(bundleId: string): Promise<void> {
    let count: number;
    do {
      count = await inTransaction(this.dataSource, async (manager) => {
        await execute(manager, HOLD_BUNDLE, [bundleId]);
        return noticeEntriesOf(manager, bundleId);
      });
    } while (count === MAX_NOTICED);
  }

  /** The same in a transaction that has locked the bundle. */
  async noticeWithin(manager: EntityManager, bundleId: string): Promise<void> {
    while ((await noticeEntriesOf(manager, bundleId)) === MAX_NOTICED);
  }
}

async function noticeEntriesOf(manager: EntityManager, bundleId: string): Promise<number> {
  const due = await many<DueEntryRow>(manager, CLAIM_TOOLS_OF, [MAX_NOTICED, bundleId]);
  return noticeEntries(manager, due);
}

async function noticeEntries(manager: EntityManager, due: readonly DueEntryRow[]): Promise<number> {
  for (const entry of due) {
    const changed = await many<ChangedToolRow>(manager, NOTICE, [entry.bundle_id, entry.entry_id, entry.upstream_id]);
    if (changed.some(({ news }) => news === 'removed'))
      await execute(manager, FORGET_GONE, [entry.bundle_id, entry.entry_id]);
    if (entry.has_tools && entry.pinning !== 'OFF') await recordAll(manager, eventsOf(entry, changed));
  }
  return due.length;
}

/** One event for each kind of tool and of change, however many tools it is about. */
function eventsOf(entry: DueEntryRow, changed: readonly ChangedToolRow[]): AnyDomainEvent[] {
  const events: AnyDomainEvent[] = [];
  for (const kind of TOOL_KINDS)
    for (const change of TOOL_CHANGES) {
      const tools = changed.filter((tool) => tool.kind === kind && tool.news === change);
      if (tools.length > 0) events.push(eventOf(entry, kind, change, tools));
    }
  return events;
}

function eventOf(
  entry: DueEntryRow,
  kind: ToolKind,
  change: ToolChange,
  tools: readonly ChangedToolRow[],
): AnyDomainEvent {
  const named = tools.slice(0, MAX_NAMED_IN_EVENT);
  const { bundle_id, entry_id, name, pinning, org_id } = entry;
  const data = {
    ...{ bundle_id, name, entry_id, kind },
    tool_ids: named.map(({ id }) => id),
    tool_names: named.map((tool) => tool.name),
    tool_count: tools.length,
    ...{ pinning, org_id },
  };
  return { type: EVENT_TYPES[change], ...ownerOf(entry), data };
}
