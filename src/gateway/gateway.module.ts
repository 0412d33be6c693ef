import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BundlesModule } from '../bundles/bundles.module';
import { EndpointSwitch } from '../bundles/deployments/endpoint-switch';
import { BundleCompiler } from './compile/bundle-compiler';
import { EndpointAlias } from './compile/endpoint-alias.entity';
import { EndpointAliases } from './compile/endpoint-aliases';
import { EntrySources } from './compile/entry-sources';
import { BundleEndpoint } from './endpoint/bundle-endpoint.entity';
import { EndpointMetadata } from './endpoint/endpoint-metadata';
import { EndpointMetadataController } from './endpoint/endpoint-metadata.controller';
import { ENDPOINT_NAMINGS } from './endpoint/endpoint-naming';
import { ENDPOINT_ENTRY_STATES, PROBLEM_CODES } from './endpoint/endpoint-report.dto';
import { EndpointReports } from './endpoint/endpoint-reports.service';
import { readSettings } from './endpoint/endpoint-settings';
import { ENDPOINT_EVENTS } from './endpoint/endpoint.events';
import { EndpointsController } from './endpoint/endpoints.controller';
import { EndpointsService } from './endpoint/endpoints.service';
import { UpstreamAgents } from './upstream/upstream-agents';
import { UpstreamCaller } from './upstream/upstream-caller';
import { UpstreamDefinition } from './upstream/upstream-definition.entity';
import { UpstreamEras } from './upstream/upstream-eras';
import { UpstreamLimits } from './upstream/upstream-limits';
import { UpstreamSession } from './upstream/upstream-session.entity';
import { UpstreamSessions } from './upstream/upstream-sessions';
import { UpstreamWire } from './upstream/upstream-wire';
import { UpstreamRow } from './upstream/upstream.entity';
import { Upstreams } from './upstream/upstreams.service';

@Module({
  imports: [AuthModule, BundlesModule],
  controllers: [EndpointsController, EndpointMetadataController],
  providers: [
    EndpointsService,
    EndpointReports,
    EndpointMetadata,
    BundleCompiler,
    EntrySources,
    EndpointAliases,
    UpstreamAgents,
    UpstreamWire,
    UpstreamEras,
    UpstreamLimits,
    UpstreamSessions,
    Upstreams,
    UpstreamCaller,
  ],
})
export class GatewayModule {
  static readonly declares = {
    entities: [BundleEndpoint, EndpointAlias, UpstreamRow, UpstreamDefinition, UpstreamSession],
    events: [ENDPOINT_EVENTS],
    tags: [['MCP Endpoints', 'Bundles and deployments as MCP servers: settings, reports, and where clients get access.']],
    enums: {
      EndpointEntryState: ENDPOINT_ENTRY_STATES,
      EndpointNaming: ENDPOINT_NAMINGS,
      EndpointProblemCode: PROBLEM_CODES,
    },
  } as const;

  constructor(endpoints: EndpointSwitch) {
    endpoints.register(async (manager, bundleId) => (await readSettings(manager, bundleId)).is_enabled);
  }
}
