import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BundlesModule } from '../bundles/bundles.module';
import { EndpointSwitch } from '../bundles/deployments/endpoint-switch';
import { RowRetention } from '../database/row-retention';
import { CALL_PROVIDERS } from './calls/call.providers';
import { EndpointCall } from './calls/endpoint-call.entity';
import { CALL_OUTCOMES } from './calls/call-outcome';
import { CallsController } from './calls/calls.controller';
import { RECORDED_ARGUMENTS } from './calls/recorded-arguments';
import { RECORD_MODES } from './calls/record-settings';
import { BundleCompiler } from './compile/bundle-compiler';
import { DefinitionSizes } from './compile/definition-sizes';
import { EndpointAlias } from './compile/endpoint-alias.entity';
import { EndpointAliases } from './compile/endpoint-aliases';
import { EndpointUpstream } from './compile/endpoint-upstream.entity';
import { EndpointUpstreams } from './compile/endpoint-upstreams';
import { EntrySources } from './compile/entry-sources';
import { Admissions } from './edge/admission';
import { CallRates } from './edge/call-rates';
import { CallMessages } from './edge/call-messages';
import { CallSlots } from './edge/call-slots';
import { CallsInFlight } from './edge/calls-in-flight';
import { ChangeStreams } from './edge/change-streams';
import { ClientAnswer } from './edge/client-answer.entity';
import { EdgeNews } from './edge/edge-news';
import { InputAnswers, REMOVE_FORGOTTEN_ANSWERS } from './edge/input-answers';
import { LegacySessions } from './edge/legacy-sessions';
import { Listening } from './edge/listening';
import { McpErrors } from './edge/mcp-errors';
import { McpGate } from './edge/mcp-gate';
import { McpMethods } from './edge/mcp-methods';
import { RequestStates } from './edge/request-states';
import { SealedSessions } from './edge/sealed-session';
import { ServerCalls } from './edge/server-calls';
import { ServerLists } from './edge/server-lists';
import { SessionSubscriptions } from './edge/session-subscriptions';
import { UpstreamRequests } from './edge/upstream-requests';
import { WaitingAnswers } from './edge/waiting-answers';
import { BundleEndpoint } from './endpoint/bundle-endpoint.entity';
import { EndpointMetadata } from './endpoint/endpoint-metadata';
import { EndpointMetadataController } from './endpoint/endpoint-metadata.controller';
import { ENDPOINT_NAMINGS } from './endpoint/endpoint-naming';
import { ENDPOINT_ENTRY_STATES, PROBLEM_CODES } from './endpoint/endpoint-report.dto';
import { EndpointReports } from './endpoint/endpoint-reports.service';
import { readSettings } from './endpoint/endpoint-settings';
import { endpointUse } from './endpoint/endpoint-use';
import { ENDPOINT_EVENTS } from './endpoint/endpoint.events';
import { EndpointsController } from './endpoint/endpoints.controller';
import { EndpointsService } from './endpoint/endpoints.service';
import { UpstreamOutages } from './endpoint/upstream-outages';
import { GatewayCounters } from './metering/gateway-counters';
import { GatewayGauges } from './metering/gateway-gauges';
import { UpstreamDefinition } from './upstream/upstream-definition.entity';
import { UpstreamSession } from './upstream/upstream-session.entity';
import { UPSTREAM_PROVIDERS } from './upstream/upstream.providers';
import { UpstreamRow } from './upstream/upstream.entity';

@Module({
  imports: [AuthModule, BundlesModule],
  controllers: [EndpointsController, EndpointMetadataController, CallsController],
  providers: [
    ...UPSTREAM_PROVIDERS,
    ...CALL_PROVIDERS,
    EndpointsService,
    EndpointReports,
    EndpointMetadata,
    BundleCompiler,
    DefinitionSizes,
    EntrySources,
    EndpointAliases,
    EndpointUpstreams,
    UpstreamOutages,
    GatewayCounters,
    GatewayGauges,
    McpGate,
    McpErrors,
    McpMethods,
    Admissions,
    CallRates,
    CallMessages,
    CallSlots,
    CallsInFlight,
    ChangeStreams,
    EdgeNews,
    InputAnswers,
    LegacySessions,
    Listening,
    RequestStates,
    SealedSessions,
    ServerCalls,
    ServerLists,
    SessionSubscriptions,
    UpstreamRequests,
    WaitingAnswers,
  ],
})
export class GatewayModule {
  static readonly declares = {
    entities: [
      BundleEndpoint,
      EndpointAlias,
      EndpointUpstream,
      UpstreamRow,
      UpstreamDefinition,
      UpstreamSession,
      ClientAnswer,
      EndpointCall,
    ],
    events: [ENDPOINT_EVENTS],
    tags: [
      ['MCP Endpoints', 'Bundles and deployments as MCP servers: settings, reports, and where clients get access.'],
    ],
    enums: {
      EndpointEntryState: ENDPOINT_ENTRY_STATES,
      CallOutcome: CALL_OUTCOMES,
      EndpointNaming: ENDPOINT_NAMINGS,
      EndpointRecord: RECORD_MODES,
      RecordedArguments: RECORDED_ARGUMENTS,
      EndpointProblemCode: PROBLEM_CODES,
    },
  } as const;

  constructor(endpoints: EndpointSwitch, retention: RowRetention) {
    endpoints.register(async (manager, bundleId) => (await readSettings(manager, bundleId)).is_enabled, endpointUse);
    retention.registerExpiring({ name: 'answers of clients', remove: REMOVE_FORGOTTEN_ANSWERS });
  }
}
