import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { bearerToken } from '../../auth/bearer.strategy';
import { TokenVerifier } from '../../auth/token-verifier';
import { BUNDLE_TOKEN_KIND } from '../../bundles/access-tokens/bundle-token-kind';
import { Environment } from '../../config/environment';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { Admissions, type ClientCredential } from './admission';
import { type EndpointPath, endpointPath } from './endpoint-path';
import { requireSessionRevision } from '../protocol/incoming';
import { RpcCode, RpcFailure } from '../protocol/json-rpc';
import { LegacySessions } from './legacy-sessions';
import { SubscriptionStreams } from './subscription-streams';
import { McpMessages } from './mcp-messages';
import { requireEventStream } from '../protocol/message-body';
import { type EndpointExchange, headerReader } from './method-call';
import { OriginRules } from './origin-rules';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the gate of endpoints for a request that may use one. */
    endpoint?: EndpointExchange;
  }
}

const METHODS = ['POST', 'GET', 'DELETE'] as const;

/**
 * Bundles and deployments as MCP endpoints (`/mcp/…`), outside of Nest's routes: each request passes `admit`, the limits of
 * requests, and `serve`.
 */
@Injectable()
export class McpGate {
  private readonly origins: OriginRules;

  constructor(
    environment: Environment,
    private readonly verifier: TokenVerifier,
    private readonly admissions: Admissions,
    private readonly messages: McpMessages,
    private readonly sessions: LegacySessions,
    private readonly streams: SubscriptionStreams,
  ) {
    this.origins = new OriginRules(environment);
  }

  /**
   * A middleware: lets requests to endpoints pass that may use them, and says for whom they are counted.
   *
   * @throws RpcFailure; AuthenticationError
   */
  readonly admit = (request: Request, response: Response, next: NextFunction): void => {
    if (!request.path.startsWith('/mcp/')) return next();
    const path = endpointPath(request);
    if (!path) throw new RpcFailure(404, 404, 'No endpoint has this address.');
    const { origin } = request.headers;
    // Also where there was none: a cache must not give that answer to a page.
    response.vary('Origin');
    this.origins.check(request.headers);
    if (origin !== undefined) this.origins.allow(origin, response);
    if (request.method === 'OPTIONS') {
      this.origins.preflight(request.headers['access-control-request-headers'], response);
      return;
    }
    if (!METHODS.some((method) => method === request.method)) {
      response.setHeader('Allow', [...METHODS, 'OPTIONS'].join(', '));
      throw new RpcFailure(405, RpcCode.InvalidRequest, `An endpoint does not support ${request.method}.`);
    }
    this.enter(request, response, path).then(next, next);
  };

  /** A middleware: answers the requests that `admit` has let pass. */
  readonly serve = (request: Request, _response: Response, next: NextFunction): void => {
    const { endpoint } = request;
    if (!endpoint) return next();
    this.answer(endpoint).catch(next);
  };

  private async enter(request: Request, response: Response, path: EndpointPath): Promise<void> {
    const credential = await this.credentialOf(request, path);
    const admission = await this.admissions.admit({ path, credential });
    const { personId, bundleId } = admission.target;
    if (credential.kind === 'person') request.caller = credential.caller;
    request.countedAs = credential.kind === 'person' ? personId : `bundle ${bundleId}`;
    request.endpoint = { request, response, path, credential, admission };
  }

  /**
   * An access token of the bundle, or one of an issuer whose audience is exactly this endpoint (RFC 8707). Neither cookies nor
   * personal access tokens: those are for the REST API.
   */
  private async credentialOf(request: Request, { path }: EndpointPath): Promise<ClientCredential> {
    const token = bearerToken(request);
    if (token.startsWith(BUNDLE_TOKEN_KIND.mark)) return { kind: 'token', token };
    const { caller, marks, expiresAt } = this.verifier.recall(token) ?? (await this.verifier.verify(token));
    if (caller.below !== path)
      throw new AuthenticationError(ErrorCode.InvalidToken, 'The access token is for another audience.');
    return { kind: 'person', caller, ...(marks && { marks }), expiresAt };
  }

  private async answer(endpoint: EndpointExchange): Promise<void> {
    const { request, response } = endpoint;
    if (request.method === 'POST') return this.messages.answer(endpoint);
    requireSessionRevision(headerReader(request));
    const { sessionId, session } = this.sessions.read(request, endpoint);
    if (request.method === 'GET') {
      requireEventStream(request);
      return this.streams.open(endpoint, sessionId, session);
    }
    await this.sessions.end(sessionId, endpoint.admission);
    response.writeHead(204).end();
  }
}
