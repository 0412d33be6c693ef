import { Injectable } from '@nestjs/common';
import { RateLimitedError } from '../../errors/errors';
import { type ChangeKind, type CompiledBundle, seenBy } from '../compile/compiled-bundle';
import { BundleCompiler } from '../compile/bundle-compiler';
import { personBehind } from '../upstreams/shares';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import { UpstreamSubscriptions } from '../upstreams/upstream-subscriptions';
import { ChangeStreams } from './change-streams';
import { RESERVED_META } from '../protocol/incoming';
import { isObject, type JsonObject, RpcCode, RpcFailure, resultOf } from '../protocol/json-rpc';
import { type EndpointExchange, listClientOf, type MethodCall, targetOf } from './method-call';
import { hasGone, StreamableResponse } from './streamable-response';
import { MAX_WATCHED, ResourceWatch } from './resource-watch';
import { entriesWithResources, entryOfResource } from './routes';
import type { LegacySession } from './sealed-session';
import { SessionSubscriptions } from './session-subscriptions';
import { UnreadResponses } from './unread-responses';

const NOTIFICATIONS: Readonly<Record<ChangeKind, string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
};
/** The members of the filter of `subscriptions/listen`. */
const FILTERS: Readonly<Record<ChangeKind, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};
/** When one who follows too much may try again. */
const RETRY_AFTER_S = 10;
const KINDS = Object.keys(FILTERS) as ChangeKind[];

/** Streams on which clients of both eras hear of changes. */
@Injectable()
export class SubscriptionStreams {
  constructor(
    private readonly streams: ChangeStreams,
    private readonly compiler: BundleCompiler,
    private readonly caller: UpstreamCaller,
    private readonly subscriptions: SessionSubscriptions,
    private readonly unread: UnreadResponses,
    private readonly following: UpstreamSubscriptions,
  ) {}

