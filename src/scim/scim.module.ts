import { OrganisationCalls } from './roles/sync/organisation-calls.entity';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { OrganisationsModule } from '../organisations/organisations.module';
import { DirectoryGroupsController } from './directory/directory-groups.controller';
import { DirectoryGroupsService } from './directory/directory-groups.service';
import { DirectoryUsersController } from './directory/directory-users.controller';
import { DirectoryUsersService } from './directory/directory-users.service';
import { RefusedRequests } from './log/refused-requests';
import { ScimContact } from './log/scim-contact';
import { ScimLogReader } from './log/scim-log-reader.service';
import { ScimLogController } from './log/scim-log.controller';
import { ScimLog } from './log/scim-log.service';
import { ScimBulkController } from './protocol/scim-bulk.controller';
import { ScimBulk } from './protocol/bulk/scim-bulk.service';
import { Discovery } from './protocol/discovery';
import { ScimDiscoveryController } from './protocol/discovery.controller';
import { ScimGroups } from './protocol/groups/scim-groups.service';
import { ScimLists } from './protocol/lists/scim-lists.service';
import { UserLookups } from './protocol/lists/user-lookup';
import { ScimSearch } from './protocol/lists/scim-search.service';
import { ScimUsers } from './protocol/users/scim-users.service';
import { UserAnswers } from './protocol/users/user-answers';
import { UserCreation } from './protocol/users/user-creation';
import { ScimAnswers } from './protocol/scim-answers';
import { ScimErrorDialect } from './protocol/scim-error-dialect';
import { ScimGate } from './protocol/scim-gate';
import { ScimGroupsController } from './protocol/scim-groups.controller';
import { ScimMeController } from './protocol/scim-me.controller';
import { ScimSearchController } from './protocol/scim-search.controller';
import { ScimUsersController } from './protocol/scim-users.controller';
import { LongOperations } from './roles/sync/long-operations';
import { RoleExplanationController } from './roles/explanation/role-explanation.controller';
import { RoleExplanationService } from './roles/explanation/role-explanation.service';
import { ListedMembersController } from './roles/members/listed-members.controller';
import { ListedMembers } from './roles/members/listed-members.service';
import { RoleMappingsController } from './roles/mappings/role-mappings.controller';
import { RoleMappingsService } from './roles/mappings/role-mappings.service';
import { ScimSettingsController } from './roles/settings/scim-settings.controller';
import { ScimSettingsService } from './roles/settings/scim-settings.service';
import { SyncPreview } from './roles/sync/sync-preview.service';
import { SyncController } from './roles/sync/sync.controller';
import { SyncService } from './roles/sync/sync.service';
import { ScimTokenVerifier } from './tokens/scim-token-verifier';
import { ScimTokensController } from './tokens/scim-tokens.controller';
import { ScimTokens } from './tokens/scim-tokens.service';
import { retainedScimRows } from './retained-scim-rows';
import { SCIM_DEPARTURES } from './scim-departures';
import { ScimUser } from './directory/scim-user.entity';
import { ScimGroup } from './directory/scim-group.entity';
import { ScimGroupMember } from './directory/scim-group-member.entity';
import { ScimRoleMapping } from './roles/mappings/scim-role-mapping.entity';
import { DEFAULT_ROLES, LAST_OWNER_POLICIES, ScimSettingsRow } from './roles/settings/scim-settings.entity';
import { ScimSyncRun } from './roles/sync/scim-sync-run.entity';
import { ScimSyncChange } from './roles/sync/scim-sync-change.entity';
import { ScimToken } from './tokens/scim-token.entity';
import { RevokedScimToken } from './tokens/revoked-scim-token.entity';
import { ScimLogEntry } from './log/scim-log-entry.entity';
import { SCIM_ERRORS } from './scim.errors';
import { SCIM_EVENTS } from './scim.events';
import { SCIM_TOKEN } from './scim.access';
import { ACCOUNT_STATES } from './roles/resolution/account-state';
import { ACCOUNT_NOTES } from './directory/account-note';
import { MEMBER_REASONS } from './roles/members/listed-member.dto';

/** The directory that identity providers push, and what depends on it: roles, tokens, the provisioning log. */
@Module({
  imports: [AuthModule, OrganisationsModule],
  controllers: [
    SyncController,
    DirectoryGroupsController,
    DirectoryUsersController,
    ListedMembersController,
    RoleExplanationController,
    ScimSettingsController,
    RoleMappingsController,
    ScimTokensController,
    ScimLogController,
    ScimUsersController,
    ScimGroupsController,
    ScimSearchController,
    ScimBulkController,
    ScimMeController,
    ScimDiscoveryController,
  ],
  providers: [
    LongOperations,
    SyncService,
    SyncPreview,
    DirectoryGroupsService,
    DirectoryUsersService,
    ListedMembers,
    RoleExplanationService,
    ScimSettingsService,
    RoleMappingsService,
    ScimTokens,
    ScimTokenVerifier,
    ScimGate,
    ScimLog,
    RefusedRequests,
    ScimLogReader,
    ScimContact,
    ScimAnswers,
    ScimErrorDialect,
    ScimUsers,
    UserCreation,
    UserAnswers,
    ScimGroups,
    ScimLists,
    UserLookups,
    ScimSearch,
    ScimBulk,
    Discovery,
  ],
})
export class ScimModule {
  static readonly declares = {
    entities: [
      ScimUser,
      ScimGroup,
      ScimGroupMember,
      ScimRoleMapping,
      ScimSettingsRow,
      OrganisationCalls,
      ScimSyncRun,
      ScimSyncChange,
      ScimToken,
      RevokedScimToken,
      ScimLogEntry,
    ],
    errors: SCIM_ERRORS,
    events: [SCIM_EVENTS],
    credentials: [SCIM_TOKEN],
    tags: [
      ['SCIM', 'For administrators: what the identity provider pushed, and the resulting roles.'],
      ['SCIM protocol', 'For identity providers with a SCIM token: SCIM 2.0 (RFC 7643, RFC 7644, RFC 9865).'],
    ],
    enums: {
      AccountNote: ACCOUNT_NOTES,
      AccountState: ACCOUNT_STATES,
      DefaultRole: DEFAULT_ROLES,
      LastOwnerPolicy: LAST_OWNER_POLICIES,
      MemberReason: MEMBER_REASONS,
      ScimLogConsent: ['pending', 'opted_out'],
      ScimResourceType: ['User', 'Group'],
      SyncChangeKind: ['joined', 'promoted', 'demoted', 'removed', 'retained'],
    },
  } as const;

  constructor(departures: Departures, retention: RowRetention, { limits }: Environment) {
    departures.register(...SCIM_DEPARTURES);
    retention.register(...retainedScimRows(limits));
  }
}
