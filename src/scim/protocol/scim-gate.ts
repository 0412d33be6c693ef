import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { bearerToken } from '../../auth/bearer.strategy';
import { withDatabaseTimeAtLeast } from '../../database/deadline';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import { RefusedRequests } from '../log/refused-requests';
import { ScimTokenVerifier } from '../tokens/scim-token-verifier';
import type { LoggedRequest, ScimClient } from './scim-client';
import { withKnownNames } from './lists/scim-query';
import { scimPath } from './scim-address';
import type { ScimExchange } from './scim-exchange';

const SCHEME = 'Bearer ';

/** Milliseconds that a request gets to confirm its token after its own deadline, as for its log row. */
const CONFIRMATION_MS = 250;

/** Resources, whose statements ask for the token; all other paths have it looked up first. */
const CONFIRMING = /^\/(?:Users|Groups)(?:\/|$)/;

/**
 * Guards everything below `/v1/organisations/{org_id}/scim/v2` and admits requests with a valid SCIM token of that
 * organisation. It precedes the routes, so that an unauthenticated client cannot find out which ones exist, and an
 * authenticated request to an unknown one is in the provisioning log.
 */
@Injectable()
export class ScimGate {
  constructor(
    private readonly verifier: ScimTokenVerifier,
    private readonly refused: RefusedRequests,
  ) {}

  /**
   * A middleware.
   *
   * @throws AuthenticationError
   */
  readonly admit = (request: Request, _response: Response, next: NextFunction): void => {
    const path = scimPath(request.path);
    if (path === undefined) return next();
    const query = request.url.indexOf('?');
    const target = path.below + (query === -1 ? '' : request.url.slice(query));
    const sent = { target, startedAt: performance.now() };
    const begun = { ...sent, ignored: new Set<string>(), notes: new Set<string>() };
    const remembered = CONFIRMING.test(path.below) ? this.recall(request, path.orgId) : undefined;
    if (remembered) {
      request.scim = exchange(request, { ...remembered, isUnconfirmed: true }, begun);
      admit(request);
      return next();
    }
    this.verify(request, path.orgId, begun).then(() => {
      admit(request);
      next();
    }, next);
  };

  /**
   * Looks up a token that was only remembered, if no statement of the request has confirmed it yet.
   *
   * @throws AuthenticationError, and then the request is as if it had never been admitted; what the database throws, and
   *   then only that may be answered, which does not depend on the token
   */
  async confirm(request: Request): Promise<void> {
    const { scim } = request;
    if (!scim?.client.isUnconfirmed) return;
    const { client } = scim;
    request.scim = undefined;
    const { target, startedAt } = client.request;
    const begun = { target, startedAt, ignored: client.ignored, notes: client.notes };
    // Also when the request has run out of time: its answer is to be sent and logged.
    try {
      await withDatabaseTimeAtLeast(CONFIRMATION_MS, () => this.verify(request, client.orgId, begun));
    } catch (error) {
      if (!(error instanceof AuthenticationError)) {
        // For its row in the log.
        client.isUnconfirmed = false;
        request.scim = scim;
      }
      throw error;
    }
  }

  private recall(request: Request, orgId: string): Pick<ScimClient, 'tokenId' | 'orgId'> | undefined {
    const { authorization } = request.headers;
    return authorization?.startsWith(SCHEME)
      ? this.verifier.recall(authorization.slice(SCHEME.length), orgId)
      : undefined;
  }

  private async verify(request: Request, pathOrgId: string, begun: Begun): Promise<void> {
    const { orgId, tokenId, state } = await this.verifier.verify(bearerToken(request, 'SCIM'), pathOrgId);
    const scim = exchange(request, { orgId, tokenId }, begun);
    request.scim = scim;
    if (state === 'valid') return;
    // Also with a revoked or expired token: an administrator who looks for the reason why nothing arrives finds it in
    // the provisioning log.
    scim.isLogged = !this.refused.keeps(orgId);
    const what = state === 'expired' ? 'has expired' : 'was revoked';
    throw new AuthenticationError(ErrorCode.InvalidToken, `This SCIM token ${what}.`);
  }
}

/** A request before its token is known. */
type Begun = Pick<LoggedRequest, 'target' | 'startedAt'> & Pick<ScimClient, 'ignored' | 'notes'>;

function exchange(
  request: Request,
  token: Pick<ScimClient, 'orgId' | 'tokenId' | 'isUnconfirmed'>,
  { target, startedAt, ignored, notes }: Begun,
): ScimExchange {
  const logged: LoggedRequest = {
    method: request.method,
    target,
    startedAt,
    get body(): unknown {
      return request.body as unknown;
    },
  };
  return { client: { ...token, requestId: request.id, request: logged, ignored, notes }, isLogged: false };
}

function admit(request: Request): void {
  request.admittedBy = 'scim-token';
  // The directory and not the token, of which it may have many.
  request.countedAs = `directory ${request.scim?.client.orgId}`;
  if (!request.url.includes('?')) return;
  // Before validation, which compares names with those of the document. Express 5 has a getter here that would parse
  // again.
  Object.defineProperty(request, 'query', { value: withKnownNames(request.query), configurable: true });
}
