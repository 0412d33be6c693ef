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
import { ScimBulkController } from './protocol/bulk/scim-bulk.controller';
import { ScimBulk } from './protocol/bulk/scim-bulk.service';
import { Discovery } from './protocol/discovery';
import { ScimDiscoveryController } from './protocol/discovery.controller';
import { ScimGroups } from './protocol/resources/scim-groups.service';
import { ScimLists } from './protocol/resources/scim-lists.service';
import { ScimSearch } from './protocol/resources/scim-search.service';
import { ScimUsers } from './protocol/resources/scim-users.service';
import { ScimAnswers } from './protocol/scim-answers';
import { ScimErrors } from './protocol/scim-errors';
import { ScimGate } from './protocol/scim-gate';
import { ScimGroupsController } from './protocol/scim-groups.controller';
import { ScimMeController } from './protocol/scim-me.controller';
import { ScimSearchController } from './protocol/scim-search.controller';
import { ScimUsersController } from './protocol/scim-users.controller';
import { LongOperations } from './roles/long-operations';
import { RoleExplanationController } from './roles/role-explanation.controller';
import { RoleExplanationService } from './roles/role-explanation.service';
import { RoleMappingsController } from './roles/role-mappings.controller';
import { RoleMappingsService } from './roles/role-mappings.service';
import { ScimSettingsController } from './roles/scim-settings.controller';
import { ScimSettingsService } from './roles/scim-settings.service';
import { SyncPreview } from './roles/sync-preview.service';
import { SyncController } from './roles/sync.controller';
import { SyncService } from './roles/sync.service';
import { ScimTokenVerifier } from './tokens/scim-token-verifier';
import { ScimTokensController } from './tokens/scim-tokens.controller';
import { ScimTokens } from './tokens/scim-tokens.service';
import { retainedScimRows } from './retained-scim-rows';
import { SCIM_DEPARTURES } from './scim-departures';

/** The directory that identity providers push, and what follows from it: roles, tokens, the provisioning log. */
@Module({
  imports: [AuthModule, OrganisationsModule],
  controllers: [
    SyncController,
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
    LongOperations,
    SyncService,
    SyncPreview,
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
})
export class ScimModule {
  constructor(departures: Departures, retention: RowRetention, { limits }: Environment) {
    departures.register(...SCIM_DEPARTURES);
    retention.register(...retainedScimRows(limits));
  }
}
