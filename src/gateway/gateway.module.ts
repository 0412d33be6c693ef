import { Module } from '@nestjs/common';
import { BundlesModule } from '../bundles/bundles.module';
import { EndpointAlias } from './compile/endpoint-alias.entity';
import { BundleEndpoint } from './endpoint/bundle-endpoint.entity';
import { UpstreamAgents } from './upstream/upstream-agents';
import { UpstreamCaller } from './upstream/upstream-caller';
import { UpstreamDefinition } from './upstream/upstream-definition.entity';
import { UpstreamRow } from './upstream/upstream.entity';
import { UpstreamSession } from './upstream/upstream-session.entity';
import { Upstreams } from './upstream/upstreams.service';

@Module({
  imports: [BundlesModule],
  providers: [UpstreamAgents, Upstreams, UpstreamCaller],
})
export class GatewayModule {
  static readonly declares = {
    entities: [BundleEndpoint, EndpointAlias, UpstreamRow, UpstreamDefinition, UpstreamSession],
  } as const;
}