  /** `subscriptions/listen` (2026-07-28, "Subscriptions"). Answers when the stream ends. @throws RpcFailure */
  async listen(call: MethodCall, bundle: CompiledBundle): Promise<void> {
    const { id, exchange, reply, client, gone } = call;
    const { era, revision } = client;
    const { kinds, uris } = filterOf(call.params);
    const mark = { [`${RESERVED_META}subscriptionId`]: id };
    // By what they say, so that no server can make them many.
    const held = new Map<string, JsonObject>();
    let isAcknowledged = false;
    const tell = (method: string, params: JsonObject = {}): void => {
      const message = { jsonrpc: '2.0', method, params: { ...params, _meta: mark } };
      if (isAcknowledged) reply.notify(message);
      else held.set(JSON.stringify([method, params]), message);
    };
    const watch = new ResourceWatch(this.caller, {
      principal: exchange.admission.principal,
      behind: exchange.admission.behind,
      client: { era, revision, capabilities: {} },
      onUpdated: (uri) => tell('notifications/resources/updated', { uri }),
      pass: (key, send) => stream.pass(key, send),
    });
    const stream = this.streams.open(exchange, exchange.admission, bundle, {
      changed: (kind) => {
        if (kinds.has(kind)) tell(NOTIFICATIONS[kind]);
      },
      moved: (now) => watch.keepOnly(now),
      end: () => {
        watch.end();
        reply.end(resultOf(id, { resultType: 'complete', _meta: mark }));
      },
    });
    const leave = (): void => {
      stream.close();
      watch.end();
    };
    gone.addEventListener('abort', leave, { once: true });
    const agreed = await watch.add(bundle, uris);
    const notifications = {
      ...Object.fromEntries([...kinds].map((kind) => [FILTERS[kind], true])),
      ...(uris.length > 0 ? { resourceSubscriptions: agreed } : {}),
    };
    isAcknowledged = true;
    reply.send({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: mark, notifications },
    });
    for (const message of held.values()) reply.notify(message);
    held.clear();
  }

  /** `GET` of a client with a session (2025-11-25, transports, "Listening for Messages from the Server"). @throws RpcFailure */
  async open(exchange: EndpointExchange, sessionId: string, session: LegacySession): Promise<void> {
    const { admission, response } = exchange;
    const client = listClientOf({ era: 'legacy', capabilities: session.capabilities });
    let bundle = await this.compiler.compile(seenBy(admission.target, client));
    if (hasGone(response)) return;
    const reply = new StreamableResponse(response, { unread: this.unread });
    const { revision } = session;
    const watch = new ResourceWatch(this.caller, {
      principal: admission.principal,
      behind: admission.behind,
      client: { era: 'legacy', revision, capabilities: {} },
      onUpdated: (uri) => reply.notify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
      pass: (key, send) => stream.pass(key, send),
    });
    const stream = this.streams.open(exchange, admission, bundle, {
      changed: (kind) => reply.notify({ jsonrpc: '2.0', method: NOTIFICATIONS[kind] }),
      moved: (now) => {
        bundle = now;
        watch.keepOnly(now);
        void watch.add(now, watch.unknown);
      },
      end: () => reply.withdraw(),
    });
    const { uris, detach } = this.subscriptions.attach(sessionId, {
      add: (uri) => void watch.add(bundle, [uri]),
      remove: (uri) => watch.remove(uri),
      end: () => reply.withdraw(),
    });
    response.once('close', () => {
      stream.close();
      detach();
      watch.end();
    });
    reply.open();
    await watch.add(bundle, uris);
  }

  /** `resources/subscribe` of a client with a session. @throws RpcFailure */
  async subscribe(call: MethodCall, bundle: CompiledBundle): Promise<void> {
    const { params, client, exchange } = call;
    const uri = uriOf(params);
    if (!entryOfResource(bundle, uri) && !entryOfResource(await this.lookAgain(call, bundle), uri))
      throw new RpcFailure(200, RpcCode.ResourceNotFound, 'Resource not found', undefined, {
        uri: uri.slice(0, 1_024),
      });
    const { sessionId = '' } = client;
    const { admission } = exchange;
    // Each takes a stream to its server, and one for which there is none would not be followed.
    const most = Math.min(MAX_WATCHED, this.following.mostOfPrincipal);
    if (!this.subscriptions.has(sessionId, uri) && !this.following.hasRoom(admission))
      throw new RateLimitedError(
        `An account or an access token can follow ${most} resources at once. Unsubscribe from others first.`,
        RETRY_AFTER_S,
        { name: 'mcp-subscriptions', quota: most },
      );
    if (await this.subscriptions.add(sessionId, personBehind(admission), uri, most)) return;
    throw invalid(`A session can follow ${most} resources, with addresses of less than 7 KiB.`);
  }

  /** `resources/unsubscribe`. @throws RpcFailure */
  async unsubscribe({ params, client, exchange }: MethodCall): Promise<void> {
    await this.subscriptions.remove(client.sessionId ?? '', personBehind(exchange.admission), uriOf(params));
  }

  /** A server may have a resource since its lists were last read. */
  private async lookAgain(call: MethodCall, bundle: CompiledBundle): Promise<CompiledBundle> {
    return (await this.compiler.lookAgain(targetOf(call), entriesWithResources(bundle))) ?? bundle;
  }
}

function filterOf({ notifications }: JsonObject): { kinds: ReadonlySet<ChangeKind>; uris: readonly string[] } {
  if (!isObject(notifications)) throw invalid('params.notifications must be an object.');
  const { resourceSubscriptions: uris = [] } = notifications;
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string'))
    throw invalid('params.notifications.resourceSubscriptions must be a list of strings.');
  if (uris.length > MAX_WATCHED) throw invalid(`A stream can follow ${MAX_WATCHED} resources.`);
  return { kinds: new Set(KINDS.filter((kind) => notifications[FILTERS[kind]] === true)), uris };
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri !== 'string') throw invalid('params.uri must be a string.');
  return uri;
}

function invalid(detail: string): RpcFailure {
  return new RpcFailure(200, RpcCode.InvalidParams, detail);
}
