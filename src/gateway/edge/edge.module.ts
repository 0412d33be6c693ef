import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { RowRetention } from '../../database/row-retention';
import { CallsModule } from '../calls/calls.module';
import { CompileModule } from '../compile/compile.module';
import { UpstreamsModule } from '../upstreams/upstreams.module';
import { Admissions } from './admission';
import { CallMessages } from './call-messages';
import { CallRates } from './call-rates';
import { CallRoutes } from './call-routes';
import { CallSlots } from './call-slots';
import { CallSteps } from './call-steps';
import { CallsInFlight } from './calls-in-flight';
import { ChangeStreams } from './change-streams';
import { ClientAnswer } from './client-answer.entity';
import { ClientLogLevel } from './client-log-level.entity';
import { EdgeNews } from './edge-news';
import { EndpointMetadata } from './endpoint-metadata';
import { EndpointMetadataController } from './endpoint-metadata.controller';
import { GatewayCounters } from './gateway-counters';
import { GatewayGauges } from './gateway-gauges';
import { InputResponses, REMOVE_FORGOTTEN_ANSWERS } from './input-responses';
import { LegacySessions } from './legacy-sessions';
import { SubscriptionStreams } from './subscription-streams';
import { LogLevels, REMOVE_LOG_LEVELS } from './log-levels';
import { McpErrors } from './mcp-errors';
import { McpGate } from './mcp-gate';
import { McpMessages } from './mcp-messages';
import { OwnMethods } from './own-methods';
import { RequestStates } from './request-states';
import { SealedSessions } from './sealed-session';
import { ServerLists } from './server-lists';
import { ServerRequests } from './server-requests';
import { SessionSubscriptions } from './session-subscriptions';
import { UpstreamRequestIds } from './upstream-request-ids';
import { UnreadResponses } from './unread-responses';

/**
 * What MCP clients send and get.
 *
 * In come HTTP requests to `/mcp/…` (`McpGate`, which `app.ts` puts before the routes) and calls that editors try out
 * (`CallSteps`). Out go answers and streams, in the era that the client speaks, and where clients get access tokens. It keeps
 * sessions sealed in what clients send, so that any process can go on with them; answers and log levels of clients are in the
 * database for a while, and calls in flight in the memory of the process. Offers to connect an account come from `connect/`
 * (`ConnectOffers`).
 */
@Module({
  imports: [AuthModule, CallsModule, CompileModule, UpstreamsModule],
  controllers: [EndpointMetadataController],
  providers: [
    EndpointMetadata,
    GatewayCounters,
    GatewayGauges,
    McpGate,
    McpErrors,
    McpMessages,
    OwnMethods,
    CallSteps,
    CallRoutes,
    Admissions,
    CallRates,
    CallMessages,
    CallSlots,
    CallsInFlight,
    ChangeStreams,
    EdgeNews,
    InputResponses,
    LegacySessions,
    LogLevels,
    SubscriptionStreams,
    RequestStates,
    SealedSessions,
    ServerRequests,
    ServerLists,
    SessionSubscriptions,
    UpstreamRequestIds,
    UnreadResponses,
  ],
  exports: [Admissions, CallSteps, RequestStates],
})
export class EdgeModule {
  static readonly declares = { entities: [ClientAnswer, ClientLogLevel] } as const;

  constructor(retention: RowRetention) {
    retention.registerExpiring(
      { name: 'answers of clients', remove: REMOVE_FORGOTTEN_ANSWERS },
      { name: 'log levels of sessions that are over', remove: REMOVE_LOG_LEVELS },
    );
  }
}
