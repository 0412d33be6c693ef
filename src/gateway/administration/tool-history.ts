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
import { digestedText, shownDigest, shownText } from '../protocol/definition-digest';
import { NOTE_UPSTREAMS } from '../compile/endpoint-upstreams';
import { EntrySources } from '../compile/entry-sources';
import type { JsonObject } from '../protocol/json-rpc';
import { Upstreams } from '../upstreams/upstreams.service';
import {
  APPROVE,
  COMPARE,
  KEEP_DEFINITIONS,
  LISTED,
  LISTED_BODIES,
  LISTED_THESE,
  NOTE_USE_OF_DEFINITIONS,
  RAISE_STAMP,
  RESTORE_APPROVALS,
  RESTORE_OVERRIDES,
  WITHDRAW_OLDEST,
} from './tool-history.sql';
import { ToolInventory } from './tool-inventory';
import { NOTE_REMOVED_ENTRIES } from '../rules/tool-inventory.sql';
import type { ToolKind } from '../rules/tool-kinds';

/** How many tools a comparison shows. */
const MAX_COMPARED = 500;

/** How many definitions are approved at once at most; an endpoint offers 5,000 tools. What exceeds it has to be approved by hand. */
const MAX_APPROVED = 10_000;
/** Definitions, of up to 256 KiB each, that are in memory at once. */
const BODIES_AT_ONCE = 50;

/** A definition that a server of an entry lists now. */
export interface ListedDefinition {
  readonly entry_id: string;
  readonly kind: ToolKind;
  readonly name: string;
  readonly digest: Buffer;
}

/** A definition as someone has seen it. */
export interface ReviewedDefinition extends ListedDefinition {
  /** What clients show besides; null: they did not look. */
  readonly shownDigest: Buffer | null;
}

