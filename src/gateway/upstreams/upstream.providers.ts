import { AnswerBudget } from './answer-budget';
import { EndpointUrls } from './endpoint-urls';
import { UpstreamAgents } from './upstream-agents';
import { UpstreamCaller } from './upstream-caller';
import { UpstreamEras } from './upstream-eras';
import { UpstreamLimits } from './upstream-limits';
import { UpstreamLister } from './upstream-lister';
import { UpstreamListeners } from './upstream-listeners';
import { NotificationStreams } from './notification-streams';
import { UpstreamRefreshJob } from './upstream-refresh-job';
import { UpstreamRefresher } from './upstream-refresher';
import { UpstreamRetention } from './upstream-retention';
import { UpstreamSessions } from './upstream-sessions';
import { UpstreamSubscriptions } from './upstream-subscriptions';
import { UpstreamWire } from './upstream-wire';
import { Upstreams } from './upstreams.service';

/** Everything that speaks to upstreams, for the module. */
export const UPSTREAM_PROVIDERS = [
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
];
