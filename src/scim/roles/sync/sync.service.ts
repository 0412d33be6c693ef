import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../../config/clock';
import { Environment } from '../../../config/environment';
import { allowLongDatabaseWork } from '../../../database/deadline';
import { newId } from '../../../database/id';
import { newestFirst } from '../../../database/keyset';
import { many } from '../../../database/statements';
import { record } from '../../../events/outbox';
import { DomainError, UnavailableError, requireFound } from '../../../errors/errors';
import { inSpan } from '../../../tracing/tracing';
import { ErrorCode } from '../../scim.errors';
import { Page, PageQuery, Pages } from '../../../http/requests/page';
import { type Counter, Metrics } from '../../../metrics/metrics';
import { causeOfMember } from '../../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../../organisations/members/memberships.service';
import { inOrganisation } from '../../../organisations/organisation-lock';
import { requireRate } from './call-rate';
import { LongOperations, takeTurn } from './long-operations';
import { RoleSync } from './role-sync';
import { ScimSyncRun } from './scim-sync-run.entity';
import { namedChanges } from './named-changes';
import { ChangeRow, SyncRun, SyncRunSummaryOut, toChange, toCounts, toRun } from './sync-run.dto';

const RESULTS = { result: ['succeeded', 'refused', 'failed'] } as const;

const RUNS = 'scim sync runs';
const CHANGES = 'scim sync changes';

/** Recomputes roles and memberships from the directory and the mapping table (contract, section 7). */
@Injectable()
export class SyncService {
  private readonly runs: Counter<typeof RESULTS>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly roles: RoleSync,
    private readonly memberships: Memberships,
    private readonly environment: Environment,
    private readonly longOperations: LongOperations,
    metrics: Metrics,
  ) {
    this.runs = metrics.counter('toolyard_scim_syncs_total', 'Role syncs that were asked for.', RESULTS);
  }

  /**
   * Updates the roles of all SCIM-provisioned members according to directory and mapping table, in one transaction
   * under the organisation's lock. A second run changes nothing. An organisation runs one at a time, in all processes
   * together: a concurrent one would be useless, and each costs as much as the first.
   *
   * @returns the run's id
   * @throws NotFoundError, InsufficientRoleError for a caller who lost the role while the request waited for the lock;
   *   RateLimitedError while another one runs and beyond LIMIT_SYNCS_PER_MINUTE; LastOwnerError under the policy
   *   `refuse`, if the organisation would be left without an active OWNER
   */
  async run(member: ActingMember): Promise<string> {
    try {
      const options = { attributes: { 'toolyard.org_id': member.orgId } };
      const runId = await inSpan('scim sync', options, () => this.runInTurn(member));
      this.runs.add({ result: 'succeeded' });
      return runId;
    } catch (error) {
      const isUnavailable = !(error instanceof DomainError) || error instanceof UnavailableError;
      this.runs.add({ result: isUnavailable ? 'failed' : 'refused' });
      throw error;
    }
  }

  private runInTurn(member: ActingMember): Promise<string> {
    return this.longOperations.alone('sync', member.orgId, async () => {
      await requireRate(this.dataSource.manager, {
        orgId: member.orgId,
        operation: 'scim_sync',
        perMinute: this.environment.limits.syncsPerMinute,
        noun: 'syncs',
      });
      return this.longOperations.inLine(() => this.runAlone(member));
    });
  }

  private async runAlone(member: ActingMember): Promise<string> {
    const runId = newId();
    const startedAt = this.clock.now();
    // Includes waiting for the lock, since other changes of the organisation may come first.
    allowLongDatabaseWork();
    const work = async (manager: EntityManager) => {
      await this.memberships.require(member, member.orgId, 'ADMIN', manager);
      const cause = causeOfMember(member);
      const counts = toCounts(await this.roles.apply(manager, member.orgId, 'everybody', cause, runId));
      await manager.insert(ScimSyncRun, {
        id: runId,
        orgId: member.orgId,
        startedBy: member.userId,
        startedAt,
        finishedAt: this.clock.now(),
        ...counts,
      });
      await record(manager, {
        type: 'scim.sync_completed',
        orgId: member.orgId,
        data: { org_id: member.orgId, run_id: runId, ...counts },
      });
    };
    const first = (manager: EntityManager) => takeTurn(manager, 'sync', member.orgId);
    await inOrganisation(this.dataSource, member.orgId, work, { first });
    return runId;
  }

  /** The requested runs, newest first. */
  async list(member: ActingMember, query: PageQuery): Promise<Page<SyncRunSummaryOut>> {
    const page = this.pages.open(RUNS, query, { org: member.orgId });
    const runs = await this.dataSource.manager.find(ScimSyncRun, newestFirst({ orgId: member.orgId }, page));
    return page.close(runs, toRun);
  }

  /**
   * A run with its counts and one page of its changes, ordered by user id.
   *
   * @throws NotFoundError
   */
  async get(member: ActingMember, runId: string, query: PageQuery): Promise<SyncRun> {
    const found = await this.dataSource.manager.findOneBy(ScimSyncRun, { orgId: member.orgId, id: runId });
    const run = requireFound(found, ErrorCode.SyncRunNotFound, runId);
    const page = this.pages.open(CHANGES, query, { run: run.id });
    const rows = await many<ChangeRow>(
      this.dataSource,
      `SELECT user_id AS id, change, role_before, role_after, reason, mapping_id, group_id FROM scim_sync_changes
       WHERE run_id = $1 AND ($2::uuid IS NULL OR user_id > $2) ORDER BY user_id LIMIT $3`,
      [run.id, page.after, page.take],
    );
    return { ...toRun(run), changes: page.close(await namedChanges(this.dataSource, member.orgId, rows), toChange) };
  }
}
