import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment';
import { allowLongDatabaseWork } from '../../../database/deadline';
import { execute, many, one } from '../../../database/statements';
import { inTransaction } from '../../../database/transaction';
import { ValidationError } from '../../../errors/errors';
import { type OpenPage, PageQuery, Pages } from '../../../http/requests/page';
import type { ActingMember } from '../../../organisations/members/memberships.service';
import { requireRate } from './call-rate';
import { needsConfirmation } from './confirmation';
import { LongOperations, takeTurn } from './long-operations';
import { PLAN_AGAIN, PLAN_FOR_EVERYBODY } from '../resolution/outcome.sql';
import { storedSettings } from '../settings/stored-settings';
import { SyncPreviewResult, SyncProposal } from './sync-preview.dto';
import { MAPPING_TABLE, PREVIEW, REFERRED_GROUPS } from './sync-preview.sql';
import { type ReferredGroup, type TableMapping, withMappings, withSettings } from './sync-proposal';
import { namedChanges } from './named-changes';
import { ChangeRow, SyncCountsOut, toChange, toCounts } from './sync-run.dto';

/** A cursor of one organisation is not valid in another. */
const listOf = (orgId: string) => `scim sync preview of ${orgId}`;

/** A digest of the proposal. */
type ProposalFilter = Record<'proposal', string | undefined>;

interface PreviewRow extends SyncCountsOut {
  retains_anew: boolean;
  members: number;
  changes: ChangeRow[];
}

/** What a sync would do, currently or after proposed changes. */
@Injectable()
export class SyncPreview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly longOperations: LongOperations,
  ) {}

  /**
   * The report of a sync without performing it. Nothing is written and no lock is taken; each page of the changes is
   * one snapshot, but not the same one. An organisation runs one at a time, in all processes together.
   *
   * @param proposal treated as if it had been carried out
   * @throws NotFoundError, ConflictError, ValidationError like the proposed operations; ValidationError for a cursor
   *   that belongs to another proposal; RateLimitedError while another one runs and beyond LIMIT_PREVIEWS_PER_MINUTE,
   *   since each page computes what a sync computes
   */
  async preview({ orgId }: ActingMember, proposal: SyncProposal, query: PageQuery): Promise<SyncPreviewResult> {
    const request = this.open(orgId, proposal, query);
    return this.longOperations.alone('preview', orgId, async () => {
      await requireRate(this.dataSource.manager, {
        orgId,
        operation: 'scim_sync_preview',
        perMinute: this.environment.limits.previewsPerMinute,
        noun: 'previews of a sync',
      });
      return this.longOperations.inLine(() => this.compute(orgId, proposal, request));
    });
  }

  private async compute(
    orgId: string,
    proposal: SyncProposal,
    page: OpenPage<ProposalFilter>,
  ): Promise<SyncPreviewResult> {
    allowLongDatabaseWork();
    const { settings, proposedIds, row, named } = await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
      await takeTurn(manager, 'preview', orgId);
      const settings = withSettings(await storedSettings(manager, orgId), proposal.settings);
      const stored = await many<TableMapping>(manager, MAPPING_TABLE, [orgId]);
      const groups = await groupsOf(manager, orgId, proposal);
      const most = this.environment.limits.roleMappingsPerOrganisation;
      const { table, proposedIds } = withMappings(stored, proposal.role_mappings, { settings, groups, most });
      await execute(manager, PLAN_FOR_EVERYBODY);
      const row = await one<PreviewRow>(manager, PREVIEW, [
        orgId,
        settings.defaultRole,
        settings.allowOwnerMapping,
        JSON.stringify(table.filter(({ group_id }) => group_id !== null)),
        page.after,
        page.take,
      ]);
      await execute(manager, PLAN_AGAIN);
      return { settings, proposedIds, row, named: await namedChanges(manager, orgId, row.changes) };
    });
    const { members, retains_anew, changes: _, ...counts } = row;
    const shownChanges = named.map((change) =>
      change.mapping_id !== null && proposedIds.has(change.mapping_id) ? { ...change, mapping_id: null } : change,
    );
    return {
      ...toCounts(counts),
      members,
      would_be_refused: retains_anew && settings.lastOwnerPolicy === 'refuse',
      needs_confirmation: needsConfirmation({ ...counts, membersBefore: members }),
      changes: page.close(shownChanges, toChange),
    };
  }

  /** The cursor carries a digest of the proposal, which has to be sent again. */
  private open(orgId: string, proposal: SyncProposal, query: PageQuery): OpenPage<ProposalFilter> {
    const digest = createHash('sha256').update(canonical(proposal)).digest('base64url');
    const isFirst = query.cursor === undefined;
    const page = this.pages.open(listOf(orgId), query, { proposal: isFirst ? digest : undefined });
    if (page.filter.proposal === digest) return page;
    throw new ValidationError([
      {
        loc: ['body'],
        msg: 'Differs from the body of the previous page. Send the same body, or start again without a cursor.',
        type: 'value_error',
      },
    ]);
  }
}

async function groupsOf(
  manager: EntityManager,
  orgId: string,
  { role_mappings }: SyncProposal,
): Promise<ReferredGroup[]> {
  const created = role_mappings?.create ?? [];
  if (created.length === 0) return [];
  return many<ReferredGroup>(manager, REFERRED_GROUPS, [
    orgId,
    created.flatMap(({ group_id }) => group_id ?? []),
    created.flatMap(({ group_name }) => group_name ?? []),
  ]);
}

/** The same text for the same proposal, in whatever order its fields come. */
function canonical({ settings, role_mappings }: SyncProposal): string {
  return JSON.stringify([
    // Null means no access; an omitted setting keeps its value.
    settings?.default_role === undefined ? 'unchanged' : settings.default_role,
    settings?.allow_owner_mapping,
    settings?.last_owner_policy,
    role_mappings?.delete,
    role_mappings?.update?.map(({ id, role }) => [id, role]),
    role_mappings?.create?.map(({ group_id, group_name, role }) => [group_id, group_name, role]),
  ]);
}
