import { Global, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { forgetCreator, REMOVE_AUDIT_ENTRIES, removeMembershipsOf } from '../organisations/organisation-departure';
import { OrganisationsModule } from '../organisations/organisations.module';
import { AccountDeletionController } from './account-deletion.controller';
import { AccountDeparturePreview } from './account-departure-preview';
import { AccountDeletion } from './account-deletion.service';
import { Departures } from './departures';
import { OrganisationDeletionController } from './organisation-deletion.controller';
import { OrganisationDeletion } from './organisation-deletion.service';
import { OrganisationPurge } from './organisation-purge';

/**
 * Deletes accounts and organisations. Global, because every module registers what it removes and none is imported here.
 */
@Global()
@Module({
  imports: [AuthModule, OrganisationsModule],
  controllers: [AccountDeletionController, OrganisationDeletionController],
  providers: [Departures, AccountDeletion, AccountDeparturePreview, OrganisationDeletion, OrganisationPurge],
  exports: [Departures],
})
export class DeletionModule {
  constructor(departures: Departures) {
    departures.register(
      { what: 'created organisations', ofAccount: forgetCreator },
      { what: 'memberships', ofOrganisation: removeMembershipsOf },
      { what: 'audit log', batches: [REMOVE_AUDIT_ENTRIES] },
    );
  }
}
