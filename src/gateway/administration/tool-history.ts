import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../../bundles/bundle.dto';
import type { EntryList } from '../../bundles/entries/entry-list';
import { BundleVersionReader } from '../../bundles/versions/bundle-version-reader';
import type { PartComparison, RestoredEntries, VersionPart } from '../../bundles/versions/version-parts';
import { currentRequestId } from '../../database/deadline';
import { execute, many, one } from '../../database/statements';
import { audit } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { NOTE_UPSTREAMS } from '../compile/endpoint-upstreams';
import { EntrySources } from '../compile/entry-sources';
import type { JsonObject } from '../protocol/json-rpc';
import { NOTE_REMOVED_ENTRIES } from '../rules/tool-inventory.sql';
import { Upstreams } from '../upstreams/upstreams.service';
import { approveDefinitions, type ListedDefinition, type ToolPlace } from './tool-approvals';
import {
  COMPARE,
  LISTED,
  NOTE_USE_OF_DEFINITIONS,
  RAISE_STAMP,
  RESTORE_APPROVALS,
  RESTORE_OVERRIDES,
} from './tool-history.sql';
import { ToolInventory } from './tool-inventory';

/** How many tools a comparison shows. */
const MAX_COMPARED = 500;
/** How many definitions are approved at once at most; an endpoint offers 5,000 tools. What exceeds it has to be approved by hand. */
const MAX_APPROVED = 10_000;

interface ComparedRow extends ToolPlace {
  before: JsonObject | null;
  after: JsonObject | null;
  total: number;
}

/** What bundles have said of their tools, version by version: approvals and overrides. */
@Injectable()
export class ToolHistory implements VersionPart {
  readonly name = 'tools';

  constructor(
    private readonly sources: EntrySources,
    private readonly upstreams: Upstreams,
    private readonly versions: BundleVersionReader,
    private readonly inventory: ToolInventory,
  ) {}

  /** What a version said becomes what the next one says. The servers need not list what was approved then. */
  readonly restore = async (
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    { number, ids }: RestoredEntries,
  ): Promise<boolean> => {
    const values = [bundle.id, number, bundle.version + 1, [...ids.keys()], [...ids.values()]];
    const approvals = await one<{ changed: number }>(manager, RESTORE_APPROVALS, values);
    const overrides = await one<{ changed: number }>(manager, RESTORE_OVERRIDES, values);
    if (approvals.changed > 0) await execute(manager, NOTE_USE_OF_DEFINITIONS, [bundle.id]);
    if (approvals.changed + overrides.changed === 0) return false;
    await execute(manager, RAISE_STAMP, [bundle.id]);
    await auditChange(manager, caller, bundle, 'tool.changed', {
      restored_version: number,
      approval_count: approvals.changed,
      override_count: overrides.changed,
    });
    return true;
  };

  /** For insiders, of the entries whose listings they may know; fixed values for editors only. */
  readonly compare = async (
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    from: number,
    to: number,
  ): Promise<PartComparison> => {
    if (!bundle.is_insider) return null;
    const entryIds = await this.visibleEntries(manager, caller, bundle, [from, to]);
    const rows = await many<ComparedRow>(manager, COMPARE, [bundle.id, from, to, entryIds, MAX_COMPARED]);
    const [first] = rows;
    if (!first) return null;
    const tools = rows.map(({ entry_id, kind, name, before, after }) => ({
      ...{ entry_id, kind, upstream_name: name },
      before: bundle.may_modify ? before : withoutValues(before),
      after: bundle.may_modify ? after : withoutValues(after),
    }));
    return { tool_count: first.total, tools };
  };

  /**
   * The tools of removed entries are gone. Setting APPROVE approves what the servers of the entries list at that moment, as
   * far as that is known.
   */
  readonly entriesSaved = async (
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    before: EntryList,
    after: EntryList,
  ): Promise<void> => {
    const removed = removedEntries(before, after);
    if (removed.length > 0) await execute(manager, NOTE_REMOVED_ENTRIES, [bundle.id, removed]);
    const pinned = newlyPinnedEntries(before, after);
    if (pinned.length > 0) await this.approveListed(manager, caller, bundle, pinned);
  };

  /** @returns the ids of entries whose listings the caller may know */
  private async visibleEntries(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    versions: readonly number[],
  ): Promise<string[]> {
    const ids = new Set<string>();
    for (const version of versions)
      for (const { id, key } of await this.versions.entries(manager, caller, bundle, version))
        if (key !== null) ids.add(id);
    return [...ids];
  }

  private async approveListed(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    entryIds: readonly string[],
  ): Promise<void> {
    await this.noteServers(manager, caller, bundle, entryIds);
    // What is approved now was there: whatever differs from it later is news.
    await this.inventory.noticeWithin(manager, bundle.id);
    const listed = await many<ListedDefinition>(manager, LISTED, [bundle.id, entryIds, MAX_APPROVED]);
    const approved = await approveDefinitions(manager, caller, bundle.id, bundle.version, listed);
    if (approved.length === 0) return;
    const details = { tool_count: approved.length, entry_ids: entryIds };
    await auditChange(manager, caller, bundle, 'tool.approved', details);
  }

  /** Notes which servers the entries lead to: an entry may never have been used, or lead elsewhere since this change. */
  private async noteServers(
    manager: EntityManager,
    { userId: personId }: Caller,
    { id: bundleId }: BundleRow,
    entryIds: readonly string[],
  ): Promise<void> {
    const { sources } = await this.sources.read({ bundleId, boundVersion: null, personId }, manager);
    const wanted = sources.flatMap(({ id, upstream }) => (upstream && entryIds.includes(id) ? [{ id, upstream }] : []));
    const upstreamIds = await this.upstreams.find(
      manager,
      wanted.map(({ upstream }) => upstream),
    );
    const known = wanted.flatMap(({ id }, index) => {
      const upstreamId = upstreamIds[index];
      return upstreamId === undefined ? [] : [{ id, upstreamId }];
    });
    if (known.length === 0) return;
    const values = [bundleId, known.map(({ id }) => id), known.map(({ upstreamId }) => upstreamId)];
    await execute(manager, NOTE_UPSTREAMS, values);
  }
}

function removedEntries(before: EntryList, after: EntryList): string[] {
  const kept = new Set(after.map(({ id }) => id));
  return before.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
}

function newlyPinnedEntries(before: EntryList, after: EntryList): string[] {
  const pinnedBefore = new Set(before.filter(({ pinning }) => pinning === 'APPROVE').map(({ id }) => id));
  return after.flatMap(({ id, pinning }) => (pinning === 'APPROVE' && !pinnedBefore.has(id) ? [id] : []));
}

function withoutValues(said: JsonObject | null): JsonObject | null {
  if (said === null) return null;
  const { fixed_arguments: _, ...rest } = said;
  return rest;
}

/** What an editor changes of tools together with something else. Bundles of a person have no audit log. */
async function auditChange(
  manager: EntityManager,
  { userId }: Caller,
  { id, org_id: orgId }: BundleRow,
  action: 'tool.changed' | 'tool.approved',
  details: JsonObject,
): Promise<void> {
  if (orgId === null) return;
  const cause = causeOfMember({ userId, requestId: currentRequestId() ?? null });
  await audit(manager, {
    ...{ orgId, cause, action, details },
    ...{ subjectType: 'bundle', subjectId: id },
    ...{ before: null, after: null, reason: null },
  });
}
