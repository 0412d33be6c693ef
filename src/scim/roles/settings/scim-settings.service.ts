import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Environment } from '../../../config/environment';
import { audit } from '../../../organisations/audit/audit-trail';
import { causeOfMember } from '../../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../../organisations/members/memberships.service';
import { inOrganisation } from '../../../organisations/organisation-lock';
import { requireRank } from '../../../organisations/members/rank';
import { ScimContact } from '../../log/scim-contact';
import { scimBase } from '../../protocol/scim-address';
import { ConfirmQuery, requireConfirmed } from '../sync/confirmation';
import type { ScimSettings } from '../resolution/role-resolution';
import { RoleSync } from '../sync/role-sync';
import { ScimSettingsOut, ScimSettingsPut } from './scim-settings.dto';
import { ScimSettingsRow } from './scim-settings.entity';
import { storedSettings } from './stored-settings';

/** How an organisation's directory determines roles, and whether its identity provider still calls. */
@Injectable()
export class ScimSettingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly roleSync: RoleSync,
    private readonly contact: ScimContact,
    private readonly environment: Environment,
  ) {}

  async get({ orgId }: ActingMember): Promise<ScimSettingsOut> {
    const settings = await storedSettings(this.dataSource.manager, orgId);
    const { lastContactAt, isStale } = await this.contact.of(orgId);
    return {
      ...toFields(settings),
      base_url: scimBase(this.environment.publicUrl, orgId),
      last_contact_at: lastContactAt?.toISOString() ?? null,
      is_stale: isStale,
    };
  }

  /**
   * Sets all of them, and updates all roles accordingly. The same settings again change nothing.
   *
   * @throws InsufficientRoleError for an ADMIN who changes `allow_owner_mapping`; ConflictError if confirmation is
   *   missing; LastOwnerError under the policy `refuse`
   */
  async put(caller: ActingMember, input: ScimSettingsPut, query: ConfirmQuery): Promise<ScimSettingsOut> {
    const { orgId } = caller;
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const member = await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const before = toFields(await storedSettings(manager, orgId));
      const after = {
        default_role: input.default_role,
        allow_owner_mapping: input.allow_owner_mapping,
        last_owner_policy: input.last_owner_policy,
      };
      if (after.allow_owner_mapping !== before.allow_owner_mapping) requireRank(member, 'OWNER');
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      await manager.upsert(
        ScimSettingsRow,
        {
          orgId,
          defaultRole: after.default_role,
          allowOwnerMapping: after.allow_owner_mapping,
          lastOwnerPolicy: after.last_owner_policy,
        },
        ['orgId'],
      );
      const cause = causeOfMember(caller);
      await audit(manager, {
        orgId,
        cause,
        action: 'scim_settings.changed',
        subjectType: 'scim_settings',
        subjectId: null,
        before,
        after,
        reason: null,
      });
      requireConfirmed(await this.roleSync.apply(manager, orgId, 'everybody', cause), query);
    });
    return this.get(caller);
  }
}

type Fields = Pick<ScimSettingsOut, 'default_role' | 'allow_owner_mapping' | 'last_owner_policy'>;

function toFields({ defaultRole, allowOwnerMapping, lastOwnerPolicy }: ScimSettings): Fields {
  return { default_role: defaultRole, allow_owner_mapping: allowOwnerMapping, last_owner_policy: lastOwnerPolicy };
}
