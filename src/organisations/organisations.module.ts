import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { AuditLogController } from './audit/audit-log.controller';
import { AuditLog } from './audit/audit-log.service';
import { DomainsController } from './domains/domains.controller';
import { DomainsService } from './domains/domains.service';
import { InvitationsController } from './invitations/invitations.controller';
import { InvitationsService } from './invitations/invitations.service';
import { MyInvitationsController } from './invitations/my-invitations.controller';
import { MyInvitationsService } from './invitations/my-invitations.service';
import { MeController } from './me.controller';
import { MeService } from './me.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { Memberships } from './memberships.service';
import { OrganisationGuard } from './organisation.guard';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { retainedRows } from './retained-rows';
import { DirectoryGroupsController } from './scim/directory/directory-groups.controller';
import { DirectoryGroupsService } from './scim/directory/directory-groups.service';
import { DirectoryUsersController } from './scim/directory/directory-users.controller';
import { DirectoryUsersService } from './scim/directory/directory-users.service';
import { ScimContact } from './scim/log/scim-contact';
import { ScimLogReader } from './scim/log/scim-log-reader.service';
import { ScimLogController } from './scim/log/scim-log.controller';
import { RefusedRequests } from './scim/log/refused-requests';
import { ScimLog } from './scim/log/scim-log.service';
import { ScimBulkController } from './scim/protocol/bulk/scim-bulk.controller';
import { ScimBulk } from './scim/protocol/bulk/scim-bulk.service';
import { Discovery } from './scim/protocol/discovery';
import { ScimDiscoveryController } from './scim/protocol/discovery.controller';
import { ScimGroups } from './scim/protocol/resources/scim-groups.service';
import { ScimLists } from './scim/protocol/resources/scim-lists.service';
import { ScimSearch } from './scim/protocol/resources/scim-search.service';
import { ScimUsers } from './scim/protocol/resources/scim-users.service';
import { ScimAnswers } from './scim/protocol/scim-answers';
import { ScimErrors } from './scim/protocol/scim-errors';
import { ScimGate } from './scim/protocol/scim-gate';
import { ScimGroupsController } from './scim/protocol/scim-groups.controller';
import { ScimMeController } from './scim/protocol/scim-me.controller';
import { ScimSearchController } from './scim/protocol/scim-search.controller';
import { ScimUsersController } from './scim/protocol/scim-users.controller';
import { LongOperations } from './scim/roles/long-operations';
import { RoleExplanationController } from './scim/roles/role-explanation.controller';
import { RoleExplanationService } from './scim/roles/role-explanation.service';
import { RoleMappingsController } from './scim/roles/role-mappings.controller';
import { RoleMappingsService } from './scim/roles/role-mappings.service';
import { RoleSync } from './scim/roles/role-sync';
import { ScimSettingsController } from './scim/roles/scim-settings.controller';
import { ScimSettingsService } from './scim/roles/scim-settings.service';
import { SyncPreview } from './scim/roles/sync-preview.service';
import { SyncController } from './scim/roles/sync.controller';
import { SyncService } from './scim/roles/sync.service';
import { ScimTokenVerifier } from './scim/tokens/scim-token-verifier';
import { ScimTokensController } from './scim/tokens/scim-tokens.controller';
import { ScimTokens } from './scim/tokens/scim-tokens.service';

@Module({
  imports: [AuthModule],
  controllers: [
    MeController,
    OrganisationsController,
    MembersController,
    InvitationsController,
    DomainsController,
    MyInvitationsController,
    SyncController,
    AuditLogController,
    DirectoryGroupsController,
    DirectoryUsersController,
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
    MeService,
    OrganisationsService,
    MembersService,
    InvitationsService,
    DomainsService,
    MyInvitationsService,
    Memberships,
    OrganisationGuard,
    RoleSync,
    LongOperations,
    SyncService,
    SyncPreview,
    AuditLog,
    DirectoryGroupsService,
    DirectoryUsersService,
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
    ScimErrors,
    ScimUsers,
    ScimGroups,
    ScimLists,
    ScimSearch,
    ScimBulk,
    Discovery,
  ],
  exports: [Memberships, OrganisationGuard, RoleSync],
})
export class OrganisationsModule {
  constructor(retention: RowRetention, { limits }: Environment) {
    retention.register(...retainedRows(limits));
  }
}
