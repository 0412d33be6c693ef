import { EventCatalogue } from '../events/event-catalogue';
import { checkEventTypes } from './event-types/event-type.field';
import { Module } from '@nestjs/common';
import { Departures } from '../deletion/departures';
import { TextChecks } from '../http/requests/text-checks';
import { checkInstantFilter } from './endpoints/instant-filter';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CustomHeaderChecks } from './sending/custom-headers';
import { WebhookDeliveriesController } from './deliveries/deliveries.controller';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryPreviews } from './deliveries/delivery-preview.service';
import { WebhookOverviewController } from './deliveries/overview.controller';
import { WebhookOverviewService } from './deliveries/overview.service';
import { WebhookRecoveriesController } from './deliveries/recoveries.controller';
import { RecoveriesService } from './deliveries/recoveries.service';
import { RecoveryCounts } from './deliveries/recovery-counts.service';
import { RecoveryRunner } from './deliveries/recovery-runner';
import { WebhookStatsController } from './deliveries/stats.controller';
import { WebhookStatsService } from './deliveries/stats.service';
import { EndpointQueue } from './endpoints/endpoint-queue';
import { EndpointCredentials } from './endpoints/endpoint-credentials';
import { removeNotifiedEndpoints, removePersonalEndpoints } from './endpoints/endpoint-departure';
import { Claims } from './engine/claims';
import { DeliveryCounters } from './queue/delivery-counters';
import { DeliveryQueue } from './queue/delivery-queue';
import { Dispatcher } from './engine/dispatcher';
import { EndpointDisabling } from './engine/endpoint-disabling';
import { FanOut } from './engine/fan-out';
import { QueryEncryption } from './engine/query-encryption';
import { QueueGauges } from './engine/queue-gauges';
import { Results } from './engine/results';
import { Retention } from './engine/retention';
import { WebhookWorker } from './engine/webhook-worker';
import { EventTypesController } from './event-types/event-types.controller';
import { WebhookSender } from './sending/webhook-sender';
import { TargetUrls } from './sending/target-url';
import { WebhookEndpointFinder } from './endpoints/webhook-endpoint-finder';
import { WebhookEndpointsController } from './endpoints/webhook-endpoints.controller';
import { WebhookEndpointsService } from './endpoints/webhook-endpoints.service';
import { WebhookPingService } from './endpoints/webhook-ping.service';
import { WebhookRotationService } from './endpoints/webhook-rotation.service';
import { WebhookSecrets } from './endpoints/webhook-secrets';
import { SEALED_WEBHOOK_COLUMNS } from './endpoints/sealed-columns';
import { WebhookEndpoint } from './endpoints/webhook-endpoint.entity';
import { WebhookFormerSecret } from './endpoints/webhook-former-secret.entity';
import { WebhookLane } from './queue/webhook-lane.entity';
import { WebhookTenant } from './engine/webhook-tenant.entity';
import { WebhookNewEvent } from './engine/webhook-new-event.entity';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity';
import { WebhookQueueRow } from './queue/webhook-queue.entity';
import { WebhookAttempt } from './deliveries/webhook-attempt.entity';
import { WebhookHour } from './deliveries/webhook-hour.entity';
import { WebhookRecovery } from './deliveries/webhook-recovery.entity';
import { WebhookRemovedEndpoint } from './engine/webhook-removed-endpoint.entity';
import { WEBHOOK_ERRORS } from './webhook.errors';
import { WEBHOOK_EVENTS, PING } from './webhook.events';
import { DELIVERY_ERRORS, DELIVERY_STATUSES } from './deliveries/delivery-status';
import { RESPONSE_CLASSES } from './deliveries/delivery.dto';
import { SEND_ERROR_CODES } from './sending/send-error';

@Module({
  imports: [OrganisationsModule],
  // In the order of the routes: literal paths before those with a parameter.
  controllers: [
    EventTypesController,
    WebhookOverviewController,
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
    DeliveryPreviews,
    RecoveriesService,
    RecoveryCounts,
    WebhookStatsService,
    WebhookOverviewService,
    DeliveryCounters,
    QueueGauges,
    DeliveryQueue,
    { provide: EndpointQueue, useExisting: DeliveryQueue },
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
  static readonly declares = {
    entities: [
      WebhookEndpoint,
      WebhookFormerSecret,
      WebhookLane,
      WebhookTenant,
      WebhookNewEvent,
      WebhookDelivery,
      WebhookQueueRow,
      WebhookAttempt,
      WebhookHour,
      WebhookRecovery,
      WebhookRemovedEndpoint,
    ],
    sealed: SEALED_WEBHOOK_COLUMNS,
    errors: WEBHOOK_ERRORS,
    events: [WEBHOOK_EVENTS],
    eventsOnRequest: [PING],
    tags: [['Webhooks', 'Endpoints that receive events, and the deliveries to them.']],
    enums: {
      WebhookAttemptStatus: ['SUCCEEDED', 'FAILED'],
      WebhookDeliveryError: DELIVERY_ERRORS,
      WebhookDeliveryStatus: DELIVERY_STATUSES,
      WebhookResponseClass: RESPONSE_CLASSES,
      WebhookSendError: SEND_ERROR_CODES,
    },
  } as const;

  constructor(checks: TextChecks, catalogue: EventCatalogue, departures: Departures) {
    checkEventTypes(checks, catalogue);
    departures.register({
      what: 'webhook endpoints',
      ofAccount: removePersonalEndpoints,
      whenReady: removeNotifiedEndpoints,
    });
    checks.register('fhir-date-search', checkInstantFilter);
  }
}
