import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { AnswerBudget } from './answer-budget';
import { EndpointUrls } from './endpoint-urls';
import { UpstreamAgents } from './upstream-agents';
import { UpstreamCaller } from './upstream-caller';
import { UpstreamCapabilitySet } from './upstream-capability-set.entity';
import { UpstreamDefinition } from './upstream-definition.entity';
import { UpstreamEras } from './upstream-eras';
import { UpstreamLimits } from './upstream-limits';
import { UpstreamListeners } from './upstream-listeners';
import { NotificationStreams } from './notification-streams';
import { UpstreamLister } from './upstream-lister';
import { UpstreamRefreshJob } from './upstream-refresh-job';
import { UpstreamRefresher } from './upstream-refresher';
import { UpstreamRetention } from './upstream-retention';
import { UpstreamSession } from './upstream-session.entity';
import { UpstreamSessions } from './upstream-sessions';
import { UpstreamSubscriptions } from './upstream-subscriptions';
import { UpstreamWire } from './upstream-wire';
import { UpstreamRow } from './upstream.entity';
import { Upstreams } from './upstreams.service';

/**
 * The servers behind entries, each of which speaks one era of MCP or both.
 *
 * In come addresses with what is to be sent there: a call of a client, or a question of ours about lists. Out go the answers
 * of the server (`UpstreamCaller`), its definitions as it sent them (`Upstreams`), and news that they have changed. It keeps
 * the servers, their definitions and the sessions with them in the `upstream…` tables, and connections, limits and breakers
 * in the memory of the process. It knows no bundle beyond its id.
 */
@Module({
  imports: [CredentialsModule],
  providers: [
    UpstreamLimits,
    AnswerBudget,
    EndpointUrls,
    UpstreamAgents,
    UpstreamWire,
    UpstreamEras,
    UpstreamSessions,
    UpstreamLister,
    UpstreamRefresher,
    UpstreamRefreshJob,
    NotificationStreams,
    UpstreamListeners,
    UpstreamSubscriptions,
    UpstreamRetention,
    Upstreams,
    UpstreamCaller,
  ],
  exports: [
    AnswerBudget,
    UpstreamAgents,
    UpstreamCaller,
    UpstreamLimits,
    UpstreamListeners,
    UpstreamRefresher,
    UpstreamSubscriptions,
    Upstreams,
  ],
})
export class UpstreamsModule {
  static readonly declares = {
    entities: [UpstreamRow, UpstreamDefinition, UpstreamCapabilitySet, UpstreamSession],
  } as const;
}
