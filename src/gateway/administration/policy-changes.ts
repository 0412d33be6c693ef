import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BundleRow } from '../../bundles/bundle.dto';
import { ownerOf } from '../../bundles/bundle-owner';
import { bundleUpdated } from '../../bundles/bundle-updated';
import { NO_CHANGES } from '../../bundles/entries/entry-changes';
import { commitVersion } from '../../bundles/versions/version-store';
import { Environment } from '../../config/environment';
import { record } from '../../events/outbox';
import { audit, type Cause } from '../../organisations/audit/audit-trail';
import { readSettings, writeSettings } from '../settings/endpoint-settings';
import { toPolicyRule } from './policy.dto';
import type { PolicyRule } from '../rules/policy-rule';
import { readRules, writeRules } from '../rules/policy-store';
import { isStricter, keepPolicies, type PolicySnapshot, samePolicies } from './policy-versions';

/** The policies of a bundle as they are. */
export interface CurrentPolicies extends PolicySnapshot {
  readonly parsed: readonly PolicyRule[];
}

/** What they are to become. */
export type RequestedPolicies = Pick<PolicySnapshot, 'default_access' | 'presentation'> & {
  readonly rules: readonly PolicyRule[];
};

/**
 * Changes policies: the rules, the default access and the presentation, which a version of the bundle keeps together. Every
 * process goes by them from its next request on, because the statement that admits a request reads their stamp.
 */
@Injectable()
export class PolicyChanges {
  constructor(private readonly environment: Environment) {}

  /** @param manager of a transaction that has locked the bundle */
  async read(manager: EntityManager, bundleId: string): Promise<CurrentPolicies> {
    const { default_access, presentation } = await readSettings(manager, bundleId);
    const parsed = await readRules(manager, bundleId);
    return { default_access, presentation, rules: parsed.map(toPolicyRule), parsed };
  }

  /**
   * Makes these the policies of a bundle, as a new version of it.
   *
   * @param manager of a transaction that has locked the bundle
   * @returns the number of the version of the bundle now; the present one if nothing differs, and then nothing was written
   * @throws ConflictError if the bundle has as many versions as allowed, unless the change only takes something away
   */
  async save(
    manager: EntityManager,
    cause: Cause,
    bundle: BundleRow,
    before: CurrentPolicies,
    after: RequestedPolicies,
  ): Promise<number> {
    const kept = await this.write(manager, cause, bundle, before, after);
    if (!kept) return bundle.version;
    const versionCause = {
      action: 'RULES_CHANGED',
      madeBy: cause.actorId ?? bundle.owner_id,
      isStricter: isStricter(before, kept),
    } as const;
    const { versionsPerBundle } = this.environment.limits;
    const version = await commitVersion(manager, bundle, NO_CHANGES, versionCause, versionsPerBundle);
    await record(manager, bundleUpdated({ ...bundle, version }, ['rules']));
    return version;
  }

  /**
   * The same without the version, for who makes one of more than policies.
   *
   * @returns what the next version has; undefined if nothing differs
   */
  async write(
    manager: EntityManager,
    cause: Cause,
    bundle: BundleRow,
    before: CurrentPolicies,
    { default_access, presentation, rules }: RequestedPolicies,
  ): Promise<PolicySnapshot | undefined> {
    const after: PolicySnapshot = { default_access, presentation, rules: rules.map(toPolicyRule) };
    if (samePolicies(before, after)) return undefined;
    await writeRules(manager, bundle.id, rules);
    // Also where only the rules differ: it raises the stamp.
    await writeSettings(manager, bundle.id, {
      ...(await readSettings(manager, bundle.id)),
      default_access,
      presentation,
    });
    await keepPolicies(manager, bundle.id, bundle.version + 1, after);
    await this.publish(manager, cause, bundle, before, after);
    return after;
  }

  private async publish(
    manager: EntityManager,
    cause: Cause,
    bundle: BundleRow,
    before: CurrentPolicies,
    after: PolicySnapshot,
  ): Promise<void> {
    const presentation = after.presentation;
    const hasOtherAccess = before.default_access !== after.default_access;
    const hasOtherRules = !samePolicies(
      { ...before, presentation },
      { ...after, default_access: before.default_access },
    );
    if (hasOtherAccess || hasOtherRules) {
      const { id: bundle_id, name, org_id } = bundle;
      await record(manager, {
        type: 'policy.changed',
        ...ownerOf(bundle),
        data: {
          bundle_id,
          name,
          changed: [
            ...(hasOtherRules ? ['rules' as const] : []),
            ...(hasOtherAccess ? ['default_access' as const] : []),
          ],
          rule_count: after.rules.length,
          default_access: after.default_access,
          changed_by: cause.actorId ?? bundle.owner_id,
          bundle_version: bundle.version + 1,
          org_id,
        },
      });
    }
    if (bundle.org_id === null) return;
    await audit(manager, {
      orgId: bundle.org_id,
      cause,
      action: 'policy.changed',
      subjectType: 'bundle',
      subjectId: bundle.id,
      before: { default_access: before.default_access, presentation: before.presentation, rules: before.rules },
      after,
      reason: null,
    });
  }
}
