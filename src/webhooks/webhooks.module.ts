import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../organisations/organisations.module';
import { EventTypesController } from './event-types.controller';
import { TargetUrls } from './target-url';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { WebhookEndpointsController } from './webhook-endpoints.controller';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { WebhookSecrets } from './webhook-secrets';

@Module({
  imports: [OrganisationsModule],
  // The order is that of the routes: the literal path before the one with a parameter.
  controllers: [EventTypesController, WebhookEndpointsController],
  providers: [WebhookEndpointsService, WebhookEndpointFinder, WebhookSecrets, TargetUrls],
})
export class WebhooksModule {}
