import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { BundleRow } from '../../bundles/bundle.dto';
import { ownerOf } from '../../bundles/bundle-owner';
import { bundleUpdated } from '../../bundles/bundle-updated';
import { NO_CHANGES } from '../../bundles/entries/entry-changes';
import { commitVersion } from '../../bundles/versions/version-store';
import { Environment } from '../../config/environment';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, ValidationError } from '../../errors/errors';
import { type AnyDomainEvent, record, recordAll } from '../../events/outbox';
import { audit, type Cause } from '../../organisations/audit/audit-trail';
import type {
  BundleToolApproval,
  BundleToolApprove,
  BundleToolDetailOut,
  BundleToolRow,
  BundleToolsApprove,
  BundleToolsApprovedOut,
  BundleToolUpdate,
} from './bundle-tool.dto';
import { toOverride } from '../rules/tool-rules-reader';
import { BundleTools, type ToolView } from './bundle-tools.service';
import { overrideFaults, requestedOverride } from './requested-override';
import { approveDefinitions, indexesOfListed, type ReviewedDefinition } from './tool-approvals';
import { TOOL_ERRORS } from './tool.errors';
import { MAX_NAMED_IN_EVENT } from './tool.events';
import { BEGIN_OVERRIDE, END_OVERRIDE, RAISE_STAMP } from './tool-history.sql';
import { TOOL_KINDS } from '../rules/tool-kinds';
import { NO_OVERRIDE, type ToolOverride } from '../rules/tool-override';

/** A message names so many tools. */
const MAX_IN_MESSAGE = 5;

/** What editors say of the tools of bundles. Each change is a version of the bundle, and counts everywhere from the next request on. */
@Injectable()
export class ToolEdits {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly tools: BundleTools,
    private readonly environment: Environment,
  ) {}

  /**
   * Changes what the bundle shows of a tool. If nothing differs, nothing is written.
   *
   * @throws NotFoundError; ForbiddenError; ValidationError; ConflictError if another tool has the name, or the bundle has as many
   *   versions as allowed
   */
  async update(
    caller: Caller,
    cause: Cause,
    bundleId: string,
    id: string,
    input: BundleToolUpdate,
  ): Promise<BundleToolDetailOut> {
    const view = await this.open(caller, bundleId);
    const known = await this.tools.find(this.dataSource, view, id);
    const definition = input.fixed_arguments == null ? undefined : await this.tools.base(view.bundle.id, known);
    const faults = overrideFaults(known.kind, input, definition, view.settings.name_budget);
    if (faults.length > 0) throw new ValidationError(faults);
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const row = await this.tools.find(manager, view, id);
      const before = toOverride(row);
      const after = requestedOverride(before, input);
      if (isDeepStrictEqual(before, after)) return;
      if (after.exposedName !== null && after.exposedName !== before.exposedName)
        await this.requireFree(manager, view, row, after.exposedName);
      const isStricter = isDeepStrictEqual(after, { ...before, isEnabled: false });
      const version = await this.commit(manager, caller, bundle, isStricter);
      await writeOverride(manager, caller, bundle.id, version, row, after);
      await execute(manager, RAISE_STAMP, [bundle.id]);
      if (bundle.org_id !== null)
        await audit(manager, {
          ...{ orgId: bundle.org_id, cause, action: 'tool.changed', subjectType: 'bundle', subjectId: bundle.id },
          before: auditedOverride(before),
          after: auditedOverride(after),
          reason: null,
          details: { tool_id: row.id, entry_id: row.entry_id, kind: row.kind, upstream_name: row.name },
        });
    });
    return this.tools.detail(
      { ...view, bundle: await this.finder.findForEditor(this.dataSource.manager, caller, bundleId) },
      id,
    );
  }

  /**
   * Approves the definition of a tool that was looked at.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError if its server lists another one now
   */
  async approve(
    caller: Caller,
    cause: Cause,
    bundleId: string,
    id: string,
    looked: BundleToolApprove,
  ): Promise<BundleToolDetailOut> {
    const view = await this.open(caller, bundleId);
    await this.approveAll(caller, cause, view, [{ id, ...looked }]);
    return this.tools.detail(view, id);
  }

  /**
   * The same for several: all of them, or none.
   *
   * @throws the same
   */
  async approveSeveral(
    caller: Caller,
    cause: Cause,
    bundleId: string,
    { tools }: BundleToolsApprove,
  ): Promise<BundleToolsApprovedOut> {
    const view = await this.open(caller, bundleId);
    return this.approveAll(caller, cause, view, tools);
  }

  private async open(caller: Caller, bundleId: string): Promise<ToolView> {
    return this.tools.view(caller, await this.finder.findForEditor(this.dataSource.manager, caller, bundleId));
  }

  private async approveAll(
    caller: Caller,
    cause: Cause,
    view: ToolView,
    wanted: readonly BundleToolApproval[],
  ): Promise<BundleToolsApprovedOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, view.bundle.id);
      const rows = await this.tools.findAll(
        manager,
        view,
        wanted.map(({ id }) => id),
      );
      const listed = await this.listedAs(manager, bundle.id, rows, wanted);
      const version = bundle.version + 1;
      const approved = await approveDefinitions(manager, caller, bundle.id, version, listed);
      if (approved.length === 0) return { version: bundle.version, approved_count: 0 };
      await this.commit(manager, caller, bundle, false);
      const places = new Set(approved.map(({ entry_id, kind, name }) => `${entry_id} ${kind} ${name}`));
      const changed = rows.filter(({ entry_id, kind, name }) => places.has(`${entry_id} ${kind} ${name}`));
      await recordAll(manager, approvedEvents(bundle, caller, changed));
      if (bundle.org_id !== null)
        await audit(manager, {
          ...{ orgId: bundle.org_id, cause, action: 'tool.approved', subjectType: 'bundle', subjectId: bundle.id },
          before: null,
          after: { tools: changed.slice(0, MAX_NAMED_IN_EVENT).map(({ id, name }) => ({ id, upstream_name: name })) },
          reason: null,
          details: { tool_count: changed.length, version },
        });
      return { version, approved_count: approved.length };
    });
  }

  /** @returns what their servers list. @throws ConflictError where that is not what was looked at */
  private async listedAs(
    manager: EntityManager,
    bundleId: string,
    rows: readonly BundleToolRow[],
    wanted: readonly BundleToolApproval[],
  ): Promise<ReviewedDefinition[]> {
    const looked = rows.map(({ entry_id, kind, name }, index) => {
      const { digest = '', shown_digest: shown } = wanted[index] ?? {};
      const shownDigest = shown == null ? null : Buffer.from(shown, 'hex');
      return { entry_id, kind, name, digest: Buffer.from(digest, 'hex'), shownDigest };
    });
    const listed = await indexesOfListed(manager, bundleId, looked);
    const others = looked.filter((_, index) => !listed.has(index)).map(({ name }) => name);
    if (others.length > 0) {
      const named = others.slice(0, MAX_IN_MESSAGE).join(', ');
      const more = others.length > MAX_IN_MESSAGE ? ` and ${others.length - MAX_IN_MESSAGE} more` : '';
      throw new ConflictError(
        TOOL_ERRORS.BundleToolConflict,
        `The server does not list that definition of ${named}${more} now. Read it again.`,
      );
    }
    return looked;
  }

  /** @throws ConflictError if another tool has the name, or could get it */
  private async requireFree(manager: EntityManager, view: ToolView, row: BundleToolRow, name: string): Promise<void> {
    const other = (await this.tools.otherNames(manager, view, row)).get(name);
    if (other) {
      const key = view.entries.find(({ id }) => id === other.entry_id)?.key;
      throw taken(`${other.name} of the entry ${key} has the name ${name}.`);
    }
    const owner = view.entries.find(({ id, alias }) => id !== row.entry_id && name.startsWith(`${alias}__`));
    if (owner) throw taken(`Names that begin with ${owner.alias}__ are those of the entry ${owner.key}.`);
  }

  private async commit(
    manager: EntityManager,
    caller: Caller,
    bundle: BundleRow,
    isStricter: boolean,
  ): Promise<number> {
    const cause = { action: 'RULES_CHANGED', madeBy: caller.userId, isStricter } as const;
    const { versionsPerBundle } = this.environment.limits;
    const version = await commitVersion(manager, bundle, NO_CHANGES, cause, versionsPerBundle);
    await record(manager, bundleUpdated({ ...bundle, version }, ['rules']));
    return version;
  }
}

