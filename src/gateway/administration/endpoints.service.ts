import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { ownerOf } from '../../bundles/bundle-owner';
import type { BundleRow } from '../../bundles/bundle.dto';
import { DeploymentsService } from '../../bundles/deployments/deployments.service';
import { Environment } from '../../config/environment';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import type { Cause } from '../../organisations/audit/audit-trail';
import { PolicyChanges } from './policy-changes';
import { type EndpointOut, type EndpointUpdate, toEndpoint } from './endpoint.dto';
import { type EndpointRow, readSettings, writeSettings } from '../settings/endpoint-settings';

const UPDATABLE = [
  'is_enabled',
  'naming',
  'name_budget',
  'default_access',
  'presentation',
  'record',
  'record_arguments',
] as const;
const OF_POLICIES = ['default_access', 'presentation'] as const;

/** Whether and how bundles are served as MCP endpoints. */
@Injectable()
export class EndpointsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly deployments: DeploymentsService,
    private readonly environment: Environment,
    private readonly policies: PolicyChanges,
  ) {}

  /** @throws NotFoundError */
  async get(caller: Caller, bundleId: string): Promise<EndpointOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForReader(manager, caller, bundleId);
    return this.show(bundle, await readSettings(manager, bundle.id));
  }

  /**
   * Changes the fields that are not absent or null. If nothing differs, nothing is written and no event recorded. Every
   * process serves by the new settings from its next request on. What belongs to the policies makes a version of the bundle.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError if the bundle has as many versions as allowed
   */
  async update(caller: Caller, cause: Cause, bundleId: string, input: EndpointUpdate): Promise<EndpointOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const before = await readSettings(manager, bundle.id);
      const after = {
        is_enabled: input.is_enabled ?? before.is_enabled,
        naming: input.naming ?? before.naming,
        name_budget: input.name_budget ?? before.name_budget,
        default_access: input.default_access ?? before.default_access,
        presentation: input.presentation ?? before.presentation,
        record: input.record ?? before.record,
        record_arguments: input.record_arguments ?? before.record_arguments,
      };
      if (UPDATABLE.every((field) => after[field] === before[field])) return this.show(bundle, before);
      if (OF_POLICIES.some((field) => after[field] !== before[field])) {
        const policies = await this.policies.read(manager, bundle.id);
        const { default_access, presentation } = after;
        await this.policies.save(manager, cause, bundle, policies, {
          default_access,
          presentation,
          rules: policies.parsed,
        });
      }
      const stored = await writeSettings(manager, bundle.id, after);
      if (after.is_enabled !== before.is_enabled) {
        await this.deployments.switchEndpoints(manager, bundle, after.is_enabled);
        const { id: bundle_id, name, org_id } = bundle;
        const data = { bundle_id, name, url: this.urlOf(bundle), naming: after.naming, org_id };
        await (after.is_enabled
          ? record(manager, {
              type: 'endpoint.enabled',
              ...ownerOf(bundle),
              data: { ...data, enabled_by: caller.userId },
            })
          : record(manager, {
              type: 'endpoint.disabled',
              ...ownerOf(bundle),
              data: { ...data, disabled_by: caller.userId },
            }));
      }
      return this.show(bundle, stored);
    });
  }

  private show(bundle: BundleRow, row: EndpointRow): EndpointOut {
    return toEndpoint(bundle.id, this.urlOf(bundle), row);
  }

  private urlOf({ id }: BundleRow): string {
    return `${this.environment.publicUrl}/mcp/bundles/${id}`;
  }
}
