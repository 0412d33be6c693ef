import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../config/clock';
import { newId } from '../../../database/id';
import { inTransaction } from '../../../database/transaction';
import { record } from '../../../events/outbox';
import { ErrorCode, LastOwnerError, NotFoundError } from '../../../http/errors';
import { PageQuery, Pages } from '../../../http/page';
import type { ActingMember } from '../../memberships.service';
import { lockOrganisation } from '../../organisation-lock';
import type { ScimSettings } from './role-resolution';
import { ChangeRow, RunRow, SyncRun, toChange, toRun } from './sync-run.dto';
import { PLAN, SYNC } from './sync.sql';

const CHANGES = 'scim sync changes';

const DEFAULTS: ScimSettings = { defaultRole: 'MEMBER', allowOwnerMapping: false, lastOwnerPolicy: 'retain' };

type Counts = Pick<RunRow, 'scanned' | 'joined' | 'promoted' | 'demoted' | 'removed' | 'retained' | 'unchanged'>;

/** Recomputes roles and memberships from the directory and the mapping table (contract, section 7). */
@Injectable()
export class SyncService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /**
   * Brings every SCIM-provisioned member to the role that directory and mapping table give, in one transaction under
   * the organisation's lock. A second run changes nothing.
   *
   * @returns the run's id
   * @throws LastOwnerError under the policy `refuse`, when the organisation would be left without an active OWNER
   */
  async run(member: ActingMember): Promise<string> {
    const runId = newId();
    const startedAt = this.clock.now();
    await inTransaction(this.dataSource, async (manager) => {
      await lockOrganisation(manager, member.orgId);
      const settings = await this.settings(manager, member.orgId);
      await manager.query(PLAN);
      const [row] = await manager.query<(Counts & { keeps_last_owner: boolean })[]>(SYNC, [
        member.orgId,
        settings.defaultRole,
        settings.allowOwnerMapping,
        runId,
        member.userId,
        startedAt,
      ]);
      if (!row) throw new Error('A run always has a row.');
      const { keeps_last_owner, ...counts } = row;
      if (keeps_last_owner && settings.lastOwnerPolicy === 'refuse') throw new LastOwnerError();
      await record(manager, {
        type: 'scim.sync_completed',
        orgId: member.orgId,
        data: { org_id: member.orgId, run_id: runId, ...counts },
      });
    });
    return runId;
  }

  /**
   * A run with its counts and one page of its changes, in the order of the user ids.
   *
   * @throws NotFoundError
   */
  async get(member: ActingMember, runId: string, query: PageQuery): Promise<SyncRun> {
    const [run] = await this.dataSource.query<RunRow[]>(`SELECT * FROM scim_sync_runs WHERE org_id = $1 AND id = $2`, [
      member.orgId,
      runId,
    ]);
    if (!run) throw new NotFoundError(ErrorCode.SyncRunNotFound, runId);
    const request = this.pages.open(CHANGES, query, { run: run.id });
    const rows = await this.dataSource.query<ChangeRow[]>(
      `SELECT user_id AS id, change, role_before, role_after, reason, mapping_id, group_id FROM scim_sync_changes
       WHERE run_id = $1 AND ($2::uuid IS NULL OR user_id > $2) ORDER BY user_id LIMIT $3`,
      [run.id, request.after ?? null, request.take],
    );
    return { ...toRun(run), changes: this.pages.close(CHANGES, request, rows, toChange) };
  }

  private async settings(manager: EntityManager, orgId: string): Promise<ScimSettings> {
    const [row] = await manager.query<ScimSettings[]>(
      `SELECT default_role AS "defaultRole", allow_owner_mapping AS "allowOwnerMapping",
              last_owner_policy AS "lastOwnerPolicy"
       FROM scim_settings WHERE org_id = $1`,
      [orgId],
    );
    return row ?? DEFAULTS;
  }
}
