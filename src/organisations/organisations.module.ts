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
import { Organisation } from './organisation.entity';
import { Membership } from './members/membership.entity';
import { Invitation } from './invitations/invitation.entity';
import { OrganisationDomain } from './domains/organisation-domain.entity';
import { AuditEntry } from './audit/audit-entry.entity';
import { ORGANISATION_ERRORS } from './organisation.errors';
import { ORGANISATION_EVENTS } from './organisation.events';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from './audit/audit-trail';
import { INVITATION_STATUSES } from './invitations/invitation-status.sql';
import { ROLES } from './members/role';

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
  static readonly declares = {
    entities: [Organisation, Membership, Invitation, OrganisationDomain, AuditEntry],
    errors: ORGANISATION_ERRORS,
    events: [ORGANISATION_EVENTS],
    tags: [['Organisations', 'Organisations, their members and their audit log.']],
    enums: {
      AuditAction: AUDIT_ACTIONS,
      AuditSubjectType: AUDIT_SUBJECTS,
      InvitationStatus: INVITATION_STATUSES,
      Role: ROLES,
    },
  } as const;

  constructor(retention: RowRetention, { limits }: Environment) {
    retention.register(...retainedRows(limits));
  }
}
