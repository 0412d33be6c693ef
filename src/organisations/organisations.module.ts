import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { AuditLogController } from './audit/audit-log.controller';
import { AuditLog } from './audit/audit-log.service';
import { MembersController } from './members/members.controller';
import { MembersService } from './members/members.service';
import { Memberships } from './members/memberships.service';
import { OrganisationGuard } from './organisation.guard';
import { OrganisationsController } from './organisations.controller';
import { OrganisationsService } from './organisations.service';
import { retainedRows } from './retained-rows';
import { Organisation } from './organisation.entity';
import { Membership } from './members/membership.entity';
import { AuditEntry } from './audit/audit-entry.entity';
import { ORGANISATION_ERRORS } from './organisation.errors';
import { ORGANISATION_EVENTS } from './organisation.events';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from './audit/audit-trail';
import { ROLES } from './members/role';

@Module({
  imports: [AuthModule],
  controllers: [OrganisationsController, MembersController, AuditLogController],
  providers: [OrganisationsService, MembersService, Memberships, OrganisationGuard, AuditLog],
  exports: [MembersService, Memberships, OrganisationGuard, OrganisationsService],
})
export class OrganisationsModule {
  static readonly declares = {
    entities: [Organisation, Membership, AuditEntry],
    errors: ORGANISATION_ERRORS,
    events: [ORGANISATION_EVENTS],
    tags: [['Organisations', 'Organisations, their members and their audit log.']],
    enums: {
      AuditAction: AUDIT_ACTIONS,
      AuditSubjectType: AUDIT_SUBJECTS,
      Role: ROLES,
    },
  } as const;

  constructor(retention: RowRetention, { limits }: Environment) {
    retention.register(...retainedRows(limits));
  }
}
