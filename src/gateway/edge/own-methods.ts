import { Injectable } from '@nestjs/common';
import { type CompiledBundle, LIST_METHODS } from '../compile/compiled-bundle';
import { resultOf, RpcCode, RpcFailure } from '../protocol/json-rpc';
import type { Era } from '../protocol/revisions';
import type { Answer } from './call-context';
import { LegacySessions } from './legacy-sessions';
import { SubscriptionStreams } from './subscription-streams';
import { LogLevels } from './log-levels';
import type { MethodCall } from './method-call';
import { ServerLists } from './server-lists';
import { discoverResult, emptyResult, initializeResult } from './initialize-results';

/** @returns the answer; undefined if it is sent already, or comes later */
type OwnMethod = (request: MethodCall, bundle: CompiledBundle) => Answer | undefined | Promise<Answer | undefined>;

/** They go to the server that has what they name. */
const OF_SERVERS = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'];
/** What is in a message of a method that does not exist. */
const MAX_NAME_LENGTH = 128;

/** The methods that an endpoint answers without asking a server. */
@Injectable()
export class OwnMethods {
  private readonly methods: Readonly<Record<Era, ReadonlyMap<string, OwnMethod>>>;

  constructor(
    private readonly lists: ServerLists,
    private readonly sessions: LegacySessions,
    listening: SubscriptionStreams,
    levels: LogLevels,
  ) {
    const all = LIST_METHODS.map((method): [string, OwnMethod] => [method, this.list]);
    this.methods = {
      modern: new Map([
        ...all,
        ['server/discover', (_request, bundle) => ({ result: discoverResult(bundle) })],
        ['subscriptions/listen', (request, bundle) => listening.listen(request, bundle).then(() => undefined)],
      ]),
      legacy: new Map([
        ...all,
        ['initialize', this.initialize],
        ['ping', done],
        ['logging/setLevel', (request, bundle) => levels.set(request).then(() => done(request, bundle))],
        [
          'resources/subscribe',
          (request, bundle) => listening.subscribe(request, bundle).then(() => done(request, bundle)),
        ],
        [
          'resources/unsubscribe',
          (request, bundle) => listening.unsubscribe(request).then(() => done(request, bundle)),
        ],
      ]),
    };
  }

  /** @returns the method of a request; undefined: a server has to be asked */
  of({ client, method }: MethodCall): OwnMethod | undefined {
    return this.methods[client.era].get(method);
  }

  /** @throws RpcFailure for a method that does not exist, with the status of the era (Streamable HTTP, "Protocol Version Header") */
  requireKnown(request: MethodCall): void {
    if (this.of(request) || OF_SERVERS.includes(request.method)) return;
    const detail = `Method not found: ${request.method.slice(0, MAX_NAME_LENGTH)}`;
    throw new RpcFailure(request.client.era === 'modern' ? 404 : 200, RpcCode.MethodNotFound, detail);
  }

  private readonly list: OwnMethod = (request, bundle) => {
    request.reply.end(this.lists.answer(request, bundle));
    return undefined;
  };

  private readonly initialize: OwnMethod = ({ exchange, id, params, reply }, bundle) => {
    const { sessionId, revision } = this.sessions.begin(exchange, params);
    reply.end(resultOf(id, initializeResult(bundle, revision)), 200, { 'Mcp-Session-Id': sessionId });
    return undefined;
  };
}

const done: OwnMethod = ({ client }, bundle) => ({ result: emptyResult(bundle, client.era) });