async function writeOverride(
  manager: EntityManager,
  { userId }: Caller,
  bundleId: string,
  version: number,
  { entry_id, kind, name }: BundleToolRow,
  override: ToolOverride,
): Promise<void> {
  await execute(manager, END_OVERRIDE, [bundleId, entry_id, kind, name, version]);
  if (isDeepStrictEqual(override, NO_OVERRIDE)) return;
  const { isEnabled, exposedName, title, description, annotations, fixedArguments } = override;
  await execute(manager, BEGIN_OVERRIDE, [
    ...[bundleId, entry_id, kind, name, version, userId, isEnabled, exposedName, title, description],
    annotations && JSON.stringify(annotations),
    fixedArguments && JSON.stringify(fixedArguments),
  ]);
}

/** One for each entry and kind. */
function approvedEvents(bundle: BundleRow, { userId }: Caller, rows: readonly BundleToolRow[]): AnyDomainEvent[] {
  const entryIds = [...new Set(rows.map(({ entry_id }) => entry_id))];
  return entryIds.flatMap((entry_id) =>
    TOOL_KINDS.flatMap((kind): AnyDomainEvent[] => {
      const tools = rows.filter((row) => row.entry_id === entry_id && row.kind === kind);
      if (tools.length === 0) return [];
      const named = tools.slice(0, MAX_NAMED_IN_EVENT);
      return [
        {
          type: 'tool.approved',
          ...ownerOf(bundle),
          data: {
            ...{ bundle_id: bundle.id, name: bundle.name, entry_id, kind },
            tool_ids: named.map(({ id }) => id),
            tool_names: named.map(({ name }) => name),
            tool_count: tools.length,
            approved_by: userId,
            org_id: bundle.org_id,
          },
        },
      ];
    }),
  );
}

/** Without the values of arguments: an administrator need not be an editor of the bundle. */
function auditedOverride({ isEnabled, exposedName, fixedArguments, ...rest }: ToolOverride): object {
  return {
    is_enabled: isEnabled,
    name: exposedName,
    ...rest,
    fixed_arguments: fixedArguments && Object.keys(fixedArguments),
  };
}

function taken(detail: string): ConflictError {
  return new ConflictError(TOOL_ERRORS.BundleToolConflict, detail);
}
