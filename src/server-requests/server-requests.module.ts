import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { CatalogModule } from '../catalog/catalog.module';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { MailModule } from '../mail/mail.module';
import { MeModule } from '../me/me.module';
import { WaitingSources } from '../me/waiting-sources';
import { OrganisationsModule } from '../organisations/organisations.module';
import { DecisionMails } from './decision-mails';
import { KEPT_DAYS, REMOVE_OLD_REQUESTS, REMOVE_REQUESTS, removeRequests } from './server-request-departure';
import { SERVER_REQUEST_STATUSES } from './server-request-status';
import { ServerRequest } from './server-request.entity';
import { SERVER_REQUEST_ERRORS } from './server-request.errors';
import { SERVER_REQUEST_EVENTS } from './server-request.events';
import { ServerRequestsController } from './server-requests.controller';
import { ServerRequestsService } from './server-requests.service';

/** What members of an organisation ask its administrators for. */
@Module({
  imports: [AuthModule, CatalogModule, MailModule, MeModule, OrganisationsModule],
  controllers: [ServerRequestsController],
  providers: [DecisionMails, ServerRequestsService],
})
export class ServerRequestsModule {
  static readonly declares = {
    entities: [ServerRequest],
    errors: SERVER_REQUEST_ERRORS,
    events: [SERVER_REQUEST_EVENTS],
    tags: [['Server requests', 'Members ask for servers that their organisation or the catalogue lacks.']],
    enums: { ServerRequestStatus: SERVER_REQUEST_STATUSES },
  } as const;

  constructor(
    retention: RowRetention,
    departures: Departures,
    waiting: WaitingSources,
    requests: ServerRequestsService,
  ) {
    waiting.register('requests', (caller) => requests.waiting(caller));
    retention.register({ name: 'the requests for servers', days: KEPT_DAYS, remove: REMOVE_OLD_REQUESTS });
    departures.register({ what: 'server requests', ofAccount: removeRequests, batches: [REMOVE_REQUESTS] });
  }
}
