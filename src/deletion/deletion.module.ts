import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { OrganisationsModule } from '../organisations/organisations.module';
import { AccountDeletionController } from './account-deletion.controller';
import { AccountDeletion } from './account-deletion.service';
import { OrganisationDeletionController } from './organisation-deletion.controller';
import { OrganisationDeletion } from './organisation-deletion.service';
import { OrganisationPurge } from './organisation-purge';

/** Accounts and organisations end here, since something of every room goes with them. */
@Module({
  imports: [AuthModule, OrganisationsModule],
  controllers: [AccountDeletionController, OrganisationDeletionController],
  providers: [AccountDeletion, OrganisationDeletion, OrganisationPurge],
})
export class DeletionModule {}
