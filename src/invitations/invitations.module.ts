import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { MembershipOffers } from '../auth/authorization-server/membership-offers';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { MailModule } from '../mail/mail.module';
import { MeModule } from '../me/me.module';
import { WaitingSources } from '../me/waiting-sources';
import { causeOfMember } from '../organisations/audit/cause';
import { OrganisationsModule } from '../organisations/organisations.module';
import { Accounts } from '../users/accounts.service';
import { OPEN_DAYS, READABLE_DAYS } from './invitation-days';
import { REMOVE_INVITATIONS, removeInvitations } from './invitation-departure';
import { Invitation } from './invitation.entity';
import { INVITATION_ERRORS } from './invitation.errors';
import { INVITATION_EVENTS } from './invitation.events';
import { INVITATION_STATUSES } from './invitation-status.sql';
import { InvitationsController } from './invitations.controller';
import { InvitationsService } from './invitations.service';
import { INVITATION_KINDS } from './my-invitation.dto';
import { MyInvitationsController } from './my-invitations.controller';
import { MyInvitationsService } from './my-invitations.service';
import { PendingInvitations } from './pending-invitations';

/** How people become members: an organisation invites them, and they accept (contract, section 12.1). */
@Module({
  imports: [AuthModule, MailModule, MeModule, OrganisationsModule],
  controllers: [InvitationsController, MyInvitationsController],
  providers: [InvitationsService, MyInvitationsService, PendingInvitations],
  exports: [MyInvitationsService, PendingInvitations],
})
export class InvitationsModule {
  static readonly declares = {
    entities: [Invitation],
    errors: INVITATION_ERRORS,
    events: [INVITATION_EVENTS],
    enums: { InvitationKind: INVITATION_KINDS, InvitationStatus: INVITATION_STATUSES },
  } as const;

  constructor(
    retention: RowRetention,
    departures: Departures,
    accounts: Accounts,
    offers: MembershipOffers,
    invitations: MyInvitationsService,
    waiting: WaitingSources,
  ) {
    waiting.register('invitations', (caller) => invitations.waiting(caller));
    offers.registerMemberships({
      find: (person, orgId) => invitations.offerOf(person, orgId),
      accept: (person, requestId, id) =>
        invitations.accept(person, causeOfMember({ userId: person.userId, requestId }), id),
    });
    retention.register({
      // Ids are ordered by creation time, so no index on a time column is needed.
      name: 'the invitations',
      days: OPEN_DAYS + READABLE_DAYS,
      remove: `
        DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE id < $1 ORDER BY id LIMIT $2)`,
    });
    departures.register({
      what: 'invitations',
      ofAccount: (manager, userId) => removeInvitations(manager, accounts, userId),
      batches: [REMOVE_INVITATIONS],
    });
  }
}
