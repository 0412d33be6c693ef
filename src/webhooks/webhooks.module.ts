import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CustomHeaderChecks } from './custom-headers';
import { WebhookDeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { WebhookRecoveriesController } from './deliveries/recoveries.controller';
import { RecoveriesService } from './deliveries/recoveries.service';
import { RecoveryRunner } from './deliveries/recovery-runner';
import { WebhookStatsController } from './deliveries/stats.controller';
import { WebhookStatsService } from './deliveries/stats.service';
import { EndpointCredentials } from './endpoint-credentials';
import { Claims } from './engine/claims';
import { DeliveryQueue } from './engine/delivery-queue';
import { Dispatcher } from './engine/dispatcher';
import { EndpointDisabling } from './engine/endpoint-disabling';
import { FanOut } from './engine/fan-out';
import { QueryEncryption } from './engine/query-encryption';
import { Results } from './engine/results';
import { Retention } from './engine/retention';
import { WebhookWorker } from './engine/webhook-worker';
import { EventTypesController } from './event-types.controller';
import { WebhookSender } from './sending/webhook-sender';
import { TargetUrls } from './target-url';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { WebhookEndpointsController } from './webhook-endpoints.controller';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { WebhookPingService } from './webhook-ping.service';
import { WebhookRotationService } from './webhook-rotation.service';
import { WebhookSecrets } from './webhook-secrets';

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
export class WebhooksModule {}
