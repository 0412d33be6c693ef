import { randomUUID } from 'node:crypto';
import { Clock } from '../../../src/config/clock';
import { Environment } from '../../../src/config/environment';
import { Secrets } from '../../../src/config/secrets';
import { createDataSource } from '../../../src/database/data-source';
import { Notifications } from '../../../src/database/notifications';
import { DnsResolver } from '../../../src/outbound/dns-resolver';
import { TargetAddresses } from '../../../src/outbound/target-addresses';
import { ENTITIES, MIGRATIONS } from '../../../src/schema';
import { CredentialSeal } from '../../../src/gateway/credentials/credential-seal';
import { CredentialSecrets } from '../../../src/gateway/credentials/credential-secrets';
import { CredentialStore } from '../../../src/gateway/credentials/credential-store';
import { TokenRenewal } from '../../../src/gateway/credentials/oauth-ports';
import { AnswerBudget } from '../../../src/gateway/upstreams/answer-budget';
import type { UpstreamCall, UpstreamCallResult, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { UpstreamAgents } from '../../../src/gateway/upstreams/upstream-agents';
import { UpstreamCaller } from '../../../src/gateway/upstreams/upstream-caller';
import { UpstreamEras } from '../../../src/gateway/upstreams/upstream-eras';
import { UpstreamLimits } from '../../../src/gateway/upstreams/upstream-limits';
import { UpstreamLister } from '../../../src/gateway/upstreams/upstream-lister';
import { UpstreamListeners } from '../../../src/gateway/upstreams/upstream-listeners';
import { NotificationStreams } from '../../../src/gateway/upstreams/notification-streams';
import { UpstreamRefreshJob } from '../../../src/gateway/upstreams/upstream-refresh-job';
import { UpstreamRefresher } from '../../../src/gateway/upstreams/upstream-refresher';
import { UpstreamSessions } from '../../../src/gateway/upstreams/upstream-sessions';
import { UpstreamSubscriptions } from '../../../src/gateway/upstreams/upstream-subscriptions';
import { UpstreamWire } from '../../../src/gateway/upstreams/upstream-wire';
import { Upstreams } from '../../../src/gateway/upstreams/upstreams.service';
import type { TestDatabase } from '../../support/database';
import { isMark } from './heard';
import { LEGACY, MODERN, type TestUpstream } from './test-upstream';

/** What speaks to upstreams, as one replica has it, without the rest of the application. */
export interface UpstreamStack {
  upstreams: Upstreams;
  caller: UpstreamCaller;
  sessions: UpstreamSessions;
  eras: UpstreamEras;
  listeners: UpstreamListeners;
  job: UpstreamRefreshJob;
  limits: UpstreamLimits;
  /** What was notified: ids of upstreams. */
  changes: (string | undefined)[];
  close: () => Promise<void>;
}

export interface StackOptions {
  /** What may be dialled besides public addresses. */
  networks?: string;
  dns?: DnsResolver;
  secrets?: Secrets;
  /** Whether it refreshes lists by itself. */
  isWorker?: boolean;
}

/** Starts it on a database; several on the same one are replicas. */
export async function createStack(database: TestDatabase, options: StackOptions = {}): Promise<UpstreamStack> {
  const { networks = '127.0.0.0/8', dns = new DnsResolver(), isWorker = false } = options;
  const { secrets = new Secrets(Buffer.alloc(32, 7)) } = options;
  const environment = new Environment({ WEBHOOKS_ALLOWED_NETWORKS: networks, RUN: isWorker ? 'api,worker' : 'api' });
  const dataSource = createDataSource({ url: database.url, poolSize: 5, entities: ENTITIES, migrations: MIGRATIONS });
  await dataSource.initialize();
  const notifications = new Notifications(database.url);
  const limits = new UpstreamLimits();
  const agents = new UpstreamAgents(new TargetAddresses(environment, dns), limits);
  const store = new CredentialStore(new CredentialSeal(secrets));
  const filler = new CredentialSecrets(dataSource, store, new TokenRenewal(), environment, new Clock());
  const budget = new AnswerBudget();
  const wire = new UpstreamWire(agents, limits, filler, budget);
  const eras = new UpstreamEras(dataSource, new Clock(), wire);
  const sessions = new UpstreamSessions(dataSource, secrets, wire, eras, notifications);
  const refresher = new UpstreamRefresher(dataSource, new UpstreamLister(wire, eras, budget), limits);
  const job = new UpstreamRefreshJob(refresher, notifications, environment);
  const listening = new NotificationStreams(wire, eras, limits);
  const listeners = new UpstreamListeners(dataSource, listening, limits, environment);
  const upstreams = new Upstreams(dataSource, notifications, refresher);
  const subscriptions = new UpstreamSubscriptions(listening, upstreams, limits);
  const caller = new ParsingCaller(limits, wire, eras, sessions, subscriptions, upstreams);
  const changes: (string | undefined)[] = [];
  upstreams.onChange((id) => void (isMark(id) || changes.push(id)));
  await notifications.onApplicationBootstrap();
  changes.length = 0;
  const timer = isWorker ? setInterval(() => job.look(), 250) : undefined;
  const close = async () => {
    clearInterval(timer);
    for (const part of [job, listeners, refresher, upstreams]) await part.beforeApplicationShutdown();
    await Promise.all([agents.onApplicationShutdown(), notifications.onApplicationShutdown()]);
    await dataSource.destroy();
  };
  return { upstreams, caller, sessions, eras, listeners, job, limits, changes, close };
}

/** Suites look at what is said; that it passes byte for byte is the business of those of endpoints. */
class ParsingCaller extends UpstreamCaller {
  override async call(call: UpstreamCall): Promise<UpstreamCallResult> {
    const { onMessage } = call;
    const heard: UpstreamCall = { ...call, onMessage: (message, session) => onMessage(whole(message), session) };
    return whole(await super.call(heard));
  }
}

function whole<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** @returns the row of an upstream, without its lists */
export async function known({ upstreams }: UpstreamStack, { url }: Pick<TestUpstream, 'url'>): Promise<UpstreamState> {
  const [state] = await upstreams.ensure([{ url, headers: {} }]);
  if (!state) throw new Error('It was not stored.');
  return state;
}

/** Clients of both eras. */
export const MODERN_CLIENT: UpstreamCall['client'] = {
  era: 'modern',
  revision: MODERN,
  capabilities: { elicitation: { form: {} } },
};
export const LEGACY_CLIENT: UpstreamCall['client'] = {
  era: 'legacy',
  revision: LEGACY,
  capabilities: { elicitation: {} },
};

/** A call of a tool, to be changed as a test needs it. */
export function callOf(upstream: UpstreamState, tool: string, fields: Partial<UpstreamCall> = {}): UpstreamCall {
  return {
    upstream,
    entryId: ENTRY,
    bundleId: BUNDLE,
    principal: 'user ada',
    client: MODERN_CLIENT,
    method: 'tools/call',
    params: { name: tool, arguments: { a: 1 } },
    signal: new AbortController().signal,
    onMessage: () => undefined,
    ...fields,
  };
}

export const ENTRY = randomUUID();
const BUNDLE = randomUUID();
