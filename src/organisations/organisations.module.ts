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
import { MeController } from './me/me.controller';
import { MeService } from './me/me.service';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { Memberships } from './members/memberships.service';
import { OrganisationGuard } from './organisation.guard';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { retainedRows } from './retained-rows';

@Module({
  imports: [AuthModule],
  controllers: [
    MeController,
    OrganisationsController,
    MembersController,
    InvitationsController,
    DomainsController,
    MyInvitationsController,
    AuditLogController,
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
    AuditLog,
  ],
  exports: [Memberships, OrganisationGuard],
})
export class OrganisationsModule {
  constructor(retention: RowRetention, { limits }: Environment) {
    retention.register(...retainedRows(limits));
  }
}
