import { Module } from '@nestjs/common';
import { Departures } from '../deletion/departures';
import { TextChecks } from '../http/requests/text-checks';
import { checkInstantFilter } from './endpoints/instant-filter';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CustomHeaderChecks } from './endpoints/custom-headers';
import { WebhookDeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { WebhookRecoveriesController } from './deliveries/recoveries.controller';
import { RecoveriesService } from './deliveries/recoveries.service';
import { RecoveryRunner } from './deliveries/recovery-runner';
import { WebhookStatsController } from './deliveries/stats.controller';
import { WebhookStatsService } from './deliveries/stats.service';
import { EndpointCredentials } from './endpoints/endpoint-credentials';
import { removeNotifiedEndpoints, removePersonalEndpoints } from './endpoints/endpoint-departure';
import { Claims } from './engine/claims';
import { DeliveryQueue } from './engine/delivery-queue';
import { Dispatcher } from './engine/dispatcher';
import { EndpointDisabling } from './engine/endpoint-disabling';
import { FanOut } from './engine/fan-out';
import { QueryEncryption } from './engine/query-encryption';
import { Results } from './engine/results';
import { Retention } from './engine/retention';
import { WebhookWorker } from './engine/webhook-worker';
import { EventTypesController } from './event-types/event-types.controller';
import { WebhookSender } from './sending/webhook-sender';
import { TargetUrls } from './endpoints/target-url';
import { WebhookEndpointFinder } from './endpoints/webhook-endpoint-finder';
import { WebhookEndpointsController } from './endpoints/webhook-endpoints.controller';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service';
import { WebhookPingService } from './endpoints/webhook-ping.service';
import { WebhookRotationService } from './endpoints/webhook-rotation.service';
import { WebhookSecrets } from './endpoints/webhook-secrets';

@Module({
  imports: [OrganisationsModule],
  // The order is that of the routes: the literal path before the one with a parameter.
  controllers: [
    EventTypesController,
    WebhookEndpointsController,
    WebhookDeliveriesController,
    WebhookRecoveriesController,
    WebhookStatsController,
  ],
  providers: [
    WebhookEndpointsService,
    WebhookEndpointFinder,
    WebhookSecrets,
    TargetUrls,
    CustomHeaderChecks,
    EndpointCredentials,
    WebhookRotationService,
    WebhookPingService,
    WebhookSender,
    DeliveriesService,
    RecoveriesService,
    WebhookStatsService,
    DeliveryQueue,
    FanOut,
    Claims,
    Results,
    EndpointDisabling,
    Dispatcher,
    RecoveryRunner,
    Retention,
    QueryEncryption,
    WebhookWorker,
  ],
})
export class WebhooksModule {
  constructor(checks: TextChecks, departures: Departures) {
    departures.register({
      what: 'webhook endpoints',
      ofAccount: removePersonalEndpoints,
      whenReady: removeNotifiedEndpoints,
    });
    checks.register('fhir-date-search', checkInstantFilter);
  }
}
