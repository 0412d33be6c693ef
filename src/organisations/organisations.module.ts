import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { MeController } from './me.controller';
import { MeService } from './me.service';
import { MembersController } from './members.controller';
import { MembersService } from './members.service';
import { Memberships } from './memberships.service';
import { OrganisationGuard } from './organisation.guard';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { SyncController } from './scim/roles/sync.controller';
import { SyncService } from './scim/roles/sync.service';

@Module({
  imports: [AuthModule],
  controllers: [MeController, OrganisationsController, MembersController, SyncController],
  providers: [MeService, OrganisationsService, MembersService, Memberships, OrganisationGuard, SyncService],
  exports: [Memberships, OrganisationGuard],
})
export class OrganisationsModule {}
