import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { ErrorCode } from '../../bundles/bundle.errors';
import { BundleFinder } from '../../bundles/bundle-finder';
import { inTransaction } from '../../database/transaction';
import { ConflictError } from '../../errors/errors';
import type { Cause } from '../../organisations/audit/audit-trail';
import { type BundlePoliciesOut, type BundlePoliciesPut, toPolicyRule } from './policy.dto';
import { PolicyChanges } from './policy-changes';
import { requireReferences } from './rule-references';
import { requestedRules } from './requested-rules';

/** Who may use which tools of bundles. */
@Injectable()
export class PoliciesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly changes: PolicyChanges,
  ) {}

  /** @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public */
  async get(caller: Caller, bundleId: string): Promise<BundlePoliciesOut> {
    const { manager } = this.dataSource;
    const bundle = await this.finder.findForInsider(manager, caller, bundleId);
    const { default_access, rules } = await this.changes.read(manager, bundle.id);
    return { bundle_id: bundle.id, version: bundle.version, default_access, rules };
  }

  /**
   * Makes the requested rules the only ones. If nothing differs, nothing is written and no event recorded.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError if the bundle is at another version than the request is based on, or has
   *   as many versions as allowed; ValidationError for a rule that names something that the bundle does not have
   */
  async replace(caller: Caller, cause: Cause, bundleId: string, input: BundlePoliciesPut): Promise<BundlePoliciesOut> {
    const rules = requestedRules(input.rules);
    return inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const { base_version } = input;
      if (base_version != null && base_version !== bundle.version)
        throw new ConflictError(
          ErrorCode.BundleConflict,
          `The bundle is now at version ${bundle.version}, not at ${base_version}. Read it again.`,
        );
      await requireReferences(manager, bundle.id, rules);
      const before = await this.changes.read(manager, bundle.id);
      const default_access = input.default_access ?? before.default_access;
      const after = { default_access, presentation: before.presentation, rules };
      const version = await this.changes.save(manager, cause, bundle, before, after);
      return { bundle_id: bundle.id, version, default_access, rules: rules.map(toPolicyRule) };
    });
  }
}
