import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { execute, many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record, recordAll } from '../../events/outbox';
import { type Fault, ValidationError, requireFound } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { Page, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import { ownerOf } from '../bundle-owner';
import type { BundleRow } from '../bundle.dto';
import { requireVersion } from '../versions/bundle-version-reader';
import { BundleDeployment } from './bundle-deployment.entity';
import { EndpointSwitch } from './endpoint-switch';
import type { DeploymentStatus } from './deployment-status';
import {
  DeploymentCreate,
  DeploymentOut,
  DeploymentQuery,
  DeploymentRow,
  DeploymentUpdate,
  toDeployment,
} from './deployment.dto';

const LIST = 'deployments';

/** $1 bundle. */
const SELECT = `
  SELECT bundle_deployments.id, bundle_id, bundle_deployments.name, environment, kind, status, url, bundle_version,
         bundles.version AS latest_version, bundle_deployments.created_at, bundle_deployments.updated_at
  FROM bundle_deployments JOIN bundles ON bundles.id = bundle_deployments.bundle_id
  WHERE bundle_deployments.bundle_id = $1`;

/** $2 the last id of the page before, $3 rows, $4 to $6 filters. */
const NEWEST_FIRST = `${SELECT} AND ($2::uuid IS NULL OR bundle_deployments.id < $2)
  AND ($4::text IS NULL OR environment = $4) AND ($5::text IS NULL OR status = $5) AND ($6::text IS NULL OR kind = $6)
  ORDER BY bundle_deployments.id DESC LIMIT $3`;

/** $1 bundle, $2 status. */
const SWITCH_ENDPOINTS = `
  UPDATE bundle_deployments SET status = $2, updated_at = now()
  WHERE bundle_id = $1 AND kind = 'ENDPOINT' AND status <> $2`;

/** $2 status. */
const ENDPOINTS = `${SELECT} AND kind = 'ENDPOINT' AND status <> $2 ORDER BY bundle_deployments.id`;

const BUNDLE_DEPLOYMENTS: Cap = {
  name: 'deployments of a bundle',
  rows: 'bundle_deployments WHERE bundle_id = $1',
  code: ErrorCode.DeploymentConflict,
  detail: (most) => `The bundle has ${most} deployments, which is the limit. Delete one first.`,
};

const UPDATABLE = ['name', 'environment', 'status', 'url', 'bundle_version'] as const;

/**
 * Where bundles run, and which version of them (contract, section 6). Nothing is checked of what operators report of an
 * `EXTERNAL` one; the status and the address of an `ENDPOINT` are ours.
 */
@Injectable()
export class DeploymentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly endpoints: EndpointSwitch,
  ) {}

  /**
   * @throws NotFoundError for a bundle, or a version that it does not have; ForbiddenError; ConflictError if there are
   *   as many as allowed; ValidationError for the status or the address of an `ENDPOINT`
   */
  async create(caller: Caller, bundleId: string, input: DeploymentCreate): Promise<DeploymentOut> {
    const kind = input.kind ?? 'EXTERNAL';
    if (kind === 'ENDPOINT') refuseReports(input);
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const version = input.bundle_version ?? bundle.version;
      requireVersion(bundle, version);
      const most = this.environment.limits.deploymentsPerBundle;
      await requireRoom(manager, BUNDLE_DEPLOYMENTS, { ownerId: bundle.id, most, isOwnerLocked: true });
      const id = newId();
      await manager.getRepository(BundleDeployment).insert({
        id,
        bundleId: bundle.id,
        name: input.name,
        environment: input.environment,
        kind,
        status: kind === 'ENDPOINT' ? await this.endpointStatus(manager, bundle) : (input.status ?? 'PENDING'),
        url: input.url || null,
        bundleVersion: version,
      });
      const deployment = await this.find(manager, bundle, id);
      await record(manager, {
        type: 'deployment.created',
        ...ownerOf(bundle),
        data: { ...nameOf(deployment), ...stateOf(deployment), org_id: bundle.org_id },
      });
      return toDeployment(deployment);
    });
  }

  /**
   * Newest first.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public
   */
  async list(
    caller: Caller,
    bundleId: string,
    { environment, status, kind, ...query }: DeploymentQuery,
  ): Promise<Page<DeploymentOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId, environment, status, kind });
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const rows = await many<DeploymentRow>(this.dataSource, NEWEST_FIRST, [
      bundle.id,
      page.after,
      page.take,
      page.filter.environment ?? null,
      page.filter.status ?? null,
      page.filter.kind ?? null,
    ]);
    return page.close(rows, (row) => toDeployment(this.complete(row)));
  }

  /** @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public */
  async get(caller: Caller, bundleId: string, id: string): Promise<DeploymentOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForInsider(manager, caller, bundleId);
    return toDeployment(await this.find(manager, bundle, id));
  }

  /**
   * Changes the fields that are not absent or null. If nothing differs, nothing is written and no event recorded.
   *
   * @throws NotFoundError for a bundle, a deployment, or a version that the bundle does not have; ForbiddenError;
   *   ValidationError for the status or the address of an `ENDPOINT`
   */
  async update(caller: Caller, bundleId: string, id: string, input: DeploymentUpdate): Promise<DeploymentOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const before = await this.find(manager, bundle, id);
      if (before.kind === 'ENDPOINT') refuseReports(input);
      requireVersion(bundle, input.bundle_version ?? before.bundle_version);
      const after = {
        name: input.name ?? before.name,
        environment: input.environment ?? before.environment,
        status: input.status ?? before.status,
        url: input.url == null ? before.url : input.url || null,
        bundle_version: input.bundle_version ?? before.bundle_version,
      };
      const changed = UPDATABLE.filter((field) => after[field] !== before[field]);
      if (changed.length === 0) return toDeployment(before);
      const { bundle_version: bundleVersion, url, ...others } = after;
      const stored = before.kind === 'ENDPOINT' ? {} : { url };
      await manager.getRepository(BundleDeployment).update({ id: before.id }, { ...others, ...stored, bundleVersion });
      const deployment = await this.find(manager, bundle, id);
      await record(manager, {
        type: 'deployment.updated',
        ...ownerOf(bundle),
        data: { ...nameOf(deployment), ...stateOf(deployment), changed, org_id: bundle.org_id },
      });
      return toDeployment(deployment);
    });
  }

  /** @throws NotFoundError; ForbiddenError */
  async remove(caller: Caller, bundleId: string, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const deployment = await this.find(manager, bundle, id);
      await manager.getRepository(BundleDeployment).delete({ id: deployment.id });
      await record(manager, {
        type: 'deployment.deleted',
        ...ownerOf(bundle),
        data: { ...nameOf(deployment), org_id: bundle.org_id },
      });
    });
  }

  /**
   * Notes that a bundle is served as an MCP endpoint from now on, or no more: the status of each of its deployments of
   * that kind.
   *
   * @param manager of the transaction that decides it, in which the bundle is locked
   */
  async switchEndpoints(manager: EntityManager, bundle: BundleRow, isOn: boolean): Promise<void> {
    const status = statusOf(isOn);
    const rows = await many<DeploymentRow>(manager, ENDPOINTS, [bundle.id, status]);
    if (rows.length === 0) return;
    await execute(manager, SWITCH_ENDPOINTS, [bundle.id, status]);
    await recordAll(
      manager,
      rows.map((row) => {
        const deployment = { ...this.complete(row), status };
        const data = {
          ...nameOf(deployment),
          ...stateOf(deployment),
          changed: ['status' as const],
          org_id: bundle.org_id,
        };
        return { type: 'deployment.updated', ...ownerOf(bundle), data };
      }),
    );
  }

  private async endpointStatus(manager: EntityManager, bundle: BundleRow): Promise<DeploymentStatus> {
    return statusOf(await this.endpoints.isOn(manager, bundle.id));
  }

  /** The address of an endpoint is not stored: it follows from `PUBLIC_URL`, which may change. */
  private complete(row: DeploymentRow): DeploymentRow {
    return row.kind === 'ENDPOINT' ? { ...row, url: `${this.environment.publicUrl}/mcp/deployments/${row.id}` } : row;
  }

  private async find(manager: EntityManager, bundle: BundleRow, id: string): Promise<DeploymentRow> {
    const row = await maybe<DeploymentRow>(manager, `${SELECT} AND bundle_deployments.id = $2`, [bundle.id, id]);
    return this.complete(requireFound(row, ErrorCode.DeploymentNotFound, id));
  }
}

function statusOf(isServed: boolean): DeploymentStatus {
  return isServed ? 'RUNNING' : 'STOPPED';
}

/** @throws ValidationError if the request says what we know better: the status or the address of an endpoint */
function refuseReports({ status, url }: Pick<DeploymentUpdate, 'status' | 'url'>): void {
  const faults = Object.entries({ status, url })
    .filter(([, value]) => value != null)
    .map(([field]): Fault => {
      const msg = `The ${field === 'url' ? 'address' : field} of an ENDPOINT is not given, but answered.`;
      return { loc: ['body', field], msg, type: 'value_error' };
    });
  if (faults.length > 0) throw new ValidationError(faults);
}

function nameOf({ id, bundle_id, name, environment }: DeploymentRow) {
  return { deployment_id: id, bundle_id, name, environment };
}

function stateOf({ kind, status, url, bundle_version }: DeploymentRow) {
  return { kind, status, url, bundle_version };
}
