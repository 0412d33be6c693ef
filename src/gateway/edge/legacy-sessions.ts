import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Holder, personBehind } from '../upstreams/shares';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import type { Admission } from './admission';
import { EdgeNews, keyOf } from './edge-news';
import type { EndpointPath } from './endpoint-path';
import { isObject, type JsonObject, RpcCode, RpcFailure } from '../protocol/json-rpc';
import { PrincipalCache } from './principal-cache';
import { negotiated, type LegacyRevision } from '../protocol/revisions';
import { type LegacySession, SealedSessions } from './sealed-session';

/** As long as a session is good. */
const ENDED_MS = 24 * 3_600_000;
/** So many are kept of all and of one person with all tokens: no one can have ended sessions of others forgotten. */
const MAX_ENDED = { all: 100_000, each: 5_000 } as const;

/** Who uses which endpoint. */
interface SessionScope {
  readonly admission: Pick<Admission, 'principal'>;
  readonly path: EndpointPath;
}

/** Sessions of clients of the legacy era: sealed values that every process can read. */
@Injectable()
export class LegacySessions {
  /** By their keys. A process that has started since does not know that they were ended. */
  private readonly ended = new PrincipalCache<true>({ ...MAX_ENDED, ttl: ENDED_MS, sizeOf: () => 1 });

  constructor(
    private readonly sealed: SealedSessions,
    private readonly news: EdgeNews,
    private readonly caller: UpstreamCaller,
  ) {
    news.on('ended', (key, person) => this.ended.set(key, person, true));
  }

  /**
   * Begins a session as `initialize` asks for it.
   *
   * @throws RpcFailure 400 for parameters that are none
   */
  begin({ admission, path }: SessionScope, params: JsonObject): { sessionId: string; revision: LegacyRevision } {
    const { protocolVersion, capabilities, clientInfo } = params;
    if (typeof protocolVersion !== 'string') throw invalid('params.protocolVersion must be a string.');
    if (!isObject(capabilities)) throw invalid('params.capabilities must be an object.');
    if (!isObject(clientInfo)) throw invalid('params.clientInfo must be an object.');
    const revision = negotiated(protocolVersion);
    const client = { name: textOf(clientInfo.name), version: textOf(clientInfo.version) };
    const { principal } = admission;
    const sessionId = this.sealed.begin({ revision, capabilities, client, principal, path: path.path });
    if (sessionId === undefined)
      throw invalid('params.capabilities and params.clientInfo have more than 4 KiB together.');
    return { sessionId, revision };
  }

  /** @throws RpcFailure 400 without a session, 404 for one that is not theirs, has expired or was ended */
  read({ headers }: Request, { admission, path }: SessionScope): { sessionId: string; session: LegacySession } {
    const sessionId = headers['mcp-session-id'];
    if (typeof sessionId !== 'string')
      throw new RpcFailure(400, RpcCode.InvalidRequest, 'Mcp-Session-Id is missing: begin with "initialize".');
    const session = this.sealed.read(sessionId, admission.principal, path.path);
    if (!session || this.ended.has(keyOf(sessionId)))
      throw new RpcFailure(404, 404, 'The session does not exist, or has ended. Begin again with "initialize".');
    return { sessionId, session };
  }

  /** From now on the session is not found, in any process; and what it alone has used at servers ends. */
  async end(sessionId: string, holder: Holder): Promise<void> {
    const key = keyOf(sessionId);
    await this.news.tell('ended', key, personBehind(holder));
    await this.caller.leave(holder.principal, key);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 256) : '';
}

function invalid(detail: string): RpcFailure {
  return new RpcFailure(400, RpcCode.InvalidParams, detail);
}