/** A tool by what it is. */
export type ToolPlace = Pick<ListedDefinition, 'entry_id' | 'kind' | 'name'>;

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
    await audited(manager, caller, bundle, 'tool.changed', {
      ...{ restored_version: number, approval_count: approvals.changed, override_count: overrides.changed },
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
    const entries = [
      ...(await this.versions.entries(manager, caller, bundle, from)),
      ...(await this.versions.entries(manager, caller, bundle, to)),
    ];
    const known = [...new Set(entries.filter(({ key }) => key !== null).map(({ id }) => id))];
    const rows = await many<ComparedRow>(manager, COMPARE, [bundle.id, from, to, known, MAX_COMPARED]);
    const [first] = rows;
    if (!first) return null;
    const shown = (said: JsonObject | null) => (bundle.may_modify ? said : withoutValues(said));
    const tools = rows.map(({ entry_id, kind, name, before, after }) => {
      return { entry_id, kind, upstream_name: name, before: shown(before), after: shown(after) };
    });
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
    const kept = new Set(after.map(({ id }) => id));
    const removed = before.flatMap(({ id }) => (kept.has(id) ? [] : [id]));
    if (removed.length > 0) await execute(manager, NOTE_REMOVED_ENTRIES, [bundle.id, removed]);
    const former = new Map(before.map(({ id, pinning }) => [id, pinning]));
    const pinned = after.filter(({ id, pinning }) => pinning === 'APPROVE' && former.get(id) !== 'APPROVE');
    if (pinned.length === 0) return;
    const ids = pinned.map(({ id }) => id);
    await this.noteServers(manager, caller, bundle, ids);
    // What is approved now was there: whatever differs from it later is news.
    await this.inventory.noticeWithin(manager, bundle.id);
    const listed = await many<ListedDefinition>(manager, LISTED, [bundle.id, ids, MAX_APPROVED]);
    const approved = await this.approve(manager, caller, bundle.id, bundle.version, listed);
    if (approved.length === 0) return;
    await audited(manager, caller, bundle, 'tool.approved', { tool_count: approved.length, entry_ids: ids });
  };

  /** @returns the places of those that servers list now, from 0 */
  async listed(
    manager: EntityManager,
    bundleId: string,
    wanted: readonly ReviewedDefinition[],
  ): Promise<ReadonlySet<number>> {
    const values = [...valuesOf(bundleId, wanted), wanted.map(({ shownDigest }) => shownDigest)];
    const rows = await many<{ place: number }>(manager, LISTED_THESE, values);
    return new Set(rows.map(({ place }) => place - 1));
  }

  /**
   * Approves definitions.
   *
   * @param manager of a transaction that has locked the bundle
   * @param version of the bundle from which on that holds
   * @returns those that were not approved before
   */
  async approve(
    manager: EntityManager,
    { userId }: Caller,
    bundleId: string,
    version: number,
    listed: readonly ListedDefinition[],
  ): Promise<ToolPlace[]> {
    if (listed.length === 0) return [];
    const [, ...values] = valuesOf(bundleId, listed);
    const approved = await many<ToolPlace>(manager, APPROVE, [bundleId, version, userId, ...values]);
    if (approved.length === 0) return [];
    for (let done = 0; done < listed.length; done += BODIES_AT_ONCE)
      await keepDefinitions(manager, bundleId, listed.slice(done, done + BODIES_AT_ONCE));
    await execute(manager, WITHDRAW_OLDEST, [bundleId, version]);
    // What clients showed of a definition may have been approved before, and not be any more.
    await execute(manager, NOTE_USE_OF_DEFINITIONS, [bundleId]);
    await execute(manager, RAISE_STAMP, [bundleId]);
    return approved;
  }

  /** An entry may never have been used, or lead elsewhere since this change. */
  private async noteServers(
    manager: EntityManager,
    { userId: personId }: Caller,
    { id: bundleId }: BundleRow,
    entryIds: readonly string[],
  ): Promise<void> {
    const { sources } = await this.sources.read({ bundleId, boundVersion: null, personId }, manager);
    const wanted = sources.flatMap(({ id, upstream }) => (upstream && entryIds.includes(id) ? [{ id, upstream }] : []));
    const found = await this.upstreams.find(
      manager,
      wanted.map(({ upstream }) => upstream),
    );
    const noted = wanted.flatMap(({ id }, index) => (found[index] === undefined ? [] : [[id, found[index]] as const]));
    if (noted.length === 0) return;
    await execute(manager, NOTE_UPSTREAMS, [bundleId, noted.map(([id]) => id), noted.map(([, upstream]) => upstream)]);
  }
}

/** Exactly what their digests are of. */
async function keepDefinitions(
  manager: EntityManager,
  bundleId: string,
  listed: readonly ListedDefinition[],
): Promise<void> {
  const values = valuesOf(bundleId, listed);
  const rows = await many<{ digest: Buffer; body: string }>(manager, LISTED_BODIES, values);
  const definitions = rows.map(({ body }) => JSON.parse(body) as JsonObject);
  const digests = [...rows.map(({ digest }) => digest), ...definitions.map(shownDigest)];
  const texts = [...definitions.map(digestedText), ...definitions.map(shownText)];
  await execute(manager, KEEP_DEFINITIONS, [bundleId, digests, texts]);
}

function valuesOf(bundleId: string, listed: readonly ListedDefinition[]): unknown[] {
  return [
    bundleId,
    listed.map(({ entry_id }) => entry_id),
    listed.map(({ kind }) => kind),
    listed.map(({ name }) => name),
    listed.map(({ digest }) => digest),
  ];
}

/** What an editor changes of tools with something else. Bundles of a person have no audit log. */
async function audited(
  manager: EntityManager,
  { userId }: Caller,
  { id, org_id: orgId }: BundleRow,
  action: 'tool.changed' | 'tool.approved',
  details: JsonObject,
): Promise<void> {
  if (orgId === null) return;
  const cause = causeOfMember({ userId, requestId: currentRequestId() ?? null });
  const subject = { subjectType: 'bundle', subjectId: id } as const;
  await audit(manager, { ...{ orgId, cause, action }, ...subject, before: null, after: null, reason: null, details });
}

function withoutValues(said: JsonObject | null): JsonObject | null {
  if (said === null) return null;
  const { fixed_arguments: _, ...rest } = said;
  return rest;
}
